package toolbroker_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"toolbroker.test/go/toolbroker"
)

// What the library takes, with a warning or because it is told to, the types take too.
func TestToolsThatWereTakenCanBeRead(t *testing.T) {
	hostile := `[{"name":"good","tags":["t"]},
		{"name":"annotated","annotations":{"readOnlyHint":"yes","destructiveHint":false,"idempotentHint":null,"openWorldHint":[1]}},
		{"name":"spelled","TITLE":5,"Name":7,"Tags":{},"InputSchema":1,"annotations":{"readonlyhint":5,"READONLYHINT":true}},
		{"name":"null","title":null,"tags":null,"annotations":null,"inputSchema":null,"description":null,"cost_tier":null},
		{"name":"number","x":1e400,"inputSchema":{"maximum":1e999}}]`
	wrong := `[{"name":"wrong","title":1,"annotations":7},{"name":"others","title":{},"annotations":[true],"cost_tier":null}]`
	for _, c := range []struct {
		options toolbroker.Options
		tools   string
		count   int
	}{
		{toolbroker.Options{}, hostile, 5},
		{toolbroker.Options{BadTools: "accept"}, wrong, 2},
		{toolbroker.Options{Profile: toolbroker.Go02, ToolJSON: "kept"}, wrong, 2},
		{toolbroker.Options{Profile: toolbroker.Go02}, `[{"name":"a","tags":null},{}]`, 2},
	} {
		broker := newBroker(t, c.options, c.tools)
		selection, err := broker.Select(ctx, toolbroker.SelectRequest{Order: "registered"})
		if err != nil || len(selection.Tools) != c.count || selection.Count != c.count {
			t.Fatalf("%s: %v %+v", c.tools, err, selection)
		}
		tools, err := broker.FullTools()
		if err != nil || len(tools) != c.count || !reflect.DeepEqual(tools, selection.Tools) {
			t.Errorf("%s: %v %+v", c.tools, err, tools)
		}
	}
}

func TestAValueOfAWrongTypeLeavesItsFieldZero(t *testing.T) {
	text := `{"name":"a","title":1,"description":["x"],"server":{},"tags":["t",3],"cost_tier":false,"inputSchema":[],"annotations":{"readOnlyHint":"yes","openWorldHint":false}}`
	var tool toolbroker.Tool
	if err := json.Unmarshal([]byte(text), &tool); err != nil {
		t.Fatal(err)
	}
	closed := false
	if want := (toolbroker.Tool{Name: "a", Annotations: &toolbroker.Annotations{OpenWorld: &closed}, JSON: json.RawMessage(text)}); !reflect.DeepEqual(tool, want) {
		t.Errorf("%+v", tool)
	}
	if err := json.Unmarshal([]byte(`[]`), &tool); err == nil {
		t.Error("a list is read as a tool")
	}
}

func TestKeysOfAToolCountAsTheyAreSpelled(t *testing.T) {
	broker := newBroker(t, toolbroker.Options{}, `[{"name":"a","Name":"b","Server":"other","TITLE":"T","annotations":{"ReadOnlyHint":true}}]`)
	tools, err := broker.FullTools()
	if err != nil || len(tools) != 1 {
		t.Fatalf("%v %+v", err, tools)
	}
	if tool := tools[0]; tool.Name != "a" || tool.Server != "s" || tool.Title != "" || tool.Annotations.ReadOnly != nil || !strings.Contains(string(tool.JSON), `"Name":"b"`) {
		t.Errorf("%+v", tool)
	}
}

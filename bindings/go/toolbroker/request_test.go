package toolbroker_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"toolbroker.test/go/toolbroker"
)

func TestANilSliceIsAnEmptyListWhereAListIsNeeded(t *testing.T) {
	var none []toolbroker.Tool
	var names map[string]any
	broker := newBroker(t, toolbroker.Options{}, `[{"name":"a"}]`)
	for what, list := range map[string]any{"nil": nil, "a nil slice": none, "an empty slice": []toolbroker.Tool{}, "a nil slice of values": []any(nil)} {
		if report, err := broker.AddTools("s", list); err != nil || report.Total != 1 {
			t.Errorf("%s added: %v %+v", what, err, report)
		}
		if report, err := broker.ReplaceTools("other", list); err != nil || report.Total != 1 {
			t.Errorf("%s in place of none: %v %+v", what, err, report)
		}
	}
	if report, err := broker.ReplaceTools("s", names); err != nil || report.Total != 0 || len(report.Removed) != 1 {
		t.Errorf("a nil map: %v %+v", err, report)
	}
	if intents, phrases, err := broker.LoadIntents(nil, false); err != nil || intents != 21 || phrases != 154 {
		t.Errorf("extended by none: %v %d %d", err, intents, phrases)
	}
	if intents, phrases, err := broker.LoadIntents(map[string][]string{"a": nil}, true); err != nil || intents != 1 || phrases != 0 {
		t.Errorf("an intent without phrases: %v %d %d", err, intents, phrases)
	}
	if intents, _, err := broker.LoadIntents(nil, true); err != nil || intents != 0 {
		t.Errorf("replaced by none: %v %d", err, intents)
	}
}

// A body that never came must not remove what a server has.
func TestAnEmptyTextIsNoListOfTools(t *testing.T) {
	broker := newBroker(t, toolbroker.Options{}, `[{"name":"a"}]`)
	for _, empty := range []any{"", " ", []byte(nil), json.RawMessage(nil)} {
		if _, err := broker.ReplaceTools("s", empty); !errors.Is(err, toolbroker.InvalidJSON) {
			t.Errorf("%#v: %v", empty, err)
		}
		if _, err := broker.Estimate(empty); !errors.Is(err, toolbroker.InvalidJSON) {
			t.Errorf("%#v estimated: %v", empty, err)
		}
	}
	if all, err := broker.AllTools(); err != nil || len(all) != 1 {
		t.Errorf("%v %+v", err, all)
	}
}

func TestNilAsksForAllRegisteredToolsAndANilSliceForNone(t *testing.T) {
	broker := newBroker(t, toolbroker.Options{}, `[{"name":"a"},{"name":"b"}]`)
	all, err := broker.Estimate(nil)
	if err != nil || all == 0 {
		t.Errorf("all: %v %d", err, all)
	}
	for _, list := range []any{[]toolbroker.Tool(nil), []toolbroker.Tool{}} {
		if tokens, err := broker.Estimate(list); err != nil || tokens != 0 {
			t.Errorf("none: %v %d", err, tokens)
		}
	}
	if tools, err := broker.ScoreByKeywords(nil, 0); err != nil || len(tools) != 0 {
		t.Errorf("no keywords: %v %+v", err, tools)
	}
	if tools, err := broker.FindByNames(); err != nil || len(tools) != 0 {
		t.Errorf("no names: %v %+v", err, tools)
	}
}

func TestTextThatIsNotUTF8IsAnErrorWithItsPlace(t *testing.T) {
	broker := newBroker(t, toolbroker.Options{}, `[{"name":"a"}]`)
	bad := "x\xff"
	id := toolbroker.ToolID{Server: "s", Name: bad}
	discard := func(_ any, err error) error { return err }
	rule := toolbroker.Rule{Name: "r", Match: toolbroker.Match{Patterns: []string{"a", bad}}, Action: toolbroker.Action{Type: "pin"}}
	embedded := struct {
		toolbroker.ToolID
		Extra  json.RawMessage
		Hidden string `json:"-"`
	}{Extra: json.RawMessage(`"` + bad + `"`), Hidden: bad}
	for _, c := range []struct {
		path string
		err  error
	}{
		{"message", discard(broker.Select(ctx, toolbroker.SelectRequest{Message: bad}))},
		{"intent", discard(broker.Select(ctx, toolbroker.ForIntent(bad)))},
		{"hints[1]", discard(broker.SelectIndices(toolbroker.SelectRequest{Hints: []string{"a", bad}}))},
		{"pins[0]", discard(broker.Select(ctx, toolbroker.SelectRequest{Pins: []string{bad}}))},
		{"message", discard(broker.DetectIntent(bad))},
		{"intent", discard(broker.Tokenize(bad))},
		{"keywords[0]", discard(broker.ScoreByKeywords([]string{bad}, 0))},
		{"intent", discard(broker.ScoreByIntent(bad, 0))},
		{"names[0]", discard(broker.FindByNames(bad))},
		{"server", discard(broker.AddTools(bad, `[]`))},
		{"server", discard(broker.RemoveServer(bad))},
		{"tools[0].name", discard(broker.RemoveTools(id))},
		{"tools[1].tags[0]", discard(broker.AddTools("s", []toolbroker.Tool{{Name: "a"}, {Name: "b", Tags: []string{bad}}}))},
		{"tools[0]", discard(broker.AddTools("s", []*toolbroker.Tool{{JSON: json.RawMessage(`{"name":"` + bad + `"}`)}}))},
		{"tools[0].inputSchema", discard(broker.AddTools("s", []toolbroker.Tool{{Name: "a", InputSchema: json.RawMessage(`{"` + bad + `":1}`)}}))},
		{"tools.tools[0].name", discard(broker.AddTools("s", map[string]any{"tools": []any{map[string]string{"name": bad}}}))},
		{"tools[0].Extra", discard(broker.AddTools("s", []any{embedded}))},
		{"tools", discard(broker.AddTools("s", `[{"name":"`+bad+`"}]`))},
		{"tools[0].title", discard(broker.Estimate([]toolbroker.Tool{{Title: bad}}))},
		{"text", discard(broker.LoadRules(toolbroker.RuleSource{Text: "rules: [" + bad + "]"}))},
		{"rules[0].match.patterns[1]", discard(toolbroker.ReadRules(toolbroker.RuleSource{Rules: []toolbroker.Rule{rule}}))},
		{"path", discard(broker.LoadRules(toolbroker.RuleSource{Path: bad}))},
		{"text", discard(toolbroker.ReadHints(bad))},
		{"tools[0].name", discard(broker.Overrides(ctx, id))},
		{"hints[0].output_shape", discard(broker.OverridesOf([]toolbroker.ToolID{{Name: "a"}}, []*toolbroker.Hints{{OutputShape: bad}}))},
		{"identity", discard(toolbroker.New(toolbroker.Options{Identity: bad}))},
		{"message", discard(broker.Call(ctx, "select", map[string]any{"message": bad}))},
		{"", discard(broker.Call(ctx, "select", map[string]any{bad: 1}))},
	} {
		var failure *toolbroker.Error
		if !errors.Is(c.err, toolbroker.InvalidUTF8) || !errors.As(c.err, &failure) || failure.At.Path != c.path || failure.Status != -3 || !strings.Contains(c.err.Error(), c.path) {
			t.Errorf("%s: %v", c.path, c.err)
		}
	}
	_, _, err := broker.LoadIntents(map[string][]string{"b": {"fine", bad}, "a": {bad}}, false)
	var failure *toolbroker.Error
	if !errors.As(err, &failure) || failure.Code != toolbroker.InvalidUTF8 || failure.At.Path != "intents.a[0]" {
		t.Errorf("intents: %v", err)
	}
	if report, err := broker.AddTools("s", []toolbroker.Tool{{Name: "\uFFFD"}}); err != nil || len(report.Added) != 1 {
		t.Errorf("U+FFFD itself is text: %v %+v", err, report)
	}
}

func TestHintsOfAnEnricherThatAreNotUTF8FailIt(t *testing.T) {
	options := toolbroker.Options{Enricher: toolbroker.EnricherFunc(func(context.Context, []toolbroker.ToolID) ([]*toolbroker.Hints, error) {
		return []*toolbroker.Hints{{OutputShape: "\xff"}}, nil
	})}
	broker := newBroker(t, options, `[{"name":"a"}]`)
	if block, err := broker.Overrides(ctx, toolbroker.ToolID{Name: "a"}); !errors.Is(err, toolbroker.Callback) || !errors.Is(err, toolbroker.InvalidUTF8) {
		t.Errorf("%q %v", block, err)
	}
}

func TestAPlaceInToolsIsOneOfTheCallersText(t *testing.T) {
	broker := newBroker(t, toolbroker.Options{}, "[]")
	for text, place := range map[string]string{`[{"name":}]`: "1:10", "[\n {\"é\" \"name\"}]": "2:7", `[`: "1:2", "\uFEFF[]": "1:1"} {
		for _, server := range []string{"", "a-much-longer-server\n"} {
			_, added := broker.AddTools(server, text)
			_, replaced := broker.ReplaceTools(server, text)
			_, estimated := broker.Estimate(text)
			for _, err := range []error{added, replaced, estimated} {
				var failure *toolbroker.Error
				if !errors.As(err, &failure) || fmt.Sprintf("%d:%d", failure.At.Line, failure.At.Column) != place || !strings.HasPrefix(err.Error(), place+": ") {
					t.Errorf("%q is wrong at %s: %v", text, place, err)
				}
			}
		}
	}
}

func TestANilBrokerFailsAndDoesNotPanic(t *testing.T) {
	var broker *toolbroker.Broker
	_, added := broker.AddTools("s", `[]`)
	_, all := broker.AllTools()
	_, selected := broker.Select(ctx, toolbroker.SelectRequest{})
	_, indices := broker.SelectIndices(toolbroker.SelectRequest{})
	_, estimated := broker.Estimate(nil)
	_, block := broker.Overrides(ctx)
	_, called := broker.Call(ctx, "info", nil)
	for at, err := range []error{added, all, selected, indices, estimated, block, called, broker.Close()} {
		var failure *toolbroker.Error
		if !errors.Is(err, toolbroker.NullArgument) || !errors.As(err, &failure) || failure.Status != -2 {
			t.Errorf("call %d: %v", at, err)
		}
	}
}

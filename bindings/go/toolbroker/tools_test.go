package toolbroker_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"toolbroker.test/go/toolbroker"
)

func TestEachToolThatWasTakenCanBeRead(t *testing.T) {
	// Other spellings are the tool's own keys, and a hint that is no bool counts as absent.
	broker := newBroker(t, toolbroker.Options{}, `[{"name":"a","Name":7,"NAME":"b","Tags":"x","InputSchema":1,"tags":["t"],
		"annotations":{"readOnlyHint":"yes","ReadOnlyHint":true,"destructiveHint":false,"title":1}}]`)
	tools, err := broker.FullTools()
	if err != nil || len(tools) != 1 {
		t.Fatalf("%v %+v", err, tools)
	}
	tool := tools[0]
	if tool.Name != "a" || len(tool.Tags) != 1 || tool.InputSchema != nil || tool.Annotations.ReadOnly != nil || *tool.Annotations.Destructive {
		t.Errorf("%+v", tool)
	}
	if selection, err := broker.Select(ctx, toolbroker.SelectRequest{}); err != nil || selection.Tools[0].Name != "a" {
		t.Errorf("%v %+v", err, selection)
	}
	accepts := newBroker(t, toolbroker.Options{BadTools: "accept"}, `[{"name":"a","tags":null,"annotations":[],"title":{},"cost_tier":null}]`)
	if tools, err = accepts.FullTools(); err != nil || len(tools) != 1 {
		t.Fatalf("%v %+v", err, tools)
	}
	if tool = tools[0]; tool.Name != "a" || tool.Title != "" || tool.Tags != nil || tool.Annotations != nil {
		t.Errorf("%+v", tool)
	}
	for _, text := range []string{`null`, `7`, `[]`, `{"name":7,"server":[],"tags":["x",1],"inputSchema":"s"}`} {
		var tool toolbroker.Tool
		if err := json.Unmarshal([]byte(text), &tool); err != nil || tool.Name != "" || tool.Tags != nil || tool.InputSchema != nil || string(tool.JSON) != text {
			t.Errorf("%s: %v %+v", text, err, tool)
		}
	}
}

func TestNilIsAnEmptyList(t *testing.T) {
	var none []toolbroker.Tool
	var nothing map[string]any
	for _, list := range []any{none, nothing, nil} {
		broker := newBroker(t, toolbroker.Options{}, `[{"name":"a"}]`)
		if report, err := broker.AddTools("s", list); err != nil || report.Total != 1 {
			t.Errorf("add %#v: %v %+v", list, err, report)
		}
		if report, err := broker.ReplaceTools("s", list); err != nil || report.Total != 0 || len(report.Removed) != 1 {
			t.Errorf("replace %#v: %v %+v", list, err, report)
		}
	}
	broker := newBroker(t, toolbroker.Options{}, `[{"name":"a"}]`)
	for _, text := range []any{"", json.RawMessage(nil), []byte(nil), "null"} {
		if _, err := broker.ReplaceTools("s", text); !errors.Is(err, toolbroker.InvalidRequest) {
			t.Errorf("text %#v: %v", text, err)
		}
	}
	if intents, _, err := broker.LoadIntents(nil, false); err != nil || intents != 21 {
		t.Errorf("intents: %d, %v", intents, err)
	}
	if intents, phrases, err := broker.LoadIntents(map[string][]string{"own": nil}, true); err != nil || phrases != 0 {
		t.Errorf("an intent without phrases: %d, %v", intents, err)
	}
	if intents, _, err := broker.LoadIntents(nil, true); err != nil || intents != 0 {
		t.Errorf("intents: %d, %v", intents, err)
	}
	if tools, err := broker.ScoreByKeywords(nil, 0); err != nil || len(tools) != 0 {
		t.Errorf("keywords: %v %v", tools, err)
	}
	if tools, err := broker.FindByNames(); err != nil || len(tools) != 0 {
		t.Errorf("names: %v %v", tools, err)
	}
}

func TestANilBrokerIsAnError(t *testing.T) {
	var broker *toolbroker.Broker
	for name, call := range map[string]func() error{
		"Call":          func() error { _, err := broker.Call(context.Background(), "info", nil); return err },
		"AddTools":      func() error { _, err := broker.AddTools("s", "[]"); return err },
		"AllTools":      func() error { _, err := broker.AllTools(); return err },
		"LoadRules":     func() error { _, err := broker.LoadRules(toolbroker.RuleSource{}); return err },
		"Select":        func() error { _, err := broker.Select(ctx, toolbroker.SelectRequest{}); return err },
		"SelectIndices": func() error { _, err := broker.SelectIndices(toolbroker.SelectRequest{}); return err },
		"Rank":          func() error { _, err := broker.Rank(ctx, toolbroker.RankRequest{}); return err },
		"EmbedTools":    func() error { _, err := broker.EmbedTools(ctx); return err },
		"Overrides":     func() error { _, err := broker.Overrides(ctx); return err },
		"Close":         func() error { return broker.Close() },
	} {
		if err := call(); !errors.Is(err, toolbroker.NullArgument) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

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

func TestNilAsksForAllRegisteredToolsAndANilSliceForNone(t *testing.T) {
	broker := newBroker(t, toolbroker.Options{}, `[{"name":"a"},{"name":"b"}]`)
	for _, all := range []any{nil, "", json.RawMessage(nil)} {
		if tokens, err := broker.Estimate(all); err != nil || tokens == 0 {
			t.Errorf("%#v: %v %d", all, err, tokens)
		}
	}
	for _, none := range []any{[]toolbroker.Tool(nil), []toolbroker.Tool{}, map[string]any(nil), "[]"} {
		if tokens, err := broker.Estimate(none); err != nil || tokens != 0 {
			t.Errorf("%#v: %v %d", none, err, tokens)
		}
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
		{"language", discard(broker.Select(ctx, toolbroker.SelectRequest{Language: bad}))},
		{"message", discard(broker.Rank(ctx, toolbroker.RankRequest{Message: bad}))},
		{"hints[1]", discard(broker.Rank(ctx, toolbroker.RankRequest{Hints: []string{"a", bad}}))},
		{"language", discard(broker.Rank(ctx, toolbroker.RankRequest{Language: bad}))},
		{"ranking", discard(toolbroker.New(toolbroker.Options{Ranking: map[string]float64{bad: 1}}))},
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

// Such types are how SDKs of MCP write their tools, and what they write they answer for.
type byValue struct{ Text string }

func (v byValue) MarshalJSON() ([]byte, error) { return json.Marshal([]byte(v.Text)) }

type byPointer struct{ Text string }

func (p *byPointer) MarshalJSON() ([]byte, error) { return json.Marshal([]byte(p.Text)) }

func TestAForeignTypeThatMarshalsItselfMayHoldAnyBytes(t *testing.T) {
	broker := newBroker(t, toolbroker.Options{}, "[]")
	type tool struct {
		Name  string `json:"name"`
		Value byValue
		Other byPointer
		Bytes []byte
	}
	tools := []tool{{"a", byValue{"\xff"}, byPointer{"\xff"}, []byte{0xff}}}
	if report, err := broker.AddTools("s", tools); err != nil || len(report.Added) != 1 {
		t.Fatalf("%v %+v", err, report)
	}
	all, err := broker.FullTools()
	if want := `{"name":"a","Value":"/w==","Other":"/w==","Bytes":"/w==","server":"s"}`; err != nil || string(all[0].JSON) != want {
		t.Errorf("%v %s", err, all[0].JSON)
	}
}

func TestAnEmbeddersErrorThatIsNotUTF8IsToldWithReplacementCharacters(t *testing.T) {
	own := errors.New("away\xff")
	options := toolbroker.Options{Embedder: toolbroker.EmbedderFunc(func(context.Context, []string) ([][]float32, error) { return nil, own })}
	broker := newBroker(t, options, `[{"name":"a"}]`)
	if _, err := broker.EmbedTools(ctx); !errors.Is(err, own) || !strings.Contains(err.Error(), "away\uFFFD") {
		t.Errorf("%v", err)
	}
}

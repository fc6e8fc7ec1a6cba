package broker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"toolbroker.test/go/broker"
)

func tool(name string) broker.ToolDefinition { return broker.ToolDefinition{Name: name} }

func selectTools(t *testing.T, b broker.Broker, intent string) *broker.SelectResult {
	t.Helper()
	result, err := b.SelectTools(context.Background(), intent, nil)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

type enricherFunc func(context.Context, string) (broker.Hints, bool, error)

func (f enricherFunc) LookupByToolName(ctx context.Context, name string) (broker.Hints, bool, error) {
	return f(ctx, name)
}

func TestTheCallersOwnValuesComeBack(t *testing.T) {
	type unmarshalable func()
	schema := map[string]any{"type": "object", "x": unmarshalable(func() {}), "n": int64(1) << 60}
	b := broker.NewLocalBroker([]broker.ToolDefinition{{Name: "a", InputSchema: schema, CostTier: "c"}}, nil)
	result := selectTools(t, b, "")
	schema["seen"] = true
	if got := result.Tools[0].InputSchema; got["seen"] != true || got["n"] != int64(1)<<60 {
		t.Errorf("the schema was copied: %v", got)
	}
}

func TestNothingIsRefused(t *testing.T) {
	tools := []broker.ToolDefinition{
		tool(""), tool("same"), tool("same"), tool(strings.Repeat("n", 1<<20)), tool("nul\x00"), tool("bad\xff"),
		{Name: "schema", InputSchema: map[string]any{"f": func() {}}}, {Name: "cycle", InputSchema: cycle()},
		{Name: "server", Server: strings.Repeat("s", 1<<20), Tags: []string{"", "\xff"}},
	}
	b := broker.NewLocalBroker(tools, nil)
	many := make([]broker.ToolDefinition, 250_000)
	for i := range many {
		many[i].Name = fmt.Sprint("t", i)
	}
	b.RegisterTools(many)
	result := selectTools(t, b, "x")
	if result.Total != len(tools)+len(many) || result.Count != result.Total || len(result.Tools) != result.Total {
		t.Fatalf("total %d, count %d", result.Total, result.Count)
	}
	for i := range tools {
		if result.Tools[i].Name != tools[i].Name {
			t.Errorf("place %d: %q", i, result.Tools[i].Name)
		}
	}
}

func cycle() map[string]any {
	schema := map[string]any{}
	schema["self"] = schema
	return schema
}

func TestInvalidUTF8CountsAsTheReplacementCharacterForMatching(t *testing.T) {
	rules := []broker.Rule{{Name: "r", Match: broker.Match{Patterns: []string{"bad\uFFFD"}}, Action: broker.Action{Type: "include"}}}
	b := broker.NewLocalBroker([]broker.ToolDefinition{tool("bad\xff"), tool("good")}, rules)
	result := selectTools(t, b, "")
	if result.Count != 1 || result.Tools[0].Name != "bad\xff" {
		t.Errorf("selected %q", result.Tools)
	}
}

func TestNilAndEmptySlices(t *testing.T) {
	var empty *broker.LocalBroker = broker.NewLocalBroker(nil, nil)
	if all := empty.AllTools(); all == nil || len(all) != 0 {
		t.Errorf("AllTools of none: %#v", all)
	}
	result := selectTools(t, empty, "i")
	if result.Tools != nil || result.Count != 0 || result.Total != 0 || result.Rationale != "no tools registered" || result.Intent != "i" {
		t.Errorf("selected from none: %+v", result)
	}
	text, err := json.Marshal(result)
	if err != nil || string(text) != `{"tools":null,"count":0,"total":0,"intent":"i","rationale":"no tools registered"}` {
		t.Errorf("JSON: %s, %v", text, err)
	}
	for name, got := range map[string]any{
		"DetectIntent":    broker.DetectIntent(" "),
		"TokenizeIntent":  broker.TokenizeIntent("a"),
		"ScoreByKeywords": broker.ScoreByKeywords([]broker.ToolDefinition{tool("a")}, []string{"b"}, 0),
		"ScoreByIntent":   broker.ScoreByIntent(nil, "b", 0),
		"FindByNames":     broker.FindByNames(nil, []string{"b"}),
		"Prune":           broker.PruneToTokenBudget(nil, 0),
	} {
		if !reflect.ValueOf(got).IsNil() {
			t.Errorf("%s: %#v is not nil", name, got)
		}
	}
}

func TestTheZeroValueIsABroker(t *testing.T) {
	var b broker.LocalBroker
	if result := selectTools(t, &b, ""); result.Rationale != "no tools registered" {
		t.Errorf("%+v", result)
	}
	b.RegisterTools([]broker.ToolDefinition{tool("a")})
	if result := selectTools(t, &b, ""); result.Count != 1 {
		t.Errorf("%+v", result)
	}
}

func TestOptionsOfTheProgramRunOnTheBroker(t *testing.T) {
	register := func(b *broker.LocalBroker) { b.RegisterTools([]broker.ToolDefinition{tool("late")}) }
	b := broker.NewLocalBroker([]broker.ToolDefinition{tool("early")}, nil, register)
	if all := b.AllTools(); len(all) != 2 || all[1].Name != "late" {
		t.Errorf("%v", all)
	}
}

func TestLoadRulesReplacesTheRulesBefore(t *testing.T) {
	exclude := func(pattern string) []broker.Rule {
		return []broker.Rule{{Name: "r", Match: broker.Match{Patterns: []string{pattern}}, Action: broker.Action{Type: "exclude"}}}
	}
	b := broker.NewLocalBroker([]broker.ToolDefinition{tool("a"), tool("b")}, exclude("a"))
	if result := selectTools(t, b, ""); result.Tools[0].Name != "b" || result.Rationale != "applied rules: exclude(r)" {
		t.Errorf("%+v", result)
	}
	b.LoadRules(exclude("b"))
	if result := selectTools(t, b, ""); result.Count != 1 || result.Tools[0].Name != "a" {
		t.Errorf("%+v", result)
	}
	b.LoadRules(nil)
	if result := selectTools(t, b, ""); result.Count != 2 {
		t.Errorf("%+v", result)
	}
}

func TestManyRulesAreTaken(t *testing.T) {
	rules := make([]broker.Rule, 20_000)
	rules[19_999] = broker.Rule{Name: "last", Match: broker.Match{Patterns: []string{strings.Repeat("x", 5000), "a"}}, Action: broker.Action{Type: "exclude"}}
	b := broker.NewLocalBroker([]broker.ToolDefinition{tool("a"), tool("b")}, rules)
	if result := selectTools(t, b, ""); result.Count != 1 || result.Tools[0].Name != "b" {
		t.Errorf("%+v", result)
	}
}

func TestToolsWithoutHintsCountForNoLimit(t *testing.T) {
	many := make([]string, 600_000)
	for i := range many {
		many[i] = fmt.Sprint("t", i)
	}
	enricher := enricherFunc(func(_ context.Context, name string) (broker.Hints, bool, error) {
		return broker.Hints{OutputShape: "a list"}, name == "t7" || name == "t599999", nil
	})
	block, err := broker.ComposeOverrideBlock(context.Background(), many, enricher)
	if err != nil || !strings.HasSuffix(block, "\n\n- **t7**: a list\n- **t599999**: a list\n") {
		t.Errorf("%v %q", err, block)
	}
}

func TestTheContextReachesTheEnricherAsItIs(t *testing.T) {
	type key struct{}
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, "v"))
	cancel()
	var asked []string
	enricher := enricherFunc(func(ctx context.Context, name string) (broker.Hints, bool, error) {
		asked = append(asked, fmt.Sprint(name, ctx.Value(key{}), ctx.Err()))
		return broker.Hints{OutputShape: "shape of " + name}, true, nil
	})
	b := broker.NewLocalBroker([]broker.ToolDefinition{tool("b"), tool("a")}, nil, broker.WithEnricher(enricher))
	result, err := b.SelectTools(ctx, "", nil)
	if err != nil || !strings.HasSuffix(result.OverrideBlock, "\n\n- **b**: shape of b\n- **a**: shape of a\n") {
		t.Errorf("%v, %+v", err, result)
	}
	if want := []string{"bvcontext canceled", "avcontext canceled"}; !reflect.DeepEqual(asked, want) {
		t.Errorf("asked %q", asked)
	}
}

func TestAFailingEnricherIsAWarningOfTheSelection(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	down := errors.New("storage is down")
	enricher := enricherFunc(func(context.Context, string) (broker.Hints, bool, error) { return broker.Hints{}, false, down })
	b := broker.NewLocalBroker([]broker.ToolDefinition{tool("a")}, nil, broker.WithEnricher(enricher))
	if result := selectTools(t, b, ""); result.Count != 1 || result.OverrideBlock != "" {
		t.Errorf("%+v", result)
	}
	if text := log.String(); !strings.Contains(text, `level=WARN msg="toolbroker: compose override block failed"`) || !strings.Contains(text, "storage is down") {
		t.Errorf("logged %q", text)
	}
	_, err := broker.ComposeOverrideBlock(context.Background(), []string{"a"}, enricher)
	if !errors.Is(err, down) || err.Error() != "compose override block: storage is down" {
		t.Errorf("error %v", err)
	}
}

func TestAPanicOfAnEnricherReachesTheCaller(t *testing.T) {
	panics := true
	enricher := enricherFunc(func(context.Context, string) (broker.Hints, bool, error) {
		if panics {
			panic("boom")
		}
		return broker.Hints{}, false, nil
	})
	b := broker.NewLocalBroker([]broker.ToolDefinition{tool("a")}, nil, broker.WithEnricher(enricher))
	func() {
		defer func() {
			if reason := recover(); reason != "boom" {
				t.Errorf("recovered %v", reason)
			}
		}()
		b.SelectTools(context.Background(), "", nil)
		t.Error("no panic")
	}()
	panics = false
	if result := selectTools(t, b, ""); result.Count != 1 {
		t.Errorf("%+v", result)
	}
}

func TestAnEnricherMayUseItsBroker(t *testing.T) {
	var b *broker.LocalBroker
	enricher := enricherFunc(func(ctx context.Context, name string) (broker.Hints, bool, error) {
		b.RegisterTools([]broker.ToolDefinition{tool("made while selecting")})
		return broker.Hints{OutputShape: fmt.Sprint(len(b.AllTools()))}, true, nil
	})
	b = broker.NewLocalBroker([]broker.ToolDefinition{tool("a")}, nil, broker.WithEnricher(enricher))
	result := selectTools(t, b, "")
	if result.Count != 1 || !strings.HasSuffix(result.OverrideBlock, "- **a**: 2\n") {
		t.Errorf("%+v", result)
	}
}

// C must hold nothing of Go, or this ring would never be collected.
func TestABrokerWhoseEnricherRefersToItIsCollected(t *testing.T) {
	var collected atomic.Bool
	func() {
		type ring struct{ b *broker.LocalBroker }
		r := &ring{}
		enricher := enricherFunc(func(context.Context, string) (broker.Hints, bool, error) { return broker.Hints{}, r.b != nil, nil })
		r.b = broker.NewLocalBroker([]broker.ToolDefinition{tool("a")}, nil, broker.WithEnricher(enricher))
		selectTools(t, r.b, "")
		runtime.AddCleanup(r.b, func(*struct{}) { collected.Store(true) }, nil)
	}()
	for range 100 {
		runtime.GC()
		if collected.Load() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("it is still there")
}

func TestManyGoroutinesSelectWhileToolsAndRulesChange(t *testing.T) {
	b := broker.NewLocalBroker([]broker.ToolDefinition{tool("first")}, nil)
	var group sync.WaitGroup
	for worker := range 64 {
		group.Add(1)
		go func() {
			defer group.Done()
			for round := range 20 {
				switch worker % 8 {
				case 0:
					b.RegisterTools([]broker.ToolDefinition{tool(fmt.Sprintf("w%d-%d", worker, round))})
				case 1:
					b.LoadRules([]broker.Rule{{Name: "r", Match: broker.Match{Patterns: []string{"w*-1"}}, Action: broker.Action{Type: "exclude"}}})
				default:
					result, err := b.SelectTools(context.Background(), "x", nil)
					if err != nil || result.Count != len(result.Tools) || result.Tools[0].Name != "first" {
						t.Errorf("%v %+v", err, result)
						return
					}
				}
			}
		}()
	}
	group.Wait()
	if total := selectTools(t, b, "x").Total; total != 1+8*20 {
		t.Errorf("total %d", total)
	}
}

func TestEstimateCountsTheBytesOfEncodingJSON(t *testing.T) {
	tools := []broker.ToolDefinition{
		{Name: "a", InputSchema: map[string]any{"n": int64(1234567890123456789)}},
		{Name: "unwritable", Description: "123456789012", InputSchema: map[string]any{"f": func() {}}},
	}
	text, err := json.Marshal(tools[0])
	if err != nil {
		t.Fatal(err)
	}
	if got, want := broker.EstimateToolTokens(tools), len(text)/4+22/4; got != want {
		t.Errorf("%d tokens, not %d", got, want)
	}
	if kept := broker.PruneToTokenBudget(tools, len(text)/4); len(kept) != 1 {
		t.Errorf("kept %v", kept)
	}
}

func TestTextsThatAreHard(t *testing.T) {
	large := strings.Repeat("build the project ", 600_000) // 10 MB
	if got := broker.TokenizeIntent(large); !reflect.DeepEqual(got, []string{"build", "project"}) {
		t.Errorf("%q", got)
	}
	if got := broker.TokenizeIntent("nul\x00byte \xff\xfe"); !reflect.DeepEqual(got, []string{"nul\x00byte", "\uFFFD\uFFFD"}) {
		t.Errorf("%q", got)
	}
	if got := broker.TokenizeIntent(""); got != nil {
		t.Errorf("%q", got)
	}
	b := broker.NewLocalBroker([]broker.ToolDefinition{tool("a\x00b")}, []broker.Rule{{Name: "n\x00", Match: broker.Match{Patterns: []string{"a\x00*"}}, Action: broker.Action{Type: "include"}}})
	if result := selectTools(t, b, "i\x00"); result.Count != 1 || result.Intent != "i\x00" || result.Rationale != "applied rules: include(n\x00)" {
		t.Errorf("%+v", result)
	}
}

func TestRuleFiles(t *testing.T) {
	write := func(name, text string) string {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	yaml := "rules:\n  - name: no\n    match: {tags: [yes, 1]}\n    action: {type: include}\n"
	for _, name := range []string{"r.yaml", "r.YML"} {
		rules, err := broker.LoadRulesFromFile(write(name, yaml))
		if err != nil || len(rules) != 1 || rules[0].Name != "no" || !reflect.DeepEqual(rules[0].Match.Tags, []string{"yes", "1"}) {
			t.Errorf("%s: %v, %+v", name, err, rules)
		}
	}
	utf16 := "\xff\xfer\x00u\x00l\x00e\x00s\x00:\x00 \x00[\x00]\x00"
	if rules, err := broker.LoadRulesFromFile(write("wide.yaml", utf16)); err != nil || rules == nil || len(rules) != 0 {
		t.Errorf("UTF-16: %v, %+v", err, rules)
	}
	for name, text := range map[string]string{"bad.yaml": "rules: [", "latin.yaml": "rules: [\xe9]", "bad.json": "{", "empty.json": "", "r.txt": yaml} {
		if rules, err := broker.LoadRulesFromFile(write(name, text)); err == nil {
			t.Errorf("%s: %+v", name, rules)
		}
	}
	for _, load := range []func(string) error{
		func(file string) error { _, err := broker.LoadRulesFromFile(file + ".yaml"); return err },
		func(file string) error { _, err := broker.LoadConfig(file); return err },
	} {
		if err := load(filepath.Join(t.TempDir(), "absent")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("absent: %v", err)
		}
	}
	config, err := broker.LoadConfig(write("c.json", `{"RULES":[{"name":"r","match":{},"action":{"type":"include"},"priority":10}]}`))
	if err != nil || len(config.Rules) != 1 || config.Rules[0].Priority != 10 {
		t.Errorf("%v, %+v", err, config)
	}
}

func TestDefaultRulesKeepToTheTermsOfThePackage(t *testing.T) {
	tools := []broker.ToolDefinition{{Name: "search_code", Server: "github"}, {Name: "delete_repository", Server: "github"}, {Name: "play", Server: "spotify"}}
	b := broker.NewLocalBroker(tools, broker.DefaultRules())
	if result := selectTools(t, b, "search-code"); result.Count != 1 || result.Tools[0].Name != "search_code" {
		t.Errorf("search-code: %+v", result)
	}
	if result := selectTools(t, b, "other"); result.Count != 2 {
		t.Errorf("other: %+v", result)
	}
}

func TestHintsGoThroughText(t *testing.T) {
	hints := broker.Hints{ChainsWith: []string{"b"}, OutputShape: "<list>"}
	text, err := broker.MarshalHints(hints)
	if err != nil || text != `{"chains_with":["b"],"output_shape":"\u003clist\u003e"}` {
		t.Errorf("%s, %v", text, err)
	}
	if back, err := broker.UnmarshalHints(text); err != nil || !reflect.DeepEqual(back, hints) {
		t.Errorf("%+v, %v", back, err)
	}
	if text, err := broker.MarshalHints(broker.Hints{}); err != nil || text != "{}" {
		t.Errorf("%s, %v", text, err)
	}
	var syntax *json.SyntaxError
	if _, err := broker.UnmarshalHints("{"); !errors.As(err, &syntax) {
		t.Errorf("%v", err)
	}
}

func TestRulesThatFailToLoadDisableTheBrokerUntilRulesLoad(t *testing.T) {
	b := broker.NewLocalBroker([]broker.ToolDefinition{tool("a"), tool("b")}, nil)
	// More values than one request may hold.
	b.LoadRules([]broker.Rule{{Name: "r", Match: broker.Match{Patterns: make([]string, 1_000_001)}, Action: broker.Action{Type: "include"}}})
	if result, err := b.SelectTools(context.Background(), "", nil); err == nil || !strings.HasPrefix(err.Error(), "load rules: ") {
		t.Errorf("%v %+v", err, result)
	}
	b.LoadRules([]broker.Rule{{Name: "r", Match: broker.Match{Patterns: []string{"a"}}, Action: broker.Action{Type: "include"}}})
	if result := selectTools(t, b, ""); result.Count != 1 {
		t.Errorf("%+v", result)
	}
}

func TestNilKeywordsAndNamesAreNone(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	tools := []broker.ToolDefinition{tool("a")}
	if broker.ScoreByKeywords(tools, nil, 0) != nil || broker.FindByNames(tools, nil) != nil || log.Len() > 0 {
		t.Errorf("logged %q", log.String())
	}
}

package toolbroker_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"toolbroker.test/go/toolbroker"
)

var ctx = context.Background()

func newBroker(t *testing.T, options toolbroker.Options, tools string) *toolbroker.Broker {
	t.Helper()
	broker, err := toolbroker.New(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { broker.Close() })
	if _, err := broker.AddTools("s", tools); err != nil {
		t.Fatal(err)
	}
	return broker
}

func names(tools []toolbroker.Tool) string {
	var names []string
	for _, tool := range tools {
		names = append(names, tool.ID().String())
	}
	return strings.Join(names, " ")
}

func TestToolsComeOutAsTheyCameIn(t *testing.T) {
	raw := `{"name":"a","x-own":[1,  2],"inputSchema":{"type":"object"},"tags":["t"],"annotations":{"readOnlyHint":true},"server":"s"}`
	broker := newBroker(t, toolbroker.Options{}, "["+raw+"]")
	tools, err := broker.FullTools()
	if err != nil || len(tools) != 1 || string(tools[0].JSON) != raw {
		t.Fatalf("%v %+v", err, tools)
	}
	tool := tools[0]
	if tool.Name != "a" || tool.Server != "s" || *tool.Annotations.ReadOnly != true || tool.Annotations.Destructive != nil || tool.Tags[0] != "t" {
		t.Errorf("%+v", tool)
	}
	other := newBroker(t, toolbroker.Options{}, "[]")
	if report, err := other.AddTools("", tools); err != nil || report.Total != 1 || report.Added[0] != tool.ID() {
		t.Errorf("%v %+v", err, report)
	}
	if again, err := other.FullTools(); err != nil || !strings.Contains(string(again[0].JSON), "x-own") {
		t.Errorf("%v %+v", err, again)
	}
}

func TestEachCallHasItsTypes(t *testing.T) {
	broker := newBroker(t, toolbroker.Options{}, `[{"name":"build_start","description":"Starts a build."},{"name":"docs_search","description":"Finds pages."}]`)
	check := func(what string, got any, err error, want any) {
		t.Helper()
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %+v instead of %+v", what, err, got, want)
		}
	}
	report, err := broker.AddTools("x", `[{"name":"n"},{"name":""}]`)
	check("refused", report.Refused[0].Code, err, toolbroker.InvalidTool)
	report, err = broker.ReplaceTools("x", []toolbroker.Tool{{Name: "m"}})
	check("replaced", report.Removed, err, []toolbroker.ToolID{{Server: "x", Name: "n"}})
	report, err = broker.RemoveTools(toolbroker.ToolID{Server: "x", Name: "none"})
	check("unknown", report.Warnings[0].Code, err, "unknown_tool")
	report, err = broker.RemoveServer("x")
	check("removed", report.Total, err, 2)
	all, err := broker.AllTools()
	check("all", all[1], err, toolbroker.Summary{Name: "docs_search", Description: "Finds pages.", Server: "s"})
	count, err := broker.LoadRules(toolbroker.RuleSource{Rules: []toolbroker.Rule{
		{Name: "r", Intent: "run-build", Match: toolbroker.Match{Patterns: []string{"build_*"}, Not: &toolbroker.Match{Tags: []string{"x"}}}, Action: toolbroker.Action{Type: "pin"}, Priority: 3}}})
	check("rules", count, err, 1)
	rules, err := broker.Rules()
	check("rules back", rules[0].Match.Not.Tags, err, []string{"x"})
	intents, phrases, err := broker.LoadIntents(map[string][]string{"greet": {"hello there"}}, true)
	check("intents", []int{intents, phrases}, err, []int{1, 1})
	found, err := broker.DetectIntent("Hello there!")
	check("detected", found, err, []toolbroker.Intent{{Name: "greet", Confidence: 1, Keywords: []string{"hello there"}}})
	words, err := broker.Tokenize("Start the build")
	check("words", words, err, []string{"start", "build"})
	score := 0.1
	selection, err := broker.Select(ctx, toolbroker.SelectRequest{Message: "search the docs", MinScore: &score, Explain: true, Budget: toolbroker.TokenBudget(1000)})
	check("selected", names(selection.Tools), err, "s/docs_search")
	check("cut", selection.Cut, nil, toolbroker.Cuts{MinScore: 1})
	check("fate", selection.Explanation.Tools[1].Fate, nil, "cut")
	check("rule's work", selection.Explanation.Rules[0].Matched, nil, 1)
	selection, err = broker.Select(ctx, toolbroker.ForIntent("run_build"))
	check("pinned", names(selection.Tools), err, "s/build_start s/docs_search")
	indices, err := broker.SelectIndices(toolbroker.SelectRequest{Message: "docs"})
	check("places", indices, err, []int{1, 0})
	tools, err := broker.ScoreByKeywords([]string{"pages"}, 0)
	check("by keywords", names(tools), err, "s/docs_search")
	tools, err = broker.ScoreByIntent("starts", 1)
	check("by intent", names(tools), err, "s/build_start")
	tools, err = broker.FindByNames("docs_search", "none")
	check("by name", names(tools), err, "s/docs_search")
	tokens, err := broker.Estimate(nil)
	check("tokens", tokens, err, int64(32))
	tokens, err = broker.Estimate(`[{"name":"a"}]`)
	check("tokens of others", tokens, err, int64(3))
	tools, err = broker.Prune(20)
	check("pruned", names(tools), err, "s/build_start")
	block, err := broker.OverridesOf([]toolbroker.ToolID{{Name: "a"}, {Name: "b"}}, []*toolbroker.Hints{nil, {OutputShape: "a list"}})
	check("block", strings.HasSuffix(block, "\n\n- **b**: a list\n"), err, true)
	rules, err = toolbroker.ReadRules(toolbroker.RuleSource{Text: "rules: [{match: {tags: [no]}, action: {type: full}}]"})
	check("read", rules[0].Match.Tags, err, []string{"no"})
	rules, err = toolbroker.ReadRules(toolbroker.RuleSource{Format: "yaml"})
	check("empty YAML", len(rules), err, 0)
	hints, err := toolbroker.ReadHints(`{"output_shape":"x"}`)
	check("hints", hints, err, toolbroker.Hints{OutputShape: "x"})
	defaults, err := toolbroker.DefaultRules()
	check("default rules", len(defaults) > 3, err, true)
	info, err := toolbroker.LibraryInfo()
	check("info", []any{info.ABI, info.Profiles, info.Limits["depth"], info.Constants["default_token_budget_pct"]}, err,
		[]any{1, []toolbroker.Profile{toolbroker.Standard, toolbroker.Go02}, int64(128), 0.2})
}

func TestErrorsTellKindPlaceHintAndEveryFault(t *testing.T) {
	broker := newBroker(t, toolbroker.Options{}, "[]")
	_, err := broker.LoadRules(toolbroker.RuleSource{Text: "rules:\n  - intnt: a\n    match: {}\n", File: "r.yaml"})
	var failure *toolbroker.Error
	if !errors.Is(err, toolbroker.InvalidRule) || errors.Is(err, toolbroker.InvalidYAML) || !errors.As(err, &failure) {
		t.Fatalf("%v", err)
	}
	if failure.At != (toolbroker.Place{File: "r.yaml", Line: 2, Column: 5, Path: "rules[0].intnt"}) || failure.Hint != "did you mean `intent`?" || failure.Status != -8 {
		t.Errorf("%+v", failure)
	}
	if len(failure.Faults) < 2 || failure.Faults[1].Error() == "" || !strings.Contains(err.Error(), "r.yaml:2:5") {
		t.Errorf("%v: %+v", err, failure.Faults)
	}
	if _, err := broker.Call(ctx, "selct", nil); !errors.Is(err, toolbroker.InvalidRequest) {
		t.Errorf("%v", err)
	}
	if _, err := toolbroker.Call("select", nil); !errors.Is(err, toolbroker.InvalidRequest) {
		t.Errorf("%v", err)
	}
	if _, err := toolbroker.New(toolbroker.Options{Profile: "standrad"}); !errors.Is(err, toolbroker.InvalidOptions) {
		t.Errorf("%v", err)
	}
	if _, err := broker.LoadRules(toolbroker.RuleSource{Text: "a", Path: "b"}); err == nil {
		t.Error("two sources are taken")
	}
}

func TestAClosedBrokerSaysSo(t *testing.T) {
	broker := newBroker(t, toolbroker.Options{}, "[]")
	for range 2 {
		if err := broker.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := broker.Select(ctx, toolbroker.SelectRequest{}); !errors.Is(err, toolbroker.ErrClosed) {
		t.Errorf("select: %v", err)
	}
	if _, err := broker.SelectIndices(toolbroker.SelectRequest{}); !errors.Is(err, toolbroker.ErrClosed) {
		t.Errorf("indices: %v", err)
	}
	var zero toolbroker.Broker
	if _, err := zero.AllTools(); !errors.Is(err, toolbroker.ErrClosed) {
		t.Errorf("zero value: %v", err)
	}
	zero.Close()
}

func TestClosingWaitsForNoCallAndBreaksNone(t *testing.T) {
	for range 20 {
		broker := newBroker(t, toolbroker.Options{Enricher: toolbroker.EnricherFunc(slow)}, `[{"name":"a"}]`)
		var group sync.WaitGroup
		for worker := range 36 {
			group.Add(1)
			go func() {
				defer group.Done()
				if worker%9 == 8 {
					broker.Close()
					return
				}
				selection, err := broker.Select(ctx, toolbroker.SelectRequest{})
				if err == nil && (selection.Count != 1 || selection.OverrideBlock == "") || err != nil && !errors.Is(err, toolbroker.ErrClosed) {
					t.Errorf("%v %+v", err, selection)
				}
			}()
		}
		group.Wait()
	}
}

func slow(context.Context, []toolbroker.ToolID) ([]*toolbroker.Hints, error) {
	runtime.Gosched()
	return []*toolbroker.Hints{{OutputShape: "x"}}, nil
}

// The library asks again after the broker was closed, so that one freed at once would show.
func TestAnEnricherMayCloseItsBroker(t *testing.T) {
	var broker *toolbroker.Broker
	enricher := func(context.Context, []toolbroker.ToolID) ([]*toolbroker.Hints, error) {
		broker.Close()
		return []*toolbroker.Hints{{OutputShape: "x"}}, nil
	}
	oneByOne := false
	options := toolbroker.Options{Enricher: toolbroker.EnricherFunc(enricher), EnricherBatch: &oneByOne}
	broker = newBroker(t, options, `[{"name":"a"},{"name":"b"}]`)
	selection, err := broker.Select(ctx, toolbroker.SelectRequest{})
	if err != nil || !strings.HasSuffix(selection.OverrideBlock, "\n\n- **a**: x\n- **b**: x\n") {
		t.Errorf("%v %+v", err, selection)
	}
	if _, err := broker.AllTools(); !errors.Is(err, toolbroker.ErrClosed) {
		t.Errorf("%v", err)
	}
}

func TestAForgottenBrokerIsFreed(t *testing.T) {
	var collected atomic.Bool
	func() {
		type ring struct{ broker *toolbroker.Broker }
		r := &ring{}
		enricher := func(context.Context, []toolbroker.ToolID) ([]*toolbroker.Hints, error) {
			return nil, errors.New(fmt.Sprint(r.broker))
		}
		var err error
		if r.broker, err = toolbroker.New(toolbroker.Options{Enricher: toolbroker.EnricherFunc(enricher)}); err != nil {
			t.Fatal(err)
		}
		runtime.AddCleanup(r.broker, func(*struct{}) { collected.Store(true) }, nil)
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

func TestAFailingEnricher(t *testing.T) {
	own := errors.New("storage is down")
	var log bytes.Buffer
	options := toolbroker.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}
	options.Enricher = toolbroker.EnricherFunc(func(context.Context, []toolbroker.ToolID) ([]*toolbroker.Hints, error) { return nil, own })
	broker := newBroker(t, options, `[{"name":"a"}]`)
	selection, err := broker.Select(ctx, toolbroker.SelectRequest{})
	if err != nil || selection.Count != 1 || selection.Warnings[0].Code != "enricher_failed" {
		t.Errorf("%v %+v", err, selection)
	}
	if text := log.String(); !strings.Contains(text, "level=WARN") || !strings.Contains(text, "toolbroker: compose override block failed: compose override block: storage is down") {
		t.Errorf("logged %q", text)
	}
	_, err = broker.Overrides(ctx, toolbroker.ToolID{Name: "a"})
	if !errors.Is(err, own) || !errors.Is(err, toolbroker.Callback) || err.Error() != "compose override block: storage is down" {
		t.Errorf("%v", err)
	}
}

func TestTheLoggerTakesFailuresAndNoOtherWarnings(t *testing.T) {
	fails := false
	enricher := toolbroker.EnricherFunc(func(context.Context, []toolbroker.ToolID) ([]*toolbroker.Hints, error) {
		if fails {
			return nil, errors.New("away")
		}
		return nil, nil
	})
	var log bytes.Buffer
	broker := newBroker(t, toolbroker.Options{Enricher: enricher, Logger: slog.New(slog.NewTextHandler(&log, nil))}, `[{"name":"a"}]`)
	request := toolbroker.SelectRequest{Pins: []string{"nobody"}}
	if selection, err := broker.Select(ctx, request); err != nil || len(selection.Warnings) != 1 || log.Len() > 0 {
		t.Errorf("%v %+v, logged %q", err, selection, log.String())
	}
	fails = true
	if selection, err := broker.Select(ctx, request); err != nil || len(selection.Warnings) != 2 || strings.Count(log.String(), "level=WARN") != 1 {
		t.Errorf("%v %+v, logged %q", err, selection, log.String())
	}
}

func TestAContextThatIsDoneEndsTheCall(t *testing.T) {
	done, cancel := context.WithCancel(ctx)
	enricher := func(ctx context.Context, tools []toolbroker.ToolID) ([]*toolbroker.Hints, error) {
		cancel()
		return nil, ctx.Err()
	}
	broker := newBroker(t, toolbroker.Options{Enricher: toolbroker.EnricherFunc(enricher)}, `[{"name":"a"}]`)
	if _, err := broker.Select(done, toolbroker.SelectRequest{}); !errors.Is(err, context.Canceled) || !errors.Is(err, toolbroker.Stopped) {
		t.Errorf("while it runs: %v", err)
	}
	if _, err := broker.Select(done, toolbroker.SelectRequest{}); !errors.Is(err, context.Canceled) {
		t.Errorf("before it runs: %v", err)
	}
}

func TestAnEnricherMayStopTheCall(t *testing.T) {
	stop := func(context.Context, []toolbroker.ToolID) ([]*toolbroker.Hints, error) {
		return nil, fmt.Errorf("enough: %w", toolbroker.ErrStop)
	}
	broker := newBroker(t, toolbroker.Options{Enricher: toolbroker.EnricherFunc(stop)}, `[{"name":"a"}]`)
	if _, err := broker.Select(ctx, toolbroker.SelectRequest{}); !errors.Is(err, toolbroker.Stopped) || !errors.Is(err, toolbroker.ErrStop) {
		t.Errorf("%v", err)
	}
}

func TestAPanicOfACallbackReachesTheCallerAndTheBrokerGoesOn(t *testing.T) {
	panics := true
	enricher := func(context.Context, []toolbroker.ToolID) ([]*toolbroker.Hints, error) {
		if panics {
			panic(errors.New("boom"))
		}
		return nil, nil
	}
	broker := newBroker(t, toolbroker.Options{Enricher: toolbroker.EnricherFunc(enricher)}, `[{"name":"a"}]`)
	for range 3 {
		func() {
			defer func() {
				if reason, _ := recover().(error); reason == nil || reason.Error() != "boom" {
					t.Errorf("recovered %v", reason)
				}
			}()
			broker.Select(ctx, toolbroker.SelectRequest{})
			t.Error("no panic")
		}()
	}
	panics = false
	if _, err := broker.AddTools("s", `[{"name":"b"}]`); err != nil {
		t.Error(err)
	}
	if selection, err := broker.Select(ctx, toolbroker.SelectRequest{}); err != nil || selection.Count != 2 {
		t.Errorf("%v %+v", err, selection)
	}
}

func TestACallbackMayUseItsBroker(t *testing.T) {
	var broker *toolbroker.Broker
	enricher := func(ctx context.Context, tools []toolbroker.ToolID) ([]*toolbroker.Hints, error) {
		if _, err := broker.AddTools("s", `[{"name":"made while selecting"}]`); err != nil {
			return nil, err
		}
		indices, err := broker.SelectIndices(toolbroker.SelectRequest{})
		return []*toolbroker.Hints{{OutputShape: fmt.Sprint(len(indices))}}, err
	}
	broker = newBroker(t, toolbroker.Options{Enricher: toolbroker.EnricherFunc(enricher)}, `[{"name":"a"}]`)
	selection, err := broker.Select(ctx, toolbroker.SelectRequest{})
	if err != nil || selection.Count != 1 || !strings.HasSuffix(selection.OverrideBlock, "- **a**: 2\n") {
		t.Errorf("%v %+v", err, selection)
	}
}

// The error comes out of the failed call itself, whatever other threads fail with.
func TestEachGoroutineGetsItsOwnError(t *testing.T) {
	broker := newBroker(t, toolbroker.Options{}, "[]")
	var group sync.WaitGroup
	for worker := range 64 {
		group.Add(1)
		go func() {
			defer group.Done()
			for round := range 200 {
				key := fmt.Sprintf("w%dr%d", worker, round)
				_, err := broker.Call(ctx, "select", `{"`+key+`":1}`)
				if err == nil || !strings.Contains(err.Error(), "`"+key+"`") {
					t.Errorf("%s: %v", key, err)
					return
				}
				if round%8 == 0 {
					runtime.Gosched()
				}
			}
		}()
	}
	group.Wait()
}

func TestTextsThatAreHard(t *testing.T) {
	broker := newBroker(t, toolbroker.Options{}, `[{"name":"a\u0000b"}]`)
	if selection, err := broker.Select(ctx, toolbroker.SelectRequest{Message: "a\x00b"}); err != nil || selection.Tools[0].Name != "a\x00b" {
		t.Errorf("NUL in a name: %v", err)
	}
	var failure *toolbroker.Error
	if _, err := broker.Call(ctx, "select", `{"k\u0000ey":1}`); !errors.As(err, &failure) || failure.At.Path != "k\x00ey" {
		t.Errorf("NUL in an error: %+v", failure)
	}
	if _, err := broker.Call(ctx, "select", "\x00"); !errors.Is(err, toolbroker.InvalidJSON) {
		t.Errorf("NUL alone: %v", err)
	}
	if _, err := broker.Call(ctx, "select", "\"\xff\""); !errors.Is(err, toolbroker.InvalidUTF8) {
		t.Errorf("not UTF-8: %v", err)
	}
	if _, err := broker.Call(ctx, "select", ""); err != nil {
		t.Errorf("empty: %v", err)
	}
	large := toolbroker.Tool{Name: "large", Description: strings.Repeat("x", 10_000_000)}
	if report, err := broker.AddTools("s", []toolbroker.Tool{large}); err != nil || report.Total != 2 {
		t.Errorf("10 MB: %v %+v", err, report)
	}
	tools, err := broker.FindByNames("large")
	if err != nil || len(tools[0].Description) != 10_000_000 {
		t.Errorf("10 MB back: %v", err)
	}
	if _, err := broker.Call(ctx, "select", bytes.Repeat([]byte(" "), 256<<20+1)); !errors.Is(err, toolbroker.TooLarge) {
		t.Errorf("over the limit: %v", err)
	}
}

// A function of the C library that no binding reaches would show here.
func TestEveryExportIsUsed(t *testing.T) {
	exports, err := os.Open("../../../include/exports.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer exports.Close()
	var source []byte
	for _, file := range []string{"capi.c", "capi.go", "callbacks.go"} {
		text, err := os.ReadFile("../internal/capi/" + file)
		if err != nil {
			t.Fatal(err)
		}
		source = append(source, text...)
	}
	count := 0
	for lines := bufio.NewScanner(exports); lines.Scan(); count++ {
		if !regexp.MustCompile(`\b` + lines.Text() + `\b`).Match(source) {
			t.Errorf("%s is not used", lines.Text())
		}
	}
	if count < 41 {
		t.Errorf("%d exports", count)
	}
}

func TestVersions(t *testing.T) {
	if version := toolbroker.Version(); !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(version) {
		t.Errorf("version %q", version)
	}
	var wide json.Number
	answer, err := toolbroker.Call("info", nil)
	if err != nil || json.Unmarshal(answer, &struct{ ABI *json.Number }{&wide}) != nil || wide.String() != fmt.Sprint(toolbroker.ABI()) {
		t.Errorf("%v %s", err, answer)
	}
}

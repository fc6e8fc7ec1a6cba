package toolbroker_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync"
	"testing"

	"toolbroker.test/go/toolbroker"
)

const rankedTools = `[{"name":"forecast_get","description":"The weather forecast for a place."},{"name":"mail_send","description":"Sends a mail."},
	{"name":"file_read","description":"Reads a file."}]`

func ranked(ranking toolbroker.Ranking) string {
	var names []string
	for _, tool := range ranking.Tools {
		names = append(names, tool.ID().String())
	}
	return strings.Join(names, " ")
}

func TestARankingTellsScoresAndTerms(t *testing.T) {
	broker := newBroker(t, toolbroker.Options{}, rankedTools)
	ranking, err := broker.Rank(ctx, toolbroker.RankRequest{Message: "umbrella?", Explain: true})
	if err != nil || ranked(ranking) != "s/forecast_get" || ranking.Language != "en" || ranking.Warnings != nil {
		t.Fatalf("%v %+v", err, ranking)
	}
	best := ranking.Tools[0]
	if best.Score <= 0 || best.Score > 1 || len(best.Terms) == 0 {
		t.Fatalf("%+v", best)
	}
	term := best.Terms[0]
	if term.Term != "umbrella" || term.Found != "forecast" || term.By != "topic" || len(term.Fields) == 0 || term.Weight <= 0 || term.Score <= 0 {
		t.Errorf("%+v", term)
	}
	one, low, none := 1, 0.0, 1.0
	request := toolbroker.RankRequest{Message: "mail the forecast from the file", Hints: []string{"mail_send"}, Top: &one, MinScore: &low, Language: "en"}
	if ranking, err = broker.Rank(ctx, request); err != nil || ranked(ranking) != "s/mail_send" || ranking.Tools[0].Score != 1 || ranking.Tools[0].Terms != nil {
		t.Errorf("%v %+v", err, ranking)
	}
	request.Indices = true
	if ranking, err = broker.Rank(ctx, request); err != nil || len(ranking.Tools) != 1 || ranking.Tools[0].Index != 1 || ranking.Tools[0].Name != "" {
		t.Errorf("%v %+v", err, ranking)
	}
	if ranking, err = broker.Rank(ctx, toolbroker.RankRequest{Message: "read", MinScore: &none}); err != nil || len(ranking.Tools) != 0 {
		t.Errorf("%v %+v", err, ranking)
	}
	if ranking, err = broker.Rank(ctx, toolbroker.RankRequest{Message: "x", Language: "xx"}); !errors.Is(err, toolbroker.InvalidRequest) || ranking.Tools != nil {
		t.Errorf("%v %+v", err, ranking)
	}
	var long strings.Builder
	for i := range 10_001 {
		fmt.Fprint(&long, "mail", i, " ")
	}
	if ranking, err = broker.Rank(ctx, toolbroker.RankRequest{Message: long.String()}); err != nil || len(ranking.Warnings) != 1 || ranking.Warnings[0].Code != "long_message" {
		t.Errorf("%v %+v", err, ranking.Warnings)
	}
}

func TestASelectionTellsTermsAndTakesALanguage(t *testing.T) {
	broker := newBroker(t, toolbroker.Options{}, rankedTools)
	selection, err := broker.Select(ctx, toolbroker.SelectRequest{Message: "umbrella?", Language: "en", Explain: true})
	if err != nil || selection.Explanation.Tools[0].Terms[0].Found != "forecast" {
		t.Errorf("%v %+v", err, selection)
	}
	if _, err := broker.Select(ctx, toolbroker.SelectRequest{Message: "x", Language: "xx"}); !errors.Is(err, toolbroker.InvalidRequest) {
		t.Errorf("%v", err)
	}
}

func TestWeightsAreOptions(t *testing.T) {
	info, err := toolbroker.LibraryInfo()
	if err != nil || info.Ranking["word_pair"] <= 0 || len(info.Languages) != 12 {
		t.Fatalf("%v %+v", err, info)
	}
	request := toolbroker.RankRequest{Message: "weather"}
	ranking, err := newBroker(t, toolbroker.Options{}, rankedTools).Rank(ctx, request)
	changed, other := newBroker(t, toolbroker.Options{Ranking: map[string]float64{"first_sentence": 0}}, rankedTools).Rank(ctx, request)
	if err != nil || other != nil || ranked(ranking) != "s/forecast_get" || len(changed.Tools) > 0 && changed.Tools[0].Score >= ranking.Tools[0].Score {
		t.Errorf("%v %v %+v %+v", err, other, ranking, changed)
	}
	if _, err := toolbroker.New(toolbroker.Options{Ranking: map[string]float64{"nme": 1}}); !errors.Is(err, toolbroker.InvalidOptions) {
		t.Errorf("%v", err)
	}
}

// An embedder for which all that speaks of water is alike. It counts how often it is asked for each text.
type embedder struct {
	asked map[string]int
	most  int
}

func (e *embedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	e.most = max(e.most, len(texts))
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		e.asked[text]++
		vectors[i] = []float32{0.1, 1, 0}
		if strings.Contains(text, "weather") || strings.Contains(text, "puddles") {
			vectors[i] = []float32{1, 0.1, float32(i)}
		}
	}
	return vectors, nil
}

func TestAnEmbedderIsAskedOncePerToolAndForEachMessage(t *testing.T) {
	e := &embedder{asked: map[string]int{}}
	broker := newBroker(t, toolbroker.Options{Embedder: e}, rankedTools)
	for _, wanted := range []int{3, 0} {
		if made, err := broker.EmbedTools(ctx); err != nil || made != wanted {
			t.Errorf("%v, %d instead of %d", err, made, wanted)
		}
	}
	for range 2 {
		ranking, err := broker.Rank(ctx, toolbroker.RankRequest{Message: "puddles"})
		if err != nil || len(ranking.Tools) == 0 || ranking.Tools[0].Name != "forecast_get" {
			t.Errorf("%v %+v", err, ranking)
		}
	}
	selection, err := broker.Select(ctx, toolbroker.SelectRequest{Message: "puddles"})
	if err != nil || selection.Tools[0].Name != "forecast_get" {
		t.Errorf("%v %+v", err, selection)
	}
	if _, err := broker.SelectIndices(toolbroker.SelectRequest{Message: "puddles"}); err != nil {
		t.Error(err)
	}
	if len(e.asked) != 4 || e.asked["puddles"] != 3 {
		t.Errorf("%v", e.asked)
	}
	for text, times := range e.asked {
		if text != "puddles" && times != 1 {
			t.Errorf("asked %d times for %q", times, text)
		}
	}
	var many []toolbroker.Tool
	for i := range 150 {
		many = append(many, toolbroker.Tool{Name: fmt.Sprint("tool_", i)})
	}
	if _, err := broker.AddTools("s", many); err != nil {
		t.Fatal(err)
	}
	if made, err := broker.EmbedTools(ctx); err != nil || made != 150 || e.most != 64 {
		t.Errorf("%v, %d, at most %d at once", err, made, e.most)
	}
	if made, err := newBroker(t, toolbroker.Options{}, rankedTools).EmbedTools(ctx); err != nil || made != 0 {
		t.Errorf("without an embedder: %v, %d", err, made)
	}
}

func TestAnEmbedderThatFailsIsAWarningAndWordsRank(t *testing.T) {
	own := errors.New("the model is away")
	vectors := func(of ...[]float32) toolbroker.EmbedderFunc {
		return func(_ context.Context, texts []string) ([][]float32, error) {
			made := append([][]float32{}, of...)
			for len(made) < len(texts) {
				made = append(made, []float32{1, 2})
			}
			return made, nil
		}
	}
	for name, c := range map[string]struct {
		embed toolbroker.EmbedderFunc
		text  string
	}{
		"an error":         {func(context.Context, []string) ([][]float32, error) { return nil, own }, own.Error()},
		"nothing":          {func(context.Context, []string) ([][]float32, error) { return nil, nil }, "0 vectors for 3 texts"},
		"too many":         {vectors([]float32{1}, []float32{1}, []float32{1}, []float32{1}), "4 vectors for 3 texts"},
		"unequal lengths":  {vectors([]float32{1, 2}, []float32{1}), "1 values after one of 2"},
		"an empty vector":  {vectors(nil), "a vector of 0 values"},
		"one too long":     {vectors(make([]float32, 65_537)), "a vector of 65537 values"},
		"no finite number": {vectors([]float32{float32(math.NaN()), 1}), "no finite number"},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			broker := newBroker(t, toolbroker.Options{Embedder: c.embed, Logger: slog.New(slog.NewTextHandler(&log, nil))}, rankedTools)
			ranking, err := broker.Rank(ctx, toolbroker.RankRequest{Message: "send a mail"})
			if err != nil || len(ranking.Tools) == 0 || ranking.Tools[0].Name != "mail_send" {
				t.Fatalf("%v %+v", err, ranking)
			}
			if len(ranking.Warnings) != 1 || ranking.Warnings[0].Code != "embedder_failed" || !strings.Contains(ranking.Warnings[0].Message, c.text) {
				t.Errorf("%+v", ranking.Warnings)
			}
			if !strings.Contains(log.String(), "toolbroker: embedding failed: ") {
				t.Errorf("logged %q", log.String())
			}
			selection, err := broker.Select(ctx, toolbroker.SelectRequest{Message: "send a mail"})
			if err != nil || selection.Tools[0].Name != "mail_send" || selection.Warnings[0].Code != "embedder_failed" {
				t.Errorf("%v %+v", err, selection)
			}
			made, err := broker.EmbedTools(ctx)
			if made != 0 || !errors.Is(err, toolbroker.Callback) || errors.Is(err, own) != (name == "an error") || !strings.Contains(err.Error(), c.text) {
				t.Errorf("%v, %d", err, made)
			}
		})
	}
}

func TestAnEmbedderMayStopTheCall(t *testing.T) {
	done, cancel := context.WithCancel(ctx)
	canceled := func(ctx context.Context, _ []string) ([][]float32, error) {
		cancel()
		return nil, ctx.Err()
	}
	broker := newBroker(t, toolbroker.Options{Embedder: toolbroker.EmbedderFunc(canceled)}, rankedTools)
	if _, err := broker.Rank(done, toolbroker.RankRequest{Message: "mail"}); !errors.Is(err, context.Canceled) || !errors.Is(err, toolbroker.Stopped) {
		t.Errorf("%v", err)
	}
	stop := func(context.Context, []string) ([][]float32, error) { return nil, toolbroker.ErrStop }
	broker = newBroker(t, toolbroker.Options{Embedder: toolbroker.EmbedderFunc(stop)}, rankedTools)
	if _, err := broker.Select(ctx, toolbroker.SelectRequest{Message: "mail"}); !errors.Is(err, toolbroker.Stopped) || !errors.Is(err, toolbroker.ErrStop) {
		t.Errorf("%v", err)
	}
	if _, err := broker.EmbedTools(ctx); !errors.Is(err, toolbroker.Stopped) {
		t.Errorf("%v", err)
	}
}

func TestAPanicOfAnEmbedderReachesTheCallerAndTheBrokerGoesOn(t *testing.T) {
	panics := true
	e := &embedder{asked: map[string]int{}}
	embed := func(ctx context.Context, texts []string) ([][]float32, error) {
		if panics {
			panic(errors.New("boom"))
		}
		return e.Embed(ctx, texts)
	}
	broker := newBroker(t, toolbroker.Options{Embedder: toolbroker.EmbedderFunc(embed)}, rankedTools)
	for name, call := range map[string]func(){
		"rank":   func() { broker.Rank(ctx, toolbroker.RankRequest{Message: "mail"}) },
		"select": func() { broker.Select(ctx, toolbroker.SelectRequest{Message: "mail"}) },
		"embed":  func() { broker.EmbedTools(ctx) },
	} {
		func() {
			defer func() {
				if reason, _ := recover().(error); reason == nil || reason.Error() != "boom" {
					t.Errorf("%s: recovered %v", name, reason)
				}
			}()
			call()
			t.Errorf("%s: no panic", name)
		}()
	}
	panics = false
	if ranking, err := broker.Rank(ctx, toolbroker.RankRequest{Message: "mail"}); err != nil || ranking.Tools[0].Name != "mail_send" || ranking.Warnings != nil {
		t.Errorf("%v %+v", err, ranking)
	}
}

func TestAnEmbedderMayUseItsBroker(t *testing.T) {
	var broker *toolbroker.Broker
	e := &embedder{asked: map[string]int{}}
	embed := func(ctx context.Context, texts []string) ([][]float32, error) {
		if _, err := broker.AddTools("s", `[{"name":"made while ranking"}]`); err != nil {
			return nil, err
		}
		return e.Embed(ctx, texts)
	}
	broker = newBroker(t, toolbroker.Options{Embedder: toolbroker.EmbedderFunc(embed)}, rankedTools)
	ranking, err := broker.Rank(ctx, toolbroker.RankRequest{Message: "puddles"})
	if err != nil || ranking.Warnings != nil || ranking.Tools[0].Name != "forecast_get" {
		t.Errorf("%v %+v", err, ranking)
	}
}

func TestEachCallBringsItsOwnContextToTheEmbedder(t *testing.T) {
	type key struct{}
	embed := func(ctx context.Context, _ []string) ([][]float32, error) {
		return nil, fmt.Errorf("%v", ctx.Value(key{}))
	}
	broker := newBroker(t, toolbroker.Options{Embedder: toolbroker.EmbedderFunc(embed)}, `[{"name":"same"}]`)
	var group sync.WaitGroup
	for worker := range 32 {
		group.Add(1)
		go func() {
			defer group.Done()
			own := context.WithValue(ctx, key{}, worker)
			for range 50 {
				ranking, err := broker.Rank(own, toolbroker.RankRequest{Message: "same"})
				if err != nil || len(ranking.Tools) != 1 || ranking.Tools[0].Score != 1 || ranking.Warnings[0].Message != fmt.Sprint(worker) {
					t.Errorf("%d: %v %+v", worker, err, ranking)
					return
				}
			}
		}()
	}
	group.Wait()
}

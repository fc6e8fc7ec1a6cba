package broker_test

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"toolbroker.test/go/broker"
)

// The benchmarks run on a workload that benches/workload.py writes, named by WORKLOAD; the plain Go model has the same under the same names.
type workload struct {
	Tools    []broker.ToolDefinition `json:"tools"`
	Rules    []broker.Rule           `json:"rules"`
	Intents  []string                `json:"intents"`
	Messages []string                `json:"messages"`
}

func load(b *testing.B) (w workload) {
	file := os.Getenv("WORKLOAD")
	if file == "" {
		b.Skip("WORKLOAD names no file")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	if err := json.Unmarshal(text, &w); err != nil {
		b.Fatal(err)
	}
	return w
}

func BenchmarkRegister(b *testing.B) {
	w := load(b)
	text, _ := json.Marshal(w.Tools)
	for b.Loop() {
		var tools []broker.ToolDefinition
		if err := json.Unmarshal(text, &tools); err != nil {
			b.Fatal(err)
		}
		broker.NewLocalBroker(tools, w.Rules)
	}
}

func BenchmarkSelect(b *testing.B) {
	w := load(b)
	local := broker.NewLocalBroker(w.Tools, w.Rules)
	for i := 0; b.Loop(); i++ {
		if _, err := local.SelectTools(context.Background(), w.Intents[i%len(w.Intents)], nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDetect(b *testing.B) {
	w := load(b)
	for i := 0; b.Loop(); i++ {
		broker.DetectIntent(w.Messages[i%len(w.Messages)])
	}
}

func BenchmarkScore(b *testing.B) {
	w := load(b)
	for i := 0; b.Loop(); i++ {
		broker.ScoreByKeywords(w.Tools, broker.TokenizeIntent(w.Messages[i%len(w.Messages)])[:6], 10)
	}
}

func BenchmarkEstimate(b *testing.B) {
	w := load(b)
	for b.Loop() {
		broker.EstimateToolTokens(w.Tools)
	}
}

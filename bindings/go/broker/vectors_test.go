package broker_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"toolbroker.test/go/broker"
)

// request has the fields of every operation; see tests/vectors.
type request struct {
	Op         string                  `json:"op"`
	Tools      []broker.ToolDefinition `json:"tools"`
	Rules      []broker.Rule           `json:"rules"`
	Intent     string                  `json:"intent"`
	Message    string                  `json:"message"`
	Keywords   []string                `json:"keywords"`
	Names      []string                `json:"names"`
	MaxResults int                     `json:"max_results"`
	Budget     int                     `json:"budget"`
	YAML       string                  `json:"yaml"`
	Text       string                  `json:"text"`
	Hints      map[string]broker.Hints `json:"hints"`
	HintsError string                  `json:"hints_error"`
}

// known is an Enricher that knows a table, or fails.
type known struct {
	hints map[string]broker.Hints
	err   string
}

func (k known) LookupByToolName(_ context.Context, name string) (broker.Hints, bool, error) {
	if k.err != "" {
		return broker.Hints{}, false, errors.New(k.err)
	}
	hints, found := k.hints[name]
	return hints, found, nil
}

func (r *request) enricher() broker.Enricher {
	if r.Hints == nil && r.HintsError == "" {
		return nil
	}
	return known{r.Hints, r.HintsError}
}

func (r *request) answer(t *testing.T) any {
	ctx := context.Background()
	switch r.Op {
	case "select":
		var options []broker.Option
		if enricher := r.enricher(); enricher != nil {
			options = append(options, broker.WithEnricher(enricher))
		}
		result, err := broker.NewLocalBroker(r.Tools, r.Rules, options...).SelectTools(ctx, r.Intent, nil)
		if err != nil {
			t.Fatal(err)
		}
		return result
	case "all_tools":
		return broker.NewLocalBroker(r.Tools, nil).AllTools()
	case "detect_intent":
		return broker.DetectIntent(r.Message)
	case "tokenize":
		return broker.TokenizeIntent(r.Intent)
	case "score_by_keywords":
		return names(broker.ScoreByKeywords(r.Tools, r.Keywords, r.MaxResults))
	case "score_by_intent":
		return names(broker.ScoreByIntent(r.Tools, r.Intent, r.MaxResults))
	case "find_by_names":
		return broker.FindByNames(r.Tools, r.Names)
	case "estimate":
		return broker.EstimateToolTokens(r.Tools)
	case "prune":
		return names(broker.PruneToTokenBudget(r.Tools, r.Budget))
	case "overrides":
		block, err := broker.ComposeOverrideBlock(ctx, r.Names, r.enricher())
		if err != nil {
			return map[string]string{"error": err.Error()}
		}
		return map[string]string{"block": block}
	case "rules_yaml":
		return rulesOf(t, "rules.yaml", r.YAML)
	case "rules_json":
		return rulesOf(t, "rules.json", r.Text)
	case "hints":
		hints, err := broker.UnmarshalHints(r.Text)
		if err != nil {
			return map[string]bool{"error": true}
		}
		return hints
	}
	t.Fatalf("unknown operation %q", r.Op)
	return nil
}

func names(tools []broker.ToolDefinition) []string {
	names := []string{}
	for _, tool := range tools {
		names = append(names, tool.Name)
	}
	return names
}

func rulesOf(t *testing.T, name, text string) any {
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	rules, err := broker.LoadRulesFromFile(file)
	if err != nil {
		return map[string]bool{"error": true}
	}
	return rules
}

// withoutSentence leaves the heading and the lines of an override block: the sentence between them is each implementation's own.
func withoutSentence(value any) {
	answer, _ := value.(map[string]any)
	for _, key := range []string{"block", "override_block"} {
		if block, _ := answer[key].(string); block != "" {
			parts := strings.SplitN(block, "\n", 5)
			answer[key] = parts[0] + "\n" + parts[4]
		}
	}
}

// TestVectors holds every answer to the one of the plain Go model.
func TestVectors(t *testing.T) {
	silence(t)
	files, err := filepath.Glob("../../../tests/vectors/*.jsonl")
	if err != nil || len(files) != 13 {
		t.Fatalf("%d files of vectors, %v", len(files), err)
	}
	count := 0
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			text, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer text.Close()
			lines := bufio.NewScanner(text)
			lines.Buffer(nil, 1<<24)
			for at := 1; lines.Scan(); at++ {
				var vector struct {
					In  request         `json:"in"`
					Out json.RawMessage `json:"out"`
				}
				if err := json.Unmarshal(lines.Bytes(), &vector); err != nil {
					t.Fatal(err)
				}
				answer, err := json.Marshal(vector.In.answer(t))
				if err != nil {
					t.Fatal(err)
				}
				var wanted, found any
				if err := errors.Join(json.Unmarshal(vector.Out, &wanted), json.Unmarshal(answer, &found)); err != nil {
					t.Fatal(err)
				}
				withoutSentence(wanted)
				withoutSentence(found)
				if !reflect.DeepEqual(wanted, found) {
					t.Errorf("line %d\n wanted %s\n found  %s", at, vector.Out, answer)
				}
				count++
			}
		})
	}
	if count != 1312 {
		t.Errorf("%d vectors were run, not 1312", count)
	}
}

// silence keeps expected warnings out of the test's output.
func silence(t *testing.T) {
	before := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	t.Cleanup(func() { slog.SetDefault(before) })
}

package toolbroker_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"toolbroker.test/go/toolbroker"
)

// A worked case of the contract; tests/contract/cases.rs describes the form.
type workedCase struct {
	Name       string                      `json:"name"`
	Options    json.RawMessage             `json:"options"`
	Hints      map[string]*json.RawMessage `json:"hints"`
	HintsError string                      `json:"hints_error"`
	Embedder   caseEmbedder                `json:"embedder"`
	Error      any                         `json:"error"`
	Steps      []step                      `json:"steps"`
}

// An embedder that a case describes, as src/bin/toolbroker/case_embedder.rs does.
type caseEmbedder []struct {
	IfTextHas string    `json:"if_text_has"`
	Add       []float64 `json:"add"`
	Fails     string    `json:"fails"`
	Vectors   *int      `json:"vectors"`
}

// Embed answers the sum of what the entries that fit a text add, or whatever else they say.
func (c caseEmbedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	var vectors [][]float32
	for _, text := range texts {
		var vector []float32
		times := 1
		for _, entry := range c {
			if !strings.Contains(text, entry.IfTextHas) {
				continue
			}
			if entry.Fails != "" {
				return nil, errors.New(entry.Fails)
			}
			for at, value := range entry.Add {
				if at == len(vector) {
					vector = append(vector, 0)
				}
				vector[at] += float32(value)
			}
			if entry.Vectors != nil {
				times = *entry.Vectors
			}
		}
		for range times {
			vectors = append(vectors, vector)
		}
	}
	return vectors, nil
}

type step struct {
	Call    string          `json:"call"`
	Request json.RawMessage `json:"request"`
	Text    *string         `json:"text"`
	Answer  json.RawMessage `json:"answer"`
	Like    any             `json:"like"`
	Error   any             `json:"error"`
}

// TestCases runs the cases that every language runs.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("../../../tests/cases/*.json")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var cases []workedCase
		if err := json.Unmarshal(text, &cases); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, c := range cases {
			count++
			t.Run(strings.TrimSuffix(filepath.Base(file), ".json")+"/"+c.Name, func(t *testing.T) { c.run(t) })
		}
	}
	if count < 240 {
		t.Errorf("only %d cases in %d files", count, len(files))
	}
}

func (c *workedCase) run(t *testing.T) {
	options := toolbroker.Options{JSON: c.Options}
	if c.Hints != nil || c.HintsError != "" {
		options.Enricher = toolbroker.EnricherFunc(c.enrich)
	}
	if c.Embedder != nil {
		options.Embedder = c.Embedder
	}
	broker, err := toolbroker.New(options)
	if c.Error != nil || err != nil {
		if fault := failsLike(c.Error, err); fault != nil {
			t.Fatal(fault)
		}
		return
	}
	defer broker.Close()
	for at, step := range c.Steps {
		if fault := step.run(broker); fault != nil {
			t.Errorf("step %d (%s): %v", at+1, step.Call, fault)
		}
	}
}

// enrich answers hints as they stand in the case, faults included.
func (c *workedCase) enrich(_ context.Context, tools []toolbroker.ToolID) ([]*toolbroker.Hints, error) {
	if c.HintsError != "" {
		return nil, errors.New(c.HintsError)
	}
	hints := make([]*toolbroker.Hints, len(tools))
	for i, id := range tools {
		raw := c.Hints[id.String()]
		if raw == nil {
			continue
		}
		if err := json.Unmarshal(*raw, &hints[i]); err != nil {
			return nil, err
		}
	}
	return hints, nil
}

func (s *step) run(broker *toolbroker.Broker) error {
	var request any = s.Request
	if s.Text != nil {
		request = *s.Text
	}
	var text json.RawMessage
	var err error
	switch s.Call {
	case "info", "default_rules", "read_rules", "read_hints":
		text, err = toolbroker.Call(s.Call, request)
	default:
		text, err = broker.Call(context.Background(), s.Call, request)
	}
	if s.Error != nil || err != nil {
		return failsLike(s.Error, err)
	}
	var answer any
	if err := json.Unmarshal(text, &answer); err != nil {
		return err
	}
	if s.Like != nil {
		return errors.Join(hasKeys(s.Answer, answer), like(s.Like, answer, "answer"))
	}
	return hasKeys(s.Answer, answer)
}

// failsLike compares a wanted error, nil for none, with the one that came.
func failsLike(wanted any, err error) error {
	var failure *toolbroker.Error
	if wanted == nil || !errors.As(err, &failure) {
		return fmt.Errorf("wanted the error %v, found %v", wanted, err)
	}
	text, err := json.Marshal(failure)
	if err != nil {
		return err
	}
	var found any
	if err := json.Unmarshal(text, &found); err != nil {
		return err
	}
	return like(wanted, found, "error")
}

// hasKeys: every key given must be equal; null says that it is absent. What is no object must be equal whole.
func hasKeys(wanted json.RawMessage, found any) error {
	if wanted == nil {
		return nil
	}
	var value any
	if err := json.Unmarshal(wanted, &value); err != nil {
		return err
	}
	keys, isObject := value.(map[string]any)
	if !isObject {
		if !reflect.DeepEqual(value, found) {
			return fmt.Errorf("wanted %v, found %v", value, found)
		}
		return nil
	}
	for key, wanted := range keys {
		if value := valueOf(key, found); !reflect.DeepEqual(wanted, value) {
			return fmt.Errorf("%s: wanted %v, found %v", key, wanted, value)
		}
	}
	return nil
}

// like: as hasKeys, all the way down.
func like(wanted, found any, path string) error {
	switch wanted := wanted.(type) {
	case map[string]any:
		for key, value := range wanted {
			if err := like(value, valueOf(key, found), path+"."+key); err != nil {
				return err
			}
		}
		return nil
	case []any:
		items, _ := found.([]any)
		if len(items) == len(wanted) {
			for at, item := range items {
				if err := like(wanted[at], item, fmt.Sprintf("%s[%d]", path, at)); err != nil {
					return err
				}
			}
			return nil
		}
	}
	if !reflect.DeepEqual(wanted, found) {
		return fmt.Errorf("%s: wanted %v, found %v", path, wanted, found)
	}
	return nil
}

// valueOf knows two keys that stand for what an answer holds.
func valueOf(key string, found any) any {
	object, _ := found.(map[string]any)
	switch key {
	case "tool_names":
		list, _ := found.([]any)
		if object != nil {
			list, _ = object["tools"].([]any)
		}
		names := []any{}
		for _, item := range list {
			tool, _ := item.(map[string]any)
			server, _ := tool["server"].(string)
			name, _ := tool["name"].(string)
			names = append(names, toolbroker.ToolID{Server: server, Name: name}.String())
		}
		return names
	case "block_lines":
		block, _ := object["override_block"].(string)
		if text, found := object["block"].(string); found {
			block = text
		}
		lines := []any{}
		for at, line := range strings.Split(strings.TrimSuffix(block, "\n"), "\n") {
			if at >= 4 {
				lines = append(lines, line)
			}
		}
		return lines
	}
	return object[key]
}

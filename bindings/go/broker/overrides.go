package broker

import (
	"context"
	"encoding/json"
	"fmt"
)

// An Enricher knows guidance on tools: the hints of a tool, and whether there are any.
type Enricher interface {
	LookupByToolName(ctx context.Context, toolName string) (Hints, bool, error)
}

// A NopEnricher knows nothing.
type NopEnricher struct{}

// LookupByToolName finds nothing.
func (NopEnricher) LookupByToolName(context.Context, string) (Hints, bool, error) {
	return Hints{}, false, nil
}

// ComposeOverrideBlock makes the Markdown for the system prompt that tells the guidance on these tools; it is empty where there is none. It asks enr for
// one tool after the other, on this goroutine. The first error ends it and comes back wrapped.
func ComposeOverrideBlock(ctx context.Context, toolNames []string, enr Enricher) (string, error) {
	if enr == nil {
		return "", nil
	}
	// What has no hints makes no line, and stays away from the library's limit of values.
	var names []string
	var known []Hints
	for _, name := range toolNames {
		hints, found, err := enr.LookupByToolName(ctx, name)
		if err != nil {
			return "", fmt.Errorf("compose override block: %w", err)
		}
		if found && !hints.IsEmpty() {
			names, known = append(names, name), append(known, hints)
		}
	}
	if known == nil {
		return "", nil
	}
	request, err := json.Marshal(map[string]any{"names": names, "hints": known})
	if err != nil {
		return "", fmt.Errorf("compose override block: %w", err)
	}
	answer, err := shared().Call(context.Background(), "overrides", request)
	if err != nil {
		return "", fmt.Errorf("compose override block: %w", err)
	}
	var composed struct{ Block string }
	err = json.Unmarshal(answer, &composed)
	return composed.Block, err
}

// MarshalHints writes hints as JSON; no hints are {}.
func MarshalHints(hints Hints) (string, error) {
	text, err := json.Marshal(hints)
	return string(text), err
}

// UnmarshalHints reads hints from JSON; empty text and {} are no hints.
func UnmarshalHints(text string) (Hints, error) {
	var hints Hints
	if text == "" {
		return hints, nil
	}
	if err := json.Unmarshal([]byte(text), &hints); err != nil {
		return Hints{}, fmt.Errorf("unmarshal hints: %w", err)
	}
	return hints, nil
}

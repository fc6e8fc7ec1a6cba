package toolbroker

import (
	"encoding/json"
	"log/slog"
)

// A Profile is a named set of values for all switches of Options.
type Profile string

const (
	Standard Profile = "standard" // The library's own behaviour.
	Go02     Profile = "go-0.2"   // Exactly as the Go package `broker` 0.2.
)

// Options are what is fixed when a broker is made. The zero value is profile Standard without callbacks. Every field but Enricher, Embedder and Logger is
// one switch of docs/contract.md, "Options"; an empty one has the profile's value.
type Options struct {
	Profile       Profile `json:"profile,omitempty"`
	Identity      string  `json:"identity,omitempty"`       // replace, append
	BadTools      string  `json:"bad_tools,omitempty"`      // refuse, accept
	ToolJSON      string  `json:"tool_json,omitempty"`      // kept, go
	Decision      string  `json:"decision,omitempty"`       // priority, exclude_wins
	EmptyInclude  string  `json:"empty_include,omitempty"`  // open, closed
	IntentNames   string  `json:"intent_names,omitempty"`   // folded, exact
	Patterns      string  `json:"patterns,omitempty"`       // names, path
	RuleReading   string  `json:"rule_reading,omitempty"`   // strict, go
	Phrases       string  `json:"phrases,omitempty"`        // words, substring
	Hints         string  `json:"hints,omitempty"`          // raise, ignore
	MessageIntent string  `json:"message_intent,omitempty"` // best, all, none
	Order         string  `json:"order,omitempty"`          // rank, registered
	Budget        string  `json:"budget,omitempty"`         // fill, from_end
	Answer        string  `json:"answer,omitempty"`         // full, go
	EnricherAsks  string  `json:"enricher_asks,omitempty"`  // pairs, names
	EnricherBatch *bool   `json:"enricher_batch,omitempty"`
	Limits        string  `json:"limits,omitempty"` // all, process

	// JSON are options as text, in place of the fields above.
	JSON json.RawMessage `json:"-"`
	// Ranking are weights of the score, by name, each from 0 to 1,000; those that are absent stay. Info.Ranking has names and defaults.
	Ranking map[string]float64 `json:"ranking,omitempty"`

	// Enricher knows guidance on tools; nil for none.
	Enricher Enricher `json:"-"`
	// Embedder turns texts into vectors; nil for none.
	Embedder Embedder `json:"-"`
	// Logger takes, at level Warn, what failed without failing the call: an Enricher in Select, an Embedder in Select and Rank; nil for none. It takes
	// no other warnings; all of them are in the answer, unless Answer is "go".
	Logger *slog.Logger `json:"-"`
}

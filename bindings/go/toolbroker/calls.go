package toolbroker

import (
	"context"

	"toolbroker.test/go/internal/capi"
)

// AddTools adds tools, or replaces those of the same server and name. list is JSON text (string, []byte, json.RawMessage) of a tool, a list, a
// tools/list result or a JSON-RPC response, in any known form, or a value that json.Marshal makes such a text of, as a []Tool; nil and a nil slice are an
// empty list, an empty text is an error. server is that of tools which name none. One bad tool is refused in the report, and the others are taken.
func (b *Broker) AddTools(server string, list any) (*Report, error) {
	return b.change("add_tools", server, list)
}

// ReplaceTools makes these the only tools of a server, in one step.
func (b *Broker) ReplaceTools(server string, list any) (*Report, error) {
	return b.change("replace_tools", server, list)
}

func (b *Broker) change(call, server string, list any) (*Report, error) {
	quoted, err := encode("server", server)
	if err != nil {
		return nil, err
	}
	if list == nil {
		list = []Tool{}
	}
	return withTools[*Report](b, call, `"server":`+quoted+`,`, list)
}

// withTools runs a call on tools, with what else the request holds. It is put together by hand: encoding/json would write the tools anew, and the library
// keeps them as they came. They begin a line of their own, so that a place in them is one of the caller's text but for that line.
func withTools[T any](b *Broker, call, fields string, list any) (answer T, _ error) {
	text, err := toolsText(list)
	if err != nil {
		return answer, err
	}
	answer, err = typed[T](context.Background(), b, call, "{"+fields+"\"tools\":\n"+text+"}")
	if failure, isOurs := err.(*Error); isOurs {
		failure.lineUp()
	}
	return answer, err
}

// RemoveServer removes every tool of a server.
func (b *Broker) RemoveServer(server string) (*Report, error) {
	return typed[*Report](context.Background(), b, "remove_tools", map[string]any{"server": server})
}

// RemoveTools removes single tools; an unknown one is a warning.
func (b *Broker) RemoveTools(ids ...ToolID) (*Report, error) {
	return typed[*Report](context.Background(), b, "remove_tools", map[string]any{"tools": append([]ToolID{}, ids...)})
}

// AllTools lists the registered tools in short.
func (b *Broker) AllTools() ([]Summary, error) {
	return typed[[]Summary](context.Background(), b, "all_tools", nil)
}

// FullTools lists the registered tools whole.
func (b *Broker) FullTools() ([]Tool, error) {
	return typed[[]Tool](context.Background(), b, "all_tools", map[string]any{"detail": "full"})
}

// LoadRules puts rules in force in place of those before, and says how many. When it fails the old rules stay.
func (b *Broker) LoadRules(source RuleSource) (int, error) {
	answer, err := typed[struct{ Rules int }](context.Background(), b, "load_rules", source)
	return answer.Rules, err
}

// Rules lists the rules in force, as loaded.
func (b *Broker) Rules() ([]Rule, error) {
	return typed[[]Rule](context.Background(), b, "all_rules", nil)
}

// LoadIntents extends the table of intents, or replaces it, and says how many intents and phrases there are then.
func (b *Broker) LoadIntents(intents map[string][]string, replace bool) (count, phrases int, err error) {
	table := make(map[string][]string, len(intents))
	for name, phrases := range intents {
		table[name] = append([]string{}, phrases...)
	}
	mode := "extend"
	if replace {
		mode = "replace"
	}
	answer, err := typed[struct{ Intents, Phrases int }](context.Background(), b, "load_intents", map[string]any{"intents": table, "mode": mode})
	return answer.Intents, answer.Phrases, err
}

// Select selects the tools that the model sees for a turn. Where the broker has an Enricher, the selection brings an override block.
func (b *Broker) Select(ctx context.Context, request SelectRequest) (*Selection, error) {
	return typed[*Selection](ctx, b, "select", request)
}

// SelectIndices selects as Select does and gives the places of the tools in the order of registration: no tool is copied and no callback runs.
func (b *Broker) SelectIndices(request SelectRequest) ([]int, error) {
	text, err := marshal(request)
	if err != nil {
		return nil, err
	}
	return b.selectIndices(text)
}

// Rank lists the registered tools by how well they fit a message, best first; rules and budget have no say.
func (b *Broker) Rank(ctx context.Context, request RankRequest) (Ranking, error) {
	return typed[Ranking](ctx, b, "rank", request)
}

// EmbedTools asks the Embedder for the registered tools that it was not asked for yet, so that no Select or Rank has to, and says how many those were;
// 0 without an Embedder. What was made before it failed is kept.
func (b *Broker) EmbedTools(ctx context.Context) (int, error) {
	answer, err := typed[struct{ Embedded int }](ctx, b, "embed_tools", nil)
	return answer.Embedded, err
}

// DetectIntent finds the intents of a message, the surest first.
func (b *Broker) DetectIntent(message string) ([]Intent, error) {
	return typed[[]Intent](context.Background(), b, "detect_intent", map[string]any{"message": message})
}

// Tokenize splits a sentence into keywords.
func (b *Broker) Tokenize(intent string) ([]string, error) {
	return typed[[]string](context.Background(), b, "tokenize", map[string]any{"intent": intent})
}

// ScoreByKeywords lists the registered tools that hold keywords, best first; most <= 0 is no cut.
func (b *Broker) ScoreByKeywords(keywords []string, most int) ([]Tool, error) {
	return typed[[]Tool](context.Background(), b, "score_by_keywords", map[string]any{"keywords": append([]string{}, keywords...), "max_results": most})
}

// ScoreByIntent lists the registered tools that hold the words of a sentence, best first; most <= 0 is no cut.
func (b *Broker) ScoreByIntent(intent string, most int) ([]Tool, error) {
	return typed[[]Tool](context.Background(), b, "score_by_intent", map[string]any{"intent": intent, "max_results": most})
}

// FindByNames lists the registered tools with these names, in the order asked.
func (b *Broker) FindByNames(names ...string) ([]Tool, error) {
	return typed[[]Tool](context.Background(), b, "find_by_names", map[string]any{"names": append([]string{}, names...)})
}

// Estimate says what tools cost in tokens, which may be given as for AddTools; nil and an empty text ask for all registered ones, a nil slice is none.
func (b *Broker) Estimate(list any) (int64, error) {
	return withTools[int64](b, "estimate", "", list)
}

// Prune lists the registered tools that stay when the last are dropped until the rest fits a budget of tokens.
func (b *Broker) Prune(budget int64) ([]Tool, error) {
	return typed[[]Tool](context.Background(), b, "prune", map[string]any{"budget": budget})
}

// Overrides composes the override block of tools with the broker's Enricher; it is empty where no tool has hints.
func (b *Broker) Overrides(ctx context.Context, ids ...ToolID) (string, error) {
	return b.overrides(ctx, map[string]any{"tools": append([]ToolID{}, ids...)})
}

// OverridesOf composes the override block of tools with hints at hand, one for each in order, nil for none.
func (b *Broker) OverridesOf(ids []ToolID, hints []*Hints) (string, error) {
	return b.overrides(context.Background(), map[string]any{"tools": append([]ToolID{}, ids...), "hints": append([]*Hints{}, hints...)})
}

func (b *Broker) overrides(ctx context.Context, request any) (string, error) {
	answer, err := typed[struct{ Block string }](ctx, b, "overrides", request)
	return answer.Block, err
}

// ReadRules reads rules without a broker.
func ReadRules(source RuleSource) ([]Rule, error) {
	return typed[[]Rule](context.Background(), library, "read_rules", source)
}

// ReadHints reads the text of a tool's hints; empty text and {} are none.
func ReadHints(text string) (Hints, error) {
	return typed[Hints](context.Background(), library, "read_hints", map[string]any{"text": text})
}

// DefaultRules lists the built-in example rules, for well-known public MCP servers.
func DefaultRules() ([]Rule, error) {
	return typed[[]Rule](context.Background(), library, "default_rules", nil)
}

// LibraryInfo tells version, ABI, profiles, every limit and the constants of the replaced package.
func LibraryInfo() (*Info, error) {
	return typed[*Info](context.Background(), library, "info", nil)
}

// Version is that of the linked library, such as "0.1.0".
func Version() string { return capi.Version() }

// ABI is the number of the linked library's ABI, with which this package was made to work.
func ABI() int { return capi.ABI() }

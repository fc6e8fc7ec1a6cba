package broker

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"

	"toolbroker.test/go/toolbroker"
)

// MinKeywordScore is what a tool must score at least to be listed.
const MinKeywordScore = 1

// shared runs the functions that belong to no broker. It has no tools and no rules, and nothing changes it.
var shared = sync.OnceValue(func() *toolbroker.Broker {
	broker, err := toolbroker.New(toolbroker.Options{Profile: toolbroker.Go02})
	if err != nil {
		panic(err) // The options are a constant: the library does not fit this package.
	}
	return broker
})

// ask runs a call whose function has no error to return: what fails is logged, and the answer is the zero value.
func ask[T any](call string, request map[string]any) (answer T) {
	text, err := json.Marshal(request)
	if err == nil {
		text, err = shared().Call(context.Background(), call, text)
	}
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	if err != nil {
		slog.Error("toolbroker: "+call+" failed", "err", err)
		var zero T
		return zero
	}
	return answer
}

// DetectIntent finds the intents of a message, the surest first; nil for none.
func DetectIntent(message string) []Intent {
	return ask[[]Intent]("detect_intent", map[string]any{"message": message})
}

// TokenizeIntent splits a sentence into keywords; nil for none.
func TokenizeIntent(intent string) []string {
	return ask[[]string]("tokenize", map[string]any{"intent": intent})
}

// What keywords are looked for in; the rest of a tool stays here.
type text struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

func texts(tools []ToolDefinition) []text {
	texts := make([]text, len(tools))
	for i := range tools {
		texts[i] = text{tools[i].Name, tools[i].Description}
	}
	return texts
}

// ScoreByKeywords lists the tools that hold keywords, best first: 2 for the name, 1 for the description. maxResults <= 0 is no cut; nil for none.
func ScoreByKeywords(tools []ToolDefinition, keywords []string, maxResults int) []ToolDefinition {
	request := map[string]any{"tools": texts(tools), "keywords": append([]string{}, keywords...), "max_results": maxResults, "indices": true}
	return pick(tools, ask[[]int]("score_by_keywords", request))
}

// ScoreByIntent lists the tools that hold the words of a sentence, as ScoreByKeywords does.
func ScoreByIntent(tools []ToolDefinition, intent string, maxResults int) []ToolDefinition {
	request := map[string]any{"tools": texts(tools), "intent": intent, "max_results": maxResults, "indices": true}
	return pick(tools, ask[[]int]("score_by_intent", request))
}

// FindByNames lists the tools with these names, in the order asked; of tools that share a name the last. nil for none.
func FindByNames(tools []ToolDefinition, names []string) []ToolDefinition {
	named := make([]registration, len(tools))
	for i := range tools {
		named[i].Name = tools[i].Name
	}
	return pick(tools, ask[[]int]("find_by_names", map[string]any{"tools": named, "names": append([]string{}, names...), "indices": true}))
}

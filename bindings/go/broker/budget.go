package broker

import "encoding/json"

const (
	// DefaultTokenBudgetPct is the share of the context window that tools may take.
	DefaultTokenBudgetPct = 0.20
	// DefaultContextWindowTokens is a context window.
	DefaultContextWindowTokens = 200000
)

// tokens is a quarter of the bytes that encoding/json writes for a tool, at least 1. Counting here is exact also for schemas that hold Go values of
// which the library would only see the JSON. A tool that cannot be written counts by its name and description.
func tokens(tool *ToolDefinition) int {
	text, err := json.Marshal(tool)
	if err != nil {
		return max(1, (len(tool.Name)+len(tool.Description))/4)
	}
	return max(1, len(text)/4)
}

// EstimateToolTokens says what tools cost in tokens.
func EstimateToolTokens(tools []ToolDefinition) int {
	sum := 0
	for i := range tools {
		sum += tokens(&tools[i])
	}
	return sum
}

// PruneToTokenBudget drops tools from the end until the rest fits; the first always stays.
func PruneToTokenBudget(tools []ToolDefinition, budgetTokens int) []ToolDefinition {
	kept := tools
	for sum := EstimateToolTokens(tools); sum > budgetTokens && len(kept) > 1; kept = kept[:len(kept)-1] {
		sum -= tokens(&kept[len(kept)-1])
	}
	return kept
}

package broker

// A ToolDefinition is a tool as it is registered and selected.
type ToolDefinition struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	InputSchema map[string]any `json:"inputSchema,omitempty"`
	Server      string         `json:"server,omitempty"`
	Tags        []string       `json:"tags,omitempty"`
	CostTier    string         `json:"cost_tier,omitempty"`
}

// A ToolSummary is a tool in short.
type ToolSummary struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Server      string   `json:"server,omitempty"`
	Tags        []string `json:"tags,omitempty"`
}

// A SelectResult is what SelectTools selected, and why.
type SelectResult struct {
	Tools         []ToolDefinition `json:"tools"` // In the order of registration; nil for none.
	Count         int              `json:"count"`
	Total         int              `json:"total"` // How many tools are registered.
	Intent        string           `json:"intent"`
	Rationale     string           `json:"rationale,omitempty"`
	OverrideBlock string           `json:"override_block,omitempty"`
}

// A Rule says what happens to the tools it matches, for some intents or all.
type Rule struct {
	Name     string `json:"name" yaml:"name"`
	Intent   string `json:"intent,omitempty" yaml:"intent,omitempty"` // A path.Match pattern; empty and "*" are every intent.
	Match    Match  `json:"match" yaml:"match"`
	Action   Action `json:"action" yaml:"action"`
	Priority int    `json:"priority,omitempty" yaml:"priority,omitempty"`
}

// A Match says which tools a rule is for: each list that is not empty must have a member that agrees. An empty Match agrees with every tool.
type Match struct {
	Patterns []string `json:"patterns,omitempty" yaml:"patterns,omitempty"`
	Tags     []string `json:"tags,omitempty" yaml:"tags,omitempty"`
	Servers  []string `json:"servers,omitempty" yaml:"servers,omitempty"`
}

// An Action is include, exclude or summarize; any other does nothing.
type Action struct {
	Type string `json:"type" yaml:"type"`
}

// A Config is a file of rules.
type Config struct {
	Rules []Rule `json:"rules" yaml:"rules"`
}

// An Intent is a purpose found in a message.
type Intent struct {
	Name       string   `json:"name"`
	Confidence float64  `json:"confidence"` // 0 to 1.
	Keywords   []string `json:"keywords"`   // The phrases found.
}

// Hints are guidance on a tool.
type Hints struct {
	Preconditions []string `json:"preconditions,omitempty"`
	AntiPatterns  []string `json:"anti_patterns,omitempty"`
	ChainsWith    []string `json:"chains_with,omitempty"`
	OutputShape   string   `json:"output_shape,omitempty"`
}

// IsEmpty tells whether there is nothing to tell.
func (h Hints) IsEmpty() bool {
	return len(h.Preconditions) == 0 && len(h.AntiPatterns) == 0 && len(h.ChainsWith) == 0 && h.OutputShape == ""
}

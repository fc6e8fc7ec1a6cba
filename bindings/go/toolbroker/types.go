package toolbroker

import (
	"encoding/json"
	"errors"
)

// A ToolID identifies a tool. The zero Server is that of tools without one.
type ToolID struct {
	Server string `json:"server,omitempty"`
	Name   string `json:"name"`
}

// String is "server/name", or the bare name.
func (id ToolID) String() string {
	if id.Server == "" {
		return id.Name
	}
	return id.Server + "/" + id.Name
}

// A Tool is what a client and the model know of a tool. JSON holds the whole of it, also keys that have no field here; where JSON is set, it is what
// json.Marshal writes.
type Tool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"inputSchema,omitempty"`
	Annotations *Annotations    `json:"annotations,omitempty"`
	Server      string          `json:"server,omitempty"`
	Tags        []string        `json:"tags,omitempty"`
	CostTier    string          `json:"cost_tier,omitempty"`
	JSON        json.RawMessage `json:"-"`
}

// ID is the tool's identity.
func (t Tool) ID() ToolID { return ToolID{Server: t.Server, Name: t.Name} }

// fields has the fields of Tool without its methods.
type fields Tool

// UnmarshalJSON reads the fields and keeps the text. Keys are those of the contract in their exact spelling; what is of another type than the field stays
// zero, so that each tool that the library took can be read.
func (t *Tool) UnmarshalJSON(text []byte) error {
	keys := members(text)
	*t = Tool{
		Name:        value[string](keys["name"]),
		Title:       value[string](keys["title"]),
		Description: value[string](keys["description"]),
		Server:      value[string](keys["server"]),
		Tags:        value[[]string](keys["tags"]),
		CostTier:    value[string](keys["cost_tier"]),
		JSON:        append(json.RawMessage(nil), text...),
	}
	if schema := keys["inputSchema"]; members(schema) != nil {
		t.InputSchema = schema
	}
	if hints := members(keys["annotations"]); hints != nil {
		t.Annotations = &Annotations{
			ReadOnly:    value[*bool](hints["readOnlyHint"]),
			Destructive: value[*bool](hints["destructiveHint"]),
			Idempotent:  value[*bool](hints["idempotentHint"]),
			OpenWorld:   value[*bool](hints["openWorldHint"]),
		}
	}
	return nil
}

// members are those of an object as they are written, and nil for all else. A struct would take keys in any case.
func members(text json.RawMessage) (members map[string]json.RawMessage) {
	if json.Unmarshal(text, &members) != nil {
		return nil
	}
	return members
}

// value reads a value of one type; zero for all else, never half of a list.
func value[T any](text json.RawMessage) T {
	var read, zero T
	if json.Unmarshal(text, &read) != nil {
		return zero
	}
	return read
}

// MarshalJSON writes the text that was read, or else the fields.
func (t Tool) MarshalJSON() ([]byte, error) {
	if t.JSON != nil {
		return t.JSON, nil
	}
	return json.Marshal(fields(t))
}

func (t Tool) written() any {
	if t.JSON != nil {
		return t.JSON
	}
	return fields(t)
}

// Annotations are MCP's hints on a tool's behaviour; nil is unstated.
type Annotations struct {
	ReadOnly    *bool `json:"readOnlyHint,omitempty"`
	Destructive *bool `json:"destructiveHint,omitempty"`
	Idempotent  *bool `json:"idempotentHint,omitempty"`
	OpenWorld   *bool `json:"openWorldHint,omitempty"`
}

// A Summary is a tool in short, as AllTools lists them.
type Summary struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Server      string   `json:"server,omitempty"`
	Tags        []string `json:"tags,omitempty"`
}

// A Report says what a change of tools did.
type Report struct {
	Added    []ToolID        `json:"added"`
	Replaced []ToolID        `json:"replaced"`
	Removed  []ToolID        `json:"removed"`
	Refused  []Refusal       `json:"refused"` // The others were taken.
	Warnings []ReportWarning `json:"warnings"`
	Total    int             `json:"total"` // How many tools are registered now.
}

// A Refusal says why one tool was not taken.
type Refusal struct {
	Index   int    `json:"index"` // The place in the list that was handed in, from 0.
	Server  string `json:"server"`
	Name    string `json:"name"` // Empty where none could be read.
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Path    string `json:"path,omitempty"`
}

// A ReportWarning is something to know of a tool that was taken, or of the list as a whole; then Name is empty.
type ReportWarning struct {
	Code    string `json:"code"`
	Server  string `json:"server"`
	Name    string `json:"name"`
	Message string `json:"message"`
}

// A Rule says what happens to the tools it matches, for some intents or all.
type Rule struct {
	Name         string `json:"name,omitempty"`
	Intent       string `json:"intent,omitempty"` // A pattern; empty and "*" are every intent.
	Match        Match  `json:"match"`
	Action       Action `json:"action"`
	Priority     int64  `json:"priority,omitempty"`
	EmptyInclude string `json:"empty_include,omitempty"` // open, closed
}

// A Match says which tools a rule is for: those that fit every field that is set.
type Match struct {
	Patterns    []string     `json:"patterns,omitempty"`
	Tags        []string     `json:"tags,omitempty"`
	Servers     []string     `json:"servers,omitempty"`
	Annotations *Annotations `json:"annotations,omitempty"`
	IgnoreCase  bool         `json:"ignore_case,omitempty"`
	Not         *Match       `json:"not,omitempty"`
}

// An Action is what a rule does: include, exclude, allow, pin, summarize or full.
type Action struct {
	Type string `json:"type"`
}

// A RuleSource is where rules come from: one of Rules, Text and Path.
type RuleSource struct {
	Rules  []Rule
	Text   string
	Path   string // A file; its ending decides the format.
	Format string // yaml, json
	File   string // The name that errors show for Text.
}

// MarshalJSON writes the source that is set; none is a list without rules, unless a Format or File says that an empty Text is meant.
func (s RuleSource) MarshalJSON() ([]byte, error) {
	if s.Rules != nil && (s.Text != "" || s.Path != "") || s.Text != "" && s.Path != "" {
		return nil, errors.New("a RuleSource has one of Rules, Text and Path")
	}
	return json.Marshal(s.written())
}

func (s RuleSource) written() any {
	request := map[string]any{}
	switch {
	case s.Path != "":
		request["path"] = s.Path
	case len(s.Rules) == 0 && (s.Text != "" || s.Format != "" || s.File != ""):
		request["text"] = s.Text
	default:
		request["rules"] = append([]Rule{}, s.Rules...)
	}
	if s.Format != "" {
		request["format"] = s.Format
	}
	if s.File != "" {
		request["file"] = s.File
	}
	return request
}

// A SelectRequest asks for the tools of one turn. The zero value asks for all that the rules show.
type SelectRequest struct {
	Message  string   `json:"message,omitempty"`   // What the user wrote.
	Intent   *string  `json:"intent,omitempty"`    // Wins over what the message says, also where it is empty; nil takes the message's.
	Hints    []string `json:"hints,omitempty"`     // Words, tool names and tags to raise.
	Pins     []string `json:"pins,omitempty"`      // server/name or names: ahead of rank, never cut.
	MinScore *float64 `json:"min_score,omitempty"` // 0 to 1; needs Message or Hints.
	Order    string   `json:"order,omitempty"`     // rank, registered
	Language string   `json:"language,omitempty"`  // That of Message, as "en"; guessed where empty.
	Budget   *Budget  `json:"budget,omitempty"`
	Format   string   `json:"format,omitempty"` // mcp
	Explain  bool     `json:"explain,omitempty"`
}

// A Budget says how much may be shown: Tokens, or Share of Window, and MaxTools; nil is no limit.
type Budget struct {
	Tokens   *int64   `json:"tokens,omitempty"`
	Share    *float64 `json:"share,omitempty"`
	Window   *int64   `json:"window,omitempty"`
	MaxTools *int64   `json:"max_tools,omitempty"`
}

// TokenBudget is a budget of so many tokens.
func TokenBudget(tokens int64) *Budget { return &Budget{Tokens: &tokens} }

// ForIntent is a request for an intent.
func ForIntent(intent string) SelectRequest { return SelectRequest{Intent: &intent} }

// A Selection is the answer for one turn.
type Selection struct {
	Tools         []Tool       `json:"tools"`
	Count         int          `json:"count"`
	Total         int          `json:"total"` // How many tools are registered.
	Intent        string       `json:"intent"`
	Intents       []Intent     `json:"intents,omitempty"` // What was found in the message.
	Rationale     string       `json:"rationale"`
	Tokens        int64        `json:"tokens"`
	Hidden        int          `json:"hidden"` // How many tools the rules hid.
	Cut           Cuts         `json:"cut"`
	Summarized    []ToolID     `json:"summarized,omitempty"`
	OverrideBlock string       `json:"override_block,omitempty"`
	Warnings      []Warning    `json:"warnings,omitempty"`
	Explanation   *Explanation `json:"explanation,omitempty"`
}

// Cuts say how many tools each limit cut.
type Cuts struct {
	MinScore int `json:"min_score"`
	Tokens   int `json:"tokens"`
	MaxTools int `json:"max_tools"`
}

// A Warning is something to know of a selection or a ranking.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// An Intent is a purpose found in a message.
type Intent struct {
	Name       string   `json:"name"`
	Confidence float64  `json:"confidence"` // 0 to 1.
	Keywords   []string `json:"keywords"`   // The phrases found.
}

// An Explanation tells the fate of every tool and the work of every rule.
type Explanation struct {
	Tools []ToolFate `json:"tools"`
	Rules []RuleWork `json:"rules"`
}

// A ToolFate says what happened to a tool and what decided it.
type ToolFate struct {
	Server string    `json:"server"`
	Name   string    `json:"name"`
	Fate   string    `json:"fate"` // shown, summarized, hidden, cut
	By     string    `json:"by"`   // rule, whitelist, default, pin, min_score, tokens, max_tools
	Rule   string    `json:"rule,omitempty"`
	Score  float64   `json:"score"`
	Rank   int       `json:"rank,omitempty"`
	Tokens int64     `json:"tokens"`
	Pinned bool      `json:"pinned"`
	Terms  []TermHit `json:"terms,omitempty"` // What gave the score.
}

// A TermHit is a word of the message that a tool was found by.
type TermHit struct {
	Term  string `json:"term"`
	Found string `json:"found,omitempty"` // What the tool has in its place, where that is another.
	By    string `json:"by"`              // word, stem, pair, tag, synonym, topic, token_type
	// Fields are those that have it: name, title, first_sentence, description, parameter_name, parameter_description, parameter_value, server, tag.
	Fields []string `json:"fields"`
	Weight float64  `json:"weight"` // How much it counts.
	Score  float64  `json:"score"`  // What it adds, before shares of name and message.
}

// A RankRequest asks for the tools that fit a message best. The zero value asks for nothing and finds none.
type RankRequest struct {
	Message  string   `json:"message,omitempty"`   // What the user wrote.
	Hints    []string `json:"hints,omitempty"`     // Words, tool names and tags to raise.
	Top      *int     `json:"top,omitempty"`       // At most so many tools; nil is 20.
	MinScore *float64 `json:"min_score,omitempty"` // 0 to 1; tools with less are left out.
	Language string   `json:"language,omitempty"`  // That of Message, as "en"; guessed where empty.
	Explain  bool     `json:"explain,omitempty"`   // Adds Terms to each tool.
	Indices  bool     `json:"indices,omitempty"`   // Gives Index in place of Server and Name.
}

// A Ranking is the answer of Rank: the tools by falling score, then server and name.
type Ranking struct {
	Tools    []Ranked  `json:"tools"`
	Language string    `json:"language"` // The one that the message was read in.
	Warnings []Warning `json:"warnings,omitempty"`
}

// A Ranked is one tool of a Ranking.
type Ranked struct {
	Server string    `json:"server,omitempty"`
	Name   string    `json:"name,omitempty"`
	Index  int       `json:"index,omitempty"` // With Indices: its place in the order of registration, from 0.
	Score  float64   `json:"score"`           // 0 to 1.
	Terms  []TermHit `json:"terms,omitempty"` // With Explain: what it was found by.
}

// ID is the tool's identity; zero with Indices.
func (r Ranked) ID() ToolID { return ToolID{Server: r.Server, Name: r.Name} }

// A RuleWork says how many registered tools a rule matches, and how many it decided on.
type RuleWork struct {
	Name    string `json:"name"`
	Action  string `json:"action"`
	Applies bool   `json:"applies"`
	Matched int    `json:"matched"`
	Decided int    `json:"decided"`
}

// Hints are guidance on a tool.
type Hints struct {
	Preconditions []string `json:"preconditions,omitempty"`
	AntiPatterns  []string `json:"anti_patterns,omitempty"`
	ChainsWith    []string `json:"chains_with,omitempty"`
	OutputShape   string   `json:"output_shape,omitempty"`
}

// Info tells what the library is.
type Info struct {
	Version   string             `json:"version"`
	ABI       int                `json:"abi"`
	Profiles  []Profile          `json:"profiles"`
	Limits    map[string]int64   `json:"limits"`
	Languages []string           `json:"languages"` // Those that a message may be in.
	Ranking   map[string]float64 `json:"ranking"`   // The weights of the score, as they are where Options say nothing.
	Constants map[string]float64 `json:"constants"`
}

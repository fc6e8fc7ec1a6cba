package broker

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"toolbroker.test/go/toolbroker"
)

// A Broker selects tools.
type Broker interface {
	// SelectTools selects the tools for an intent. hints are not used.
	SelectTools(ctx context.Context, intent string, hints []string) (*SelectResult, error)
	// AllTools lists the registered tools.
	AllTools() []ToolSummary
}

// A LocalBroker is a Broker in this process. Its methods may be called from many goroutines at once. The zero value has no tools and no rules. It must not be
// copied once it is in use, and a nil *LocalBroker panics when it is used, as a nil pointer does.
type LocalBroker struct {
	once sync.Once
	core *toolbroker.Broker
	err  error

	enricher Enricher

	// Held while tools are registered. A tool is in tools before the core knows it, so that every index the core gives is there.
	registering sync.Mutex
	tools       atomic.Pointer[[]ToolDefinition]
	// Held while rules are loaded, so that the last outcome is that of the rules in force.
	loading sync.Mutex
	// Why the core lacks tools, or rules, that it should have. Rules that load later make up for those that did not; tools stay lost.
	lackingTools, lackingRules atomic.Pointer[error]
}

// An Option changes a LocalBroker while it is made.
type Option func(*LocalBroker)

// WithEnricher sets who knows guidance on tools.
func WithEnricher(enricher Enricher) Option {
	return func(b *LocalBroker) { b.enricher = enricher }
}

// NewLocalBroker makes a broker with tools and rules.
func NewLocalBroker(tools []ToolDefinition, rules []Rule, opts ...Option) *LocalBroker {
	b := &LocalBroker{}
	b.LoadRules(rules)
	b.RegisterTools(tools)
	for _, option := range opts {
		option(b)
	}
	return b
}

// open gives the core, which is made at first use. C holds nothing of Go: the Enricher is called from here, and the core is freed with the broker.
func (b *LocalBroker) open() (*toolbroker.Broker, error) {
	b.once.Do(func() { b.core, b.err = toolbroker.New(toolbroker.Options{Profile: toolbroker.Go02}) })
	return b.core, b.err
}

// What the core matches rules on; the rest of a tool stays here.
type registration struct {
	Name   string   `json:"name"`
	Server string   `json:"server,omitempty"`
	Tags   []string `json:"tags,omitempty"`
}

// How much text is registered in one call. The library takes 256 MiB.
const batchBytes = 32 << 20

// RegisterTools appends tools. None is refused, and two of one name stay side by side.
func (b *LocalBroker) RegisterTools(tools []ToolDefinition) {
	if len(tools) == 0 {
		return
	}
	core, err := b.open()
	if err != nil {
		b.lackTools(err)
		return
	}
	b.registering.Lock()
	defer b.registering.Unlock()
	known := append(b.definitions(), tools...)
	b.tools.Store(&known)

	var batch bytes.Buffer
	flush := func() error {
		defer batch.Reset()
		_, err := core.AddTools("", "["+batch.String()+"]")
		return err
	}
	for i := range tools {
		tool, err := json.Marshal(registration{tools[i].Name, tools[i].Server, tools[i].Tags})
		if err == nil && batch.Len() > 0 && batch.Len()+len(tool) > batchBytes {
			err = flush()
		}
		if err != nil {
			b.lackTools(err)
			return
		}
		if batch.Len() > 0 {
			batch.WriteByte(',')
		}
		batch.Write(tool)
	}
	if err := flush(); err != nil {
		b.lackTools(err)
	}
}

// LoadRules puts rules in force in place of those before. When it fails, that is logged, and SelectTools returns the error until rules load.
func (b *LocalBroker) LoadRules(rules []Rule) {
	b.loading.Lock()
	defer b.loading.Unlock()
	core, err := b.open()
	if err == nil {
		var text []byte
		if text, err = json.Marshal(map[string]any{"rules": append([]Rule{}, rules...)}); err == nil {
			_, err = core.Call(context.Background(), "load_rules", text)
		}
	}
	if err == nil {
		b.lackingRules.Store(nil)
		return
	}
	err = lack("load rules", err)
	b.lackingRules.Store(&err)
}

// lackTools keeps the first failure to register.
func (b *LocalBroker) lackTools(err error) {
	err = lack("register tools", err)
	b.lackingTools.CompareAndSwap(nil, &err)
}

// lack logs the failure of a call that has no error to return. Selecting as if nothing had happened would be wrong, so SelectTools returns it.
func lack(what string, err error) error {
	slog.Error("toolbroker: "+what+" failed", "err", err)
	return fmt.Errorf("%s: %w", what, err)
}

func (b *LocalBroker) definitions() []ToolDefinition {
	if tools := b.tools.Load(); tools != nil {
		return *tools
	}
	return nil
}

// AllTools lists the registered tools, in the order of registration.
func (b *LocalBroker) AllTools() []ToolSummary {
	tools := b.definitions()
	all := make([]ToolSummary, 0, len(tools))
	for i := range tools {
		all = append(all, ToolSummary{tools[i].Name, tools[i].Description, tools[i].Server, tools[i].Tags})
	}
	return all
}

// SelectTools selects the tools for an intent, by the rules. hints are not used. When the Enricher fails that is logged, and the selection has no
// override block.
func (b *LocalBroker) SelectTools(ctx context.Context, intent string, hints []string) (*SelectResult, error) {
	core, err := b.open()
	if err != nil {
		return nil, err
	}
	for _, lacking := range []*error{b.lackingTools.Load(), b.lackingRules.Load()} {
		if lacking != nil {
			return nil, *lacking
		}
	}
	request, err := json.Marshal(map[string]any{"intent": intent, "indices": true})
	if err != nil {
		return nil, err
	}
	// The context is the Enricher's alone, as it was.
	answer, err := core.Call(context.Background(), "select", request)
	if err != nil {
		return nil, err
	}
	var selected struct {
		Tools     []int
		Total     int
		Rationale string
	}
	if err := json.Unmarshal(answer, &selected); err != nil {
		return nil, err
	}
	result := &SelectResult{
		Tools: pick(b.definitions(), selected.Tools), Count: len(selected.Tools), Total: selected.Total, Intent: intent, Rationale: selected.Rationale,
	}
	b.annotate(ctx, result)
	return result, nil
}

func (b *LocalBroker) annotate(ctx context.Context, result *SelectResult) {
	if b.enricher == nil || result.Count == 0 {
		return
	}
	names := make([]string, len(result.Tools))
	for i := range result.Tools {
		names[i] = result.Tools[i].Name
	}
	block, err := ComposeOverrideBlock(ctx, names, b.enricher)
	if err != nil {
		slog.WarnContext(ctx, "toolbroker: compose override block failed", "err", err)
		return
	}
	result.OverrideBlock = block
}

// pick takes tools by their places; nil for none.
func pick(tools []ToolDefinition, places []int) []ToolDefinition {
	if len(places) == 0 {
		return nil
	}
	picked := make([]ToolDefinition, len(places))
	for i, place := range places {
		picked[i] = tools[place]
	}
	return picked
}

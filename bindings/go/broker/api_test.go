package broker_test

import (
	"context"

	"toolbroker.test/go/broker"
)

// The API of the replaced package, as the compiler checks it: a program that uses any of it this way still builds.
var (
	_ broker.Broker   = (*broker.LocalBroker)(nil)
	_ broker.Enricher = broker.NopEnricher{}
	_ broker.Option   = func(*broker.LocalBroker) {}

	_ func([]broker.ToolDefinition, []broker.Rule, ...broker.Option) *broker.LocalBroker         = broker.NewLocalBroker
	_ func(broker.Enricher) broker.Option                                                        = broker.WithEnricher
	_ func(*broker.LocalBroker, []broker.ToolDefinition)                                         = (*broker.LocalBroker).RegisterTools
	_ func(*broker.LocalBroker, []broker.Rule)                                                   = (*broker.LocalBroker).LoadRules
	_ func(*broker.LocalBroker) []broker.ToolSummary                                             = (*broker.LocalBroker).AllTools
	_ func(*broker.LocalBroker, context.Context, string, []string) (*broker.SelectResult, error) = (*broker.LocalBroker).SelectTools
	_ func(string) (*broker.Config, error)                                                       = broker.LoadConfig
	_ func(string) ([]broker.Rule, error)                                                        = broker.LoadRulesFromFile
	_ func() []broker.Rule                                                                       = broker.DefaultRules
	_ func(string) []broker.Intent                                                               = broker.DetectIntent
	_ func(string) []string                                                                      = broker.TokenizeIntent
	_ func([]broker.ToolDefinition, []string, int) []broker.ToolDefinition                       = broker.ScoreByKeywords
	_ func([]broker.ToolDefinition, string, int) []broker.ToolDefinition                         = broker.ScoreByIntent
	_ func([]broker.ToolDefinition, []string) []broker.ToolDefinition                            = broker.FindByNames
	_ func([]broker.ToolDefinition) int                                                          = broker.EstimateToolTokens
	_ func([]broker.ToolDefinition, int) []broker.ToolDefinition                                 = broker.PruneToTokenBudget
	_ func(context.Context, []string, broker.Enricher) (string, error)                           = broker.ComposeOverrideBlock
	_ func(broker.Hints) (string, error)                                                         = broker.MarshalHints
	_ func(string) (broker.Hints, error)                                                         = broker.UnmarshalHints
	_ func(broker.Hints) bool                                                                    = broker.Hints.IsEmpty
	_ func(broker.NopEnricher, context.Context, string) (broker.Hints, bool, error)              = broker.NopEnricher.LookupByToolName

	// Literals without field names hold the order of the fields too.
	_ = broker.ToolDefinition{"name", "description", map[string]any{}, "server", []string{}, "cost"}
	_ = broker.ToolSummary{"name", "description", "server", []string{}}
	_ = broker.SelectResult{[]broker.ToolDefinition{}, 0, 0, "intent", "rationale", "block"}
	_ = broker.Rule{"name", "intent", broker.Match{[]string{}, []string{}, []string{}}, broker.Action{"include"}, 0}
	_ = broker.Config{[]broker.Rule{}}
	_ = broker.Intent{"name", 0.5, []string{}}
	_ = broker.Hints{[]string{}, []string{}, []string{}, "shape"}
)

// Constants without a type, as they were.
const (
	_ float32 = broker.DefaultTokenBudgetPct
	_ uint64  = broker.DefaultContextWindowTokens
	_ int8    = broker.MinKeywordScore
)

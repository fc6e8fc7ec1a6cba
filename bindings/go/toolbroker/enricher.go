package toolbroker

import (
	"context"
	"encoding/json"
	"errors"

	"toolbroker.test/go/internal/capi"
)

// An Enricher knows guidance on tools, which Select and Overrides make an override block of. It is called on the goroutine of the call and may call
// the same broker; it must not end the goroutine (runtime.Goexit). Several calls may run at once.
//
// Hints answers one for each tool, in order, nil for a tool without; a nil list is none at all. An error fails Overrides and is a warning of Select;
// ErrStop, or the context's own error, ends either. A panic reaches the caller of the broker.
type Enricher interface {
	Hints(ctx context.Context, tools []ToolID) ([]*Hints, error)
}

// An EnricherFunc is a function that is an Enricher.
type EnricherFunc func(ctx context.Context, tools []ToolID) ([]*Hints, error)

// Hints calls the function.
func (f EnricherFunc) Hints(ctx context.Context, tools []ToolID) ([]*Hints, error) {
	return f(ctx, tools)
}

// callbacks are those of one call, with its context. What the Enricher or the Embedder failed with is kept in cause.
func (b *Broker) callbacks(ctx context.Context, cause *error) *capi.State {
	return &capi.State{
		Enrich: func(request string) (string, int) {
			answer, err := b.enrich(ctx, request)
			if err == nil {
				return answer, 0
			}
			*cause = err
			return err.Error(), status(ctx, err)
		},
		Embed: func(request string) ([][]float32, string, int) {
			vectors, err := b.embed(ctx, request)
			if err == nil {
				return vectors, "", 0
			}
			*cause = err
			return nil, err.Error(), status(ctx, err)
		},
		Warn: func(message string) { b.logger.WarnContext(ctx, message) },
	}
}

// status is what a callback that failed answers: the end of the call, or of what it was asked for alone.
func status(ctx context.Context, err error) int {
	if errors.Is(err, ErrStop) || ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return capi.Stop
	}
	return -1
}

func (b *Broker) enrich(ctx context.Context, request string) (string, error) {
	var asked struct {
		Tools []ToolID `json:"tools"`
	}
	if err := json.Unmarshal([]byte(request), &asked); err != nil {
		return "", err
	}
	hints, err := b.enricher.Hints(ctx, asked.Tools)
	if err != nil || hints == nil {
		return "", err
	}
	return encode("", map[string]any{"hints": hints})
}

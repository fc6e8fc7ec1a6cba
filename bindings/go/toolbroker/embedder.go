package toolbroker

import (
	"context"
	"encoding/json"
	"fmt"
)

// An Embedder turns texts into vectors, by which Select and Rank compare a message with tools beside their words. It is called on the goroutine of the
// call and may call the same broker; it must not end the goroutine (runtime.Goexit). Several calls may run at once.
//
// Embed answers a vector for each text, in order; all that it ever answers have one length. A tool's text is asked for once, at most 64 in one call
// (Info.Limits, "embedding_batch"); a message each time. An error, or vectors that do not fit, fail EmbedTools and are the warning embedder_failed of
// Select and Rank, which then go by words; ErrStop, or the context's own error, ends any of them. A panic reaches the caller of the broker.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// An EmbedderFunc is a function that is an Embedder.
type EmbedderFunc func(ctx context.Context, texts []string) ([][]float32, error)

// Embed calls the function.
func (f EmbedderFunc) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return f(ctx, texts)
}

func (b *Broker) embed(ctx context.Context, request string) ([][]float32, error) {
	var asked struct {
		Texts []string `json:"texts"`
	}
	if err := json.Unmarshal([]byte(request), &asked); err != nil {
		return nil, err
	}
	vectors, err := b.embedder.Embed(ctx, asked.Texts)
	if err == nil && len(vectors) != len(asked.Texts) {
		err = fmt.Errorf("%d vectors for %d texts", len(vectors), len(asked.Texts))
	}
	return vectors, err
}

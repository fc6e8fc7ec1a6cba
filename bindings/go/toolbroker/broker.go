package toolbroker

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime"

	"toolbroker.test/go/internal/capi"
)

// A Broker holds all tools, rules and intents. It may be used from many goroutines at once: a call sees one state from beginning to end, and neither
// waits for changes nor makes them wait. A call that failed changed nothing.
//
// Close frees it; a broker that is forgotten is freed when it is collected, so that a Broker must not be copied: pass the pointer that New gave. Methods of a
// nil *Broker fail with NullArgument, those of the zero value with ErrClosed.
type Broker struct {
	_        noCopy
	handle   *capi.Handle
	enricher Enricher
	embedder Embedder
	logger   *slog.Logger
}

// noCopy lets `go vet` tell where a value that holds it is copied: a copy would outlive the handle that is freed with the first.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// New makes a broker: without tools and rules, with the built-in intents.
func New(options Options) (*Broker, error) {
	text, err := marshal(options)
	if err != nil {
		return nil, err
	}
	if options.JSON != nil {
		text = string(options.JSON)
	}
	handle, failure := capi.New(text, options.Enricher != nil, options.Embedder != nil, options.Logger != nil)
	if failure != nil {
		return nil, failed(failure, nil)
	}
	b := &Broker{handle: handle, enricher: options.Enricher, embedder: options.Embedder, logger: options.Logger}
	runtime.AddCleanup(b, (*capi.Handle).Close, handle)
	return b, nil
}

// Close frees the broker once no call is under way; it does not wait for them. Later calls fail with ErrClosed, and a second Close does nothing.
func (b *Broker) Close() error {
	if b == nil {
		return noBroker()
	}
	if b.handle != nil {
		b.handle.Close()
	}
	return nil
}

// noBroker is the error of a method of a nil *Broker.
func noBroker() *Error {
	return &Error{Code: NullArgument, Message: "the broker is nil", Status: capi.NullArgument}
}

// library stands for a broker in calls that need none.
var library = &Broker{}

// Call runs any call of docs/contract.md by its name, with a request and an answer as JSON: a request may be a string, a []byte, nil, or a value for
// json.Marshal. The other methods are this with types. The context goes to the Enricher, the Embedder and the Logger; a call whose context is done is not
// begun.
func (b *Broker) Call(ctx context.Context, name string, request any) (json.RawMessage, error) {
	return run(ctx, b, name, request)
}

// Call runs a call that needs no broker: "info", "default_rules", "read_rules" or "read_hints".
func Call(name string, request any) (json.RawMessage, error) {
	return run(context.Background(), library, name, request)
}

// run is the one way into the library.
func run(ctx context.Context, b *Broker, name string, request any) (json.RawMessage, error) {
	if b == nil {
		return nil, noBroker()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	call, found := capi.Named(name)
	if !found || b == library && !call.NeedsNoBroker() {
		return nil, &Error{Code: InvalidRequest, Message: fmt.Sprintf("unknown call `%s`", name), Status: capi.InvalidRequest}
	}
	text, err := marshal(request)
	if err != nil {
		return nil, err
	}
	var handle *capi.Handle
	if b != library {
		if handle = b.handle; handle == nil {
			return nil, ErrClosed
		}
	}
	var cause error
	var state *capi.State
	if b.enricher != nil || b.embedder != nil || b.logger != nil {
		state = b.callbacks(ctx, &cause)
	}
	answer, failure, open := capi.Run(handle, call, text, state)
	// The cleanup of a broker that nobody holds any more would close it before the call began.
	runtime.KeepAlive(b)
	if !open {
		return nil, ErrClosed
	}
	if failure != nil {
		return nil, failed(failure, cause)
	}
	return json.RawMessage(answer), nil
}

func (b *Broker) selectIndices(request string) ([]int, error) {
	if b == nil {
		return nil, noBroker()
	}
	if b.handle == nil {
		return nil, ErrClosed
	}
	indices, failure, open := capi.SelectIndices(b.handle, request)
	runtime.KeepAlive(b)
	if !open {
		return nil, ErrClosed
	}
	if failure != nil {
		return nil, failed(failure, nil)
	}
	return indices, nil
}

// typed runs a call and reads its answer: the whole of it, or the zero value and an error.
func typed[T any](ctx context.Context, b *Broker, name string, request any) (T, error) {
	var answer, zero T
	text, err := run(ctx, b, name, request)
	if err != nil {
		return zero, err
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		message := fmt.Sprintf("the answer of `%s` does not fit its type: %v", name, err)
		return zero, &Error{Code: InvalidJSON, Message: message, Status: capi.InvalidJSON, cause: err}
	}
	return answer, nil
}

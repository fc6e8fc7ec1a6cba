package toolbroker

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"toolbroker.test/go/internal/capi"
)

// A Code is the kind of an error. It is stable, and an error itself, so that errors.Is(err, toolbroker.InvalidRule) asks for a kind.
type Code string

// The codes of docs/contract.md, "Errors". A later library may give others.
const (
	Panic          Code = "panic"           // A fault of the library was caught; the broker stays usable.
	NullArgument   Code = "null_argument"   // A nil *Broker.
	InvalidUTF8    Code = "invalid_utf8"    // Text that is not UTF-8.
	InvalidJSON    Code = "invalid_json"    // Text that is not JSON, or an answer that does not fit its type.
	InvalidYAML    Code = "invalid_yaml"    // Text that is not YAML.
	InvalidRequest Code = "invalid_request" // An unknown key, a wrong type, a value out of range.
	InvalidOptions Code = "invalid_options" // The same, in options.
	InvalidRule    Code = "invalid_rule"    // A rule text with faults.
	InvalidIntents Code = "invalid_intents" // An intent table with faults.
	InvalidHints   Code = "invalid_hints"   // Text that is not hints.
	InvalidTool    Code = "invalid_tool"    // Tools that are no list, or one that was refused.
	TooLarge       Code = "too_large"       // Over a limit of size or number.
	TooDeep        Code = "too_deep"        // Nested deeper than the limit.
	IO             Code = "io"              // A file that cannot be read.
	Callback       Code = "callback"        // The Enricher or the Embedder failed; errors.Is and errors.As reach its own error.
	Stopped        Code = "stopped"         // The Enricher or the Embedder asked to stop.
)

// Error is the code itself.
func (c Code) Error() string { return string(c) }

// ErrClosed is the error of every call on a broker after Close, and on the zero value.
var ErrClosed = errors.New("toolbroker: the broker is closed")

// ErrStop is what an Enricher or an Embedder returns to end the call with Stopped.
var ErrStop = errors.New("toolbroker: stop")

// A Place is where a fault is; what is not known is zero.
type Place struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`   // From 1.
	Column int    `json:"column,omitempty"` // From 1, in characters.
	Path   string `json:"path,omitempty"`   // As rules[2].match.patterns[0].
}

// An Error says why a call failed. A failed call changed nothing.
type Error struct {
	Code           Code    `json:"code"`
	Message        string  `json:"message"` // One line, without place and hint.
	At             Place   `json:"at"`
	Hint           string  `json:"hint,omitempty"`            // What to do.
	CallbackStatus *int    `json:"callback_status,omitempty"` // The number that a callback answered.
	Faults         []Error `json:"faults,omitempty"`          // Every fault where there are several, the first being this one.
	Status         int     `json:"-"`                         // The number that C has for the code.
	line           string
	cause          error
}

// Error is one line with place and hint; for one of several Faults its message.
func (e *Error) Error() string {
	if e.line == "" {
		return e.Message
	}
	return e.line
}

// Is tells whether target is the error's Code.
func (e *Error) Is(target error) bool { return target == error(e.Code) }

// Unwrap is the own error of the Enricher or the Embedder, where it was one that failed.
func (e *Error) Unwrap() error { return e.cause }

// failed makes the error of a failed call. A status of a later library keeps its own name.
func failed(failure *capi.Failure, cause error) *Error {
	e := &Error{Status: failure.Status, line: failure.Message, cause: cause}
	if json.Unmarshal([]byte(failure.JSON), e) != nil || e.Code == "" {
		e.Code, e.Message = Code(capi.StatusName(failure.Status)), failure.Message
	}
	return e
}

// lineUp moves the place of an error, which counts from one line above the caller's text, up by that line.
func (e *Error) lineUp() {
	if e.At.Line < 2 {
		return
	}
	before := fmt.Sprintf("%d:%d:", e.At.Line, e.At.Column)
	e.At.Line--
	if rest, found := strings.CutPrefix(e.line, before); found {
		e.line = fmt.Sprintf("%d:%d:", e.At.Line, e.At.Column) + rest
	}
}

// Package capi calls the C library. It knows handles, bytes and statuses; what they mean is the business of the packages above it.
package capi

// #include "capi.h"
// #cgo noescape capi_call
// #cgo nocallback capi_call
// #cgo noescape capi_call_number
// #cgo nocallback capi_call_number
import "C"

import (
	"fmt"
	"sync/atomic"
	"unsafe"
)

func init() {
	if header, library := uint32(C.TB_ABI_VERSION), uint32(C.tb_abi_version()); header != library {
		panic(fmt.Sprintf("toolbroker: the linked library speaks ABI %d, this package was made for ABI %d", library, header))
	}
}

// Version is that of the linked library, such as "0.1.0".
func Version() string { return C.GoString(C.tb_version()) }

// ABI is the number of the linked library's ABI.
func ABI() int { return int(C.tb_abi_version()) }

// The statuses of what is found out without the library.
const (
	NullArgument   = int(C.TB_ERR_NULL_ARGUMENT)
	InvalidUTF8    = int(C.TB_ERR_INVALID_UTF8)
	InvalidJSON    = int(C.TB_ERR_INVALID_JSON)
	InvalidRequest = int(C.TB_ERR_INVALID_REQUEST)
)

// StatusName is the name of a status, such as "invalid_rule", or "unknown".
func StatusName(status int) string { return C.GoString(C.tb_status_name(C.int32_t(status))) }

// Failure is what a failed call gave: it was read and freed in that same call.
type Failure struct {
	Status  int
	Message string // One line with place and hint.
	JSON    string // The same as JSON, with every fault.
}

// take reads a C error and frees it; nil for TB_OK.
func take(status C.int32_t, object *C.tb_error) *Failure {
	if status == C.TB_OK {
		return nil
	}
	failure := &Failure{Status: int(C.tb_error_status(object)), Message: C.GoString(C.tb_error_message(object)), JSON: C.GoString(C.tb_error_json(object))}
	C.tb_error_free(object)
	return failure
}

// Call is a call of the contract, by name.
type Call struct {
	number C.int
}

// Named finds a call; false where the library has none of that name.
func Named(name string) (Call, bool) {
	pointer, length := text(name)
	number := C.capi_call_number(pointer, length)
	return Call{number}, number >= 0
}

// NeedsNoBroker tells whether the call belongs to the library.
func (c Call) NeedsNoBroker() bool { return C.capi_needs_no_broker(c.number) != 0 }

// Handle is a broker of the C library. It may be shared between goroutines: it is freed when it is closed and no call is under way.
type Handle struct {
	pointer   *C.tb_broker
	callbacks bool
	// One for the owner, until Close, and one for each call under way.
	references atomic.Int64
	closed     atomic.Bool
}

// New makes a broker. With callbacks, each call brings its own State.
func New(options string, withEnricher, withEmbedder, withLogger bool) (*Handle, *Failure) {
	handle := &Handle{callbacks: withEnricher || withEmbedder || withLogger}
	handle.references.Store(1)
	pointer, length := text(options)
	var object *C.tb_error
	status := C.capi_new(pointer, length, number(withEnricher), number(withEmbedder), number(withLogger), &handle.pointer, &object)
	if failure := take(status, object); failure != nil {
		return nil, failure
	}
	return handle, nil
}

func number(b bool) C.int {
	if b {
		return 1
	}
	return 0
}

// Close ends the owner's use. The first call does so and the others do nothing; the broker is freed once no call is under way.
func (h *Handle) Close() {
	if !h.closed.Swap(true) {
		h.release()
	}
}

// acquire keeps the broker alive for one call; false once it is closed.
func (h *Handle) acquire() bool {
	storm()
	for {
		references := h.references.Load()
		if h.closed.Load() || references == 0 {
			return false
		}
		if h.references.CompareAndSwap(references, references+1) {
			return true
		}
	}
}

func (h *Handle) release() {
	if h.references.Add(-1) == 0 {
		C.tb_broker_free(h.pointer)
	}
}

// Run runs a call on a broker; a call that needs none takes nil. The third result is false for a broker that is closed.
func Run(h *Handle, call Call, request string, state *State) (string, *Failure, bool) {
	var broker *C.tb_broker
	if h != nil {
		if !h.acquire() {
			return "", nil, false
		}
		defer h.release()
		broker = h.pointer
	}
	var answer C.tb_buf
	var object *C.tb_error
	pointer, length := text(request)
	if h != nil && h.callbacks && state != nil {
		status := runWithCallbacks(call, broker, pointer, length, state, &answer, &object)
		return copied(&answer), take(status, object), true
	}
	status := C.capi_call(call.number, broker, pointer, length, &answer, &object)
	storm()
	return copied(&answer), take(status, object), true
}

// SelectIndices selects without JSON: the places of the tools in the order of registration.
func SelectIndices(h *Handle, request string) ([]int, *Failure, bool) {
	if !h.acquire() {
		return nil, nil, false
	}
	defer h.release()
	pointer, length := text(request)
	places := make([]C.size_t, 64)
	for {
		var count C.size_t
		var object *C.tb_error
		status := C.tb_broker_select_indices(h.pointer, pointer, length, unsafe.SliceData(places), C.size_t(len(places)), &count, &object)
		if failure := take(status, object); failure != nil {
			return nil, failure, true
		}
		if int(count) > len(places) {
			// Tools may be added between two tries, so it is tried until they fit.
			places = make([]C.size_t, count)
			continue
		}
		indices := make([]int, count)
		for at := range indices {
			indices[at] = int(places[at])
		}
		return indices, nil, true
	}
}

// text is a Go string as C takes it. C keeps it for the call alone.
func text(s string) (*C.char, C.size_t) {
	if s == "" {
		return nil, 0
	}
	return (*C.char)(unsafe.Pointer(unsafe.StringData(s))), C.size_t(len(s))
}

// copied takes an answer over and frees it. A length of C is never cut to 32 bits.
func copied(answer *C.tb_buf) string {
	if answer.data == nil {
		return ""
	}
	s := string(unsafe.Slice((*byte)(unsafe.Pointer(answer.data)), answer.len))
	C.tb_buf_free(answer)
	return s
}

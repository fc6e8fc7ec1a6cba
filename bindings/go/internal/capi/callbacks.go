package capi

// #include "capi.h"
import "C"

import (
	"fmt"
	"runtime/cgo"
	"unsafe"
)

// State is what the callbacks of one call have to do with. C holds a number for it, and only while the call runs.
type State struct {
	// Enrich answers an enricher's request with a text and a status: 0, Stop or a negative number.
	Enrich func(request string) (answer string, status int)
	// Embed answers an embedder's request with vectors and a status as above; with a negative one, the text says why.
	Embed func(request string) (vectors [][]float32, explanation string, status int)
	// Warn takes a warning.
	Warn func(message string)

	panicked bool
	panic    any
}

// Stop is the status with which an enricher or an embedder ends a call.
const Stop = C.TB_STOP

// runWithCallbacks lets no panic of a callback cross the frames of the library: it is kept and raised again when the call has returned.
func runWithCallbacks(call Call, broker *C.tb_broker, request *C.char, length C.size_t, state *State, answer *C.tb_buf, object **C.tb_error) C.int32_t {
	handle := cgo.NewHandle(state)
	defer handle.Delete()
	status := C.capi_call_with_callbacks(call.number, broker, request, length, C.uintptr_t(handle), answer, object)
	if state.panicked {
		C.tb_buf_free(answer)
		C.tb_error_free(*object)
		panic(state.panic)
	}
	return status
}

func (s *State) keep() {
	if reason := recover(); reason != nil && !s.panicked {
		s.panicked, s.panic = true, reason
	}
}

//export capiEnrich
func capiEnrich(handle C.uintptr_t, request *C.char, length C.size_t, writer *C.tb_writer) (status C.int32_t) {
	state := cgo.Handle(handle).Value().(*State)
	// What comes out of a panic: the call ends, and runWithCallbacks goes on with it.
	status = C.TB_STOP
	defer state.keep()
	answer, answered := state.Enrich(string(unsafe.Slice((*byte)(unsafe.Pointer(request)), length)))
	pointer, size := text(answer)
	if written := C.tb_writer_write(writer, pointer, size); written != C.TB_OK {
		return written
	}
	return C.int32_t(answered)
}

//export capiEmbed
func capiEmbed(handle C.uintptr_t, request *C.char, length C.size_t, vectors *C.tb_vectors) (status C.int32_t) {
	state := cgo.Handle(handle).Value().(*State)
	// As capiEnrich.
	status = C.TB_STOP
	defer state.keep()
	made, explanation, answered := state.Embed(string(unsafe.Slice((*byte)(unsafe.Pointer(request)), length)))
	for _, vector := range made {
		// The values are copied: C keeps nothing of Go.
		if pushed := C.tb_vectors_push(vectors, (*C.float)(unsafe.Pointer(unsafe.SliceData(vector))), C.size_t(len(vector))); pushed != C.TB_OK {
			explanation, answered = fmt.Sprintf("a vector of %d values is too large", len(vector)), int(pushed)
			break
		}
	}
	if answered != C.TB_OK {
		pointer, size := text(explanation)
		C.tb_vectors_explain(vectors, pointer, size)
	}
	return C.int32_t(answered)
}

//export capiWarn
func capiWarn(handle C.uintptr_t, message *C.char, length C.size_t) {
	state := cgo.Handle(handle).Value().(*State)
	defer state.keep()
	state.Warn(string(unsafe.Slice((*byte)(unsafe.Pointer(message)), length)))
}

//go:build toolbroker_test_panic

package capi

// #include "capi.h"
// int32_t tb_test_panic(tb_error **error);
import "C"

// Panic asks a library built with the feature test-panic to panic.
func Panic() *Failure {
	var object *C.tb_error
	return take(C.tb_test_panic(&object), object)
}

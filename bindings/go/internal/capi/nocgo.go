//go:build !cgo

package capi

// Without cgo nothing here can be built; the compiler says this name.
var _ = toolbroker_calls_a_C_library__set_CGO_ENABLED_to_1_and_CC_to_a_C_compiler_for_this_platform

//go:build !cgo

package capi

// Without cgo there is no way to the C library: the compiler stops here and says what to set.
var _ = toolbroker_needs_cgo__set_CGO_ENABLED_1_and_have_a_C_compiler

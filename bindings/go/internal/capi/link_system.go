//go:build toolbroker_system

package capi

// #cgo pkg-config: toolbroker
import "C"

//go:build !toolbroker_system

package capi

// The archive and the header stand in a folder for each platform, so that `go mod vendor` takes them along.

// #cgo linux,amd64 CFLAGS: -I${SRCDIR}/../lib/linux_amd64
// #cgo linux,arm64 CFLAGS: -I${SRCDIR}/../lib/linux_arm64
// #cgo linux,386 CFLAGS: -I${SRCDIR}/../lib/linux_386
import "C"

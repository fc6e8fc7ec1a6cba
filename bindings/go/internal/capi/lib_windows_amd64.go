//go:build !toolbroker_system

package capi

// #cgo CFLAGS: -I${SRCDIR}/../lib/windows_amd64
import "C"

import _ "toolbroker.test/go/internal/lib/windows_amd64"

//go:build !toolbroker_system

package capi

// #cgo CFLAGS: -I${SRCDIR}/../lib/darwin_amd64
import "C"

import _ "toolbroker.test/go/internal/lib/darwin_amd64"

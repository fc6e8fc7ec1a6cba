//go:build linux && arm64

// Package lib links libtoolbroker.a, which `make` puts beside this file together with its header.
package lib

// The go command does not look into an archive: its checksum, which make writes into archive.h, makes it link anew.

// #if __has_include("archive.h")
// #include "archive.h"
// #else
// #error "libtoolbroker.a is not here: run `make` at the top of toolbroker's repository, or build with -tags toolbroker_system"
// #endif
// #cgo LDFLAGS: ${SRCDIR}/libtoolbroker.a -lgcc_s -lutil -lrt -lpthread -lm -ldl -lc
import "C"

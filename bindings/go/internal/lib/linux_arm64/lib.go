// Package lib links libtoolbroker.a, which `make` puts beside this file together with its header.
package lib

// #cgo LDFLAGS: ${SRCDIR}/libtoolbroker.a -lgcc_s -lutil -lrt -lpthread -lm -ldl -lc
import "C"

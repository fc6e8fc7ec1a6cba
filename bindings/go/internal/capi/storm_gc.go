//go:build toolbroker_gcstorm

package capi

import "runtime"

// storm collects garbage at each use of a handle, so that a handle that is freed too early shows in the tests.
func storm() { runtime.GC() }

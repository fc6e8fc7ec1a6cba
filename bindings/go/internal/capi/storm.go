//go:build !toolbroker_gcstorm

package capi

func storm() {}

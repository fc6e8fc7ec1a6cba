// Package broker stands in for the Go package `broker` of toolbroker 0.2: a program changes its import line and behaves as before, on the C library in
// profile go-0.2. What the replaced package did wrong it does still; docs/migration.md lists that, what differs on purpose, and the way from here to
// package toolbroker.
package broker

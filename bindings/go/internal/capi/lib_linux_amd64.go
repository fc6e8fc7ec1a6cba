//go:build !toolbroker_system

package capi

import _ "toolbroker.test/go/internal/lib/linux_amd64"

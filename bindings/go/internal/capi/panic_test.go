//go:build toolbroker_test_panic

package capi

import (
	"strings"
	"testing"
)

func TestAPanicOfTheLibraryIsAFailureAndTheNextCallWorks(t *testing.T) {
	info, _ := Named("info")
	for range 3 {
		failure := Panic()
		if failure == nil || StatusName(failure.Status) != "panic" || !strings.Contains(failure.Message, "asked to panic") {
			t.Fatalf("%+v", failure)
		}
		if answer, failure, _ := Run(nil, info, "", nil); failure != nil || !strings.HasPrefix(answer, "{") {
			t.Errorf("%+v %q", failure, answer)
		}
	}
}

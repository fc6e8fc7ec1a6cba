package toolbroker

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestAnAnswerThatCannotBeReadIsAnErrorAndTheZeroValue(t *testing.T) {
	type half struct {
		Version string
		ABI     string
	}
	answer, err := typed[*half](Call("info", nil))
	var failure *Error
	var cause *json.UnmarshalTypeError
	if answer != nil || !errors.As(err, &failure) || failure.Code != InvalidJSON || failure.Status != -4 || !errors.As(err, &cause) {
		t.Errorf("%+v, %v", answer, err)
	}
}

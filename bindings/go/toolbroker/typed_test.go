package toolbroker

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
)

func TestAnAnswerThatDoesNotFitIsAnErrorAndNeverHalfThere(t *testing.T) {
	type partly struct {
		Version string
		ABI     string
	}
	answer, err := typed[partly](context.Background(), library, "info", nil)
	var failure *Error
	var cause *json.UnmarshalTypeError
	if answer != (partly{}) || !errors.As(err, &failure) || !errors.Is(err, InvalidJSON) || failure.Status != -4 || !errors.As(err, &cause) {
		t.Errorf("%+v, %v", answer, err)
	}
	if pointer, err := typed[*partly](context.Background(), library, "info", nil); pointer != nil || err == nil {
		t.Errorf("%+v, %v", pointer, err)
	}
}

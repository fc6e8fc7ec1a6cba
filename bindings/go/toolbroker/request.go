package toolbroker

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"toolbroker.test/go/internal/capi"
)

// marshal writes a request as JSON. Text goes to the library as it is.
func marshal(request any) (string, error) {
	if request == nil {
		return "", nil
	}
	if text, isText := textOf(request); isText {
		return text, nil
	}
	return encode("", request)
}

// toolsText writes a list of tools as JSON. A nil slice, which encoding/json writes as null, is an empty list; nil itself and an empty text are no list.
func toolsText(list any) (string, error) {
	text, isText := textOf(list)
	switch {
	case isText && !utf8.ValidString(text):
		return "", notUTF8("tools")
	case isText && text != "":
		return text, nil
	case isText || list == nil:
		return "null", nil
	}
	if value := reflect.ValueOf(list); (value.Kind() == reflect.Slice || value.Kind() == reflect.Map) && value.IsNil() {
		return "[]", nil
	}
	return encode("tools", list)
}

// textOf is JSON that the caller wrote.
func textOf(value any) (text string, isText bool) {
	switch value := value.(type) {
	case string:
		return value, true
	case []byte:
		return string(value), true
	case json.RawMessage:
		return string(value), true
	}
	return "", false
}

// encode writes a value as JSON; path is its place in the request. Every value that a caller hands over goes through here, as encoding/json would write
// U+FFFD for what is not UTF-8: another text than the caller's, and the same for two that differ.
func encode(path string, value any) (string, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	// First, since it refuses a value that holds itself.
	if err := encoder.Encode(value); err != nil {
		return "", err
	}
	if at, found := badText(reflect.ValueOf(value)); found {
		return "", notUTF8(strings.TrimPrefix(path+at, "."))
	}
	return strings.TrimSuffix(text.String(), "\n"), nil
}

// written is a type of this package that marshals itself, and the value that encoding/json then writes.
type written interface{ written() any }

func notUTF8(path string) *Error {
	e := &Error{Code: InvalidUTF8, Message: "text that is not UTF-8", At: Place{Path: path}, Status: capi.InvalidUTF8}
	if path != "" {
		// Keys of a caller's map may hold line breaks.
		quoted := strconv.Quote(path)
		e.line = e.Message + " (at " + quoted[1:len(quoted)-1] + ")"
	}
	return e
}

// badText finds a text that is not UTF-8 among what encoding/json writes of a value, and says where it is inside, as ".rules[2].name". A foreign type that
// marshals itself answers for itself.
func badText(value reflect.Value) (at string, found bool) {
	switch value.Kind() {
	case reflect.Invalid:
		return "", false
	case reflect.Pointer, reflect.Interface:
		if value.IsNil() {
			return "", false
		}
	}
	if value.CanInterface() {
		switch value := value.Interface().(type) {
		case written:
			return badText(reflect.ValueOf(value.written()))
		case json.RawMessage:
			return "", !utf8.Valid(value)
		case json.Marshaler, encoding.TextMarshaler:
			return "", false
		}
	}
	if value.CanAddr() && value.Addr().CanInterface() {
		switch value.Addr().Interface().(type) {
		case json.Marshaler, encoding.TextMarshaler:
			return "", false
		}
	}
	switch value.Kind() {
	case reflect.String:
		return "", !utf8.ValidString(value.String())
	case reflect.Pointer, reflect.Interface:
		return badText(value.Elem())
	case reflect.Slice, reflect.Array:
		if value.Type().Elem().Kind() == reflect.Uint8 {
			return "", false // Written as Base64, or as numbers.
		}
		for i := range value.Len() {
			if at, found := badText(value.Index(i)); found {
				return fmt.Sprintf("[%d]%s", i, at), true
			}
		}
	case reflect.Map:
		return badEntry(value)
	case reflect.Struct:
		return badField(value)
	}
	return "", false
}

// badEntry finds the first in the order of keys, so that the same request gives the same error; a bad key has the place of its map.
func badEntry(object reflect.Value) (first string, found bool) {
	for entries := object.MapRange(); entries.Next(); {
		key := entries.Key()
		if key.Kind() == reflect.String && !utf8.ValidString(key.String()) {
			return "", true
		}
		if at, bad := badText(entries.Value()); bad {
			if at = fmt.Sprintf(".%v%s", key, at); !found || at < first {
				first, found = at, true
			}
		}
	}
	return first, found
}

func badField(object reflect.Value) (at string, found bool) {
	for i := range object.NumField() {
		field := object.Type().Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Tag.Get("json") == "-" || !field.IsExported() && !field.Anonymous {
			continue
		}
		at, found := badText(object.Field(i))
		switch {
		case !found:
		case name != "":
			return "." + name + at, true
		case field.Anonymous:
			return at, true
		default:
			return "." + field.Name + at, true
		}
	}
	return "", false
}

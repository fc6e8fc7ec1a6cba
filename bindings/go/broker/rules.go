package broker

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"toolbroker.test/go/toolbroker"
)

// DefaultRules are example rules for well-known public MCP servers.
func DefaultRules() []Rule {
	answer, err := toolbroker.Call("default_rules", `{"profile":"go-0.2"}`)
	var rules []Rule
	if err == nil {
		err = json.Unmarshal(answer, &rules)
	}
	if err != nil {
		panic(err) // The rules are part of the library: it does not fit this package.
	}
	return rules
}

// LoadConfig reads a file of rules in JSON.
func LoadConfig(path string) (*Config, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("load config: %w", err)
	}
	var config Config
	if err := json.Unmarshal(text, &config); err != nil {
		return nil, fmt.Errorf("load config %s: %w", path, err)
	}
	return &config, nil
}

// LoadRulesFromFile reads rules from a file that ends in .yaml, .yml or .json, in any case.
func LoadRulesFromFile(path string) ([]Rule, error) {
	switch extension := strings.ToLower(filepath.Ext(path)); extension {
	case ".json":
		config, err := LoadConfig(path)
		if err != nil {
			return nil, err
		}
		return config.Rules, nil
	case ".yaml", ".yml":
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("load rules: %w", err)
		}
		rules, err := rulesOfYAML(text)
		if err != nil {
			return nil, fmt.Errorf("load rules %s: %w", path, err)
		}
		return rules, nil
	default:
		return nil, fmt.Errorf("load rules %s: unknown extension %q, known are .yaml, .yml and .json", path, extension)
	}
}

// rulesOfYAML reads rules as gopkg.in/yaml.v3 would; the library has the reader.
func rulesOfYAML(document []byte) ([]Rule, error) {
	text, err := decoded(document)
	if err != nil {
		return nil, err
	}
	request, err := json.Marshal(map[string]any{"text": text, "format": "yaml", "profile": "go-0.2"})
	if err != nil {
		return nil, err
	}
	answer, err := toolbroker.Call("read_rules", json.RawMessage(request))
	if err != nil {
		return nil, err
	}
	var rules []Rule
	err = json.Unmarshal(answer, &rules)
	return rules, err
}

// decoded is YAML's text: UTF-8, or UTF-16 behind a byte order mark.
func decoded(document []byte) (string, error) {
	var order binary.ByteOrder
	switch {
	case strings.HasPrefix(string(document), "\xff\xfe"):
		order = binary.LittleEndian
	case strings.HasPrefix(string(document), "\xfe\xff"):
		order = binary.BigEndian
	case utf8.Valid(document):
		return string(document), nil
	default:
		return "", errors.New("yaml: not UTF-8")
	}
	if len(document)%2 != 0 {
		return "", errors.New("yaml: incomplete UTF-16")
	}
	units := make([]uint16, 0, len(document)/2)
	for rest := document[2:]; len(rest) > 0; rest = rest[2:] {
		units = append(units, order.Uint16(rest))
	}
	return string(utf16.Decode(units)), nil
}

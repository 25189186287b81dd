package tokenizer

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// parts reads the parts of tokenizers that the browser core does not support by itself.
var parts = encode.Parts{Normalizer: normalizer, PreTokenizer: preTokenizer}

// The most steps of a Sequence in total, and its greatest depth.
const (
	maxSteps = 64
	maxDepth = 8
)

// kindOf reads the kind of a step from its description.
func kindOf(description []byte) (string, error) {
	var s struct {
		Type string `json:"type"`
	}
	err := json.Unmarshal(description, &s)
	return s.Type, err
}

// readInto reads a step's settings.
func readInto(description []byte, what, kind string, settings any) error {
	if err := json.Unmarshal(description, settings); err != nil {
		return fmt.Errorf("the %s %s: %w", what, kind, err)
	}
	return nil
}

// unsupported is the error for an unknown kind. It names that kind and the supported
// ones.
func unsupported(what, kind string, known ...string) error {
	return fmt.Errorf("a %s of type %q is not supported, only %s", what, kind, strings.Join(known, ", "))
}

// pattern is {"String": " "} or {"Regex": " {2,}"}.
type pattern struct {
	String *string
	Regex  *string
}

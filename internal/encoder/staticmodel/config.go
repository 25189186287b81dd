package staticmodel

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// unlimited is a seq_length that no text reaches.
const unlimited = 1 << 30

// engineConfig translates a config.json of the package model2vec into the settings that the engine knows. Others stay as
// they are.
//
//   - max_length, the tokens of a text that count, is seq_length. null means all.
//   - model_type may be SentenceTransformer, which model2vec keeps if it loaded a model that sentence-transformers had saved.
func engineConfig(config []byte) ([]byte, error) {
	var c map[string]json.RawMessage
	if err := unpack.JSON(config, &c); err != nil {
		return nil, err
	}
	length, limited := c["max_length"]
	saved := string(c["model_type"]) == `"SentenceTransformer"`
	if !limited && !saved {
		return config, nil
	}
	if limited {
		n := unlimited
		if err := json.Unmarshal(length, &n); err != nil || n < 1 || n > unlimited { // null leaves n as it is
			return nil, fault.Errorf(fault.Input, "max_length is %.40s, not a number from 1 to %d", bytes.TrimSpace(length), unlimited)
		}
		delete(c, "max_length")
		c["seq_length"] = fmt.Append(nil, n)
	}
	if saved {
		c["model_type"] = json.RawMessage(`"model2vec"`)
	}
	return json.Marshal(c)
}

package staticmodel

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

const (
	unlimited = 1 << 30   // a seq_length that no text reaches
	meantNone = 1_000_000 // the seq_length that model2vec writes and never reads
)

// engineConfig translates a config.json of the package model2vec into the settings that the engine knows. Others stay as
// they are.
//
//   - max_length, the tokens of a text that count, is seq_length. null means all.
//   - Without it, model2vec takes 512, whatever it has written to seq_length. So does the engine without seq_length. Other
//     values of seq_length are of models that were made by us.
//   - model_type may be SentenceTransformer, which model2vec keeps if it loaded a model that sentence-transformers had saved.
func engineConfig(config []byte) ([]byte, error) {
	var c map[string]json.RawMessage
	if err := unpack.JSON(config, &c); err != nil {
		return nil, err
	}
	length, limited := c["max_length"]
	saved := string(c["model_type"]) == `"SentenceTransformer"`
	made := false // by a model2vec that does not write max_length
	if !limited {
		var n int
		made = json.Unmarshal(c["seq_length"], &n) == nil && n == meantNone
	}
	if !limited && !saved && !made {
		return config, nil
	}
	if made {
		delete(c, "seq_length")
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

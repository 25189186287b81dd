package texts

import (
	"context"
	"encoding/json"
	"io"

	"github.com/vantage-search/vantage/internal/model/tokenizer"
)

// tokens are the ids of a text, as a line of JSON.
type tokens struct {
	IDs       []uint32 `json:"ids"`
	Truncated bool     `json:"truncated"`
}

// portionOfTokens is how many bytes of texts are read ahead to be tokenized.
const portionOfTokens = 32 << 10

// Tokenize writes the token ids of every text, as a line of JSON. An instruction goes
// before its text. maxLength bounds the ids of a text, special ones included; 0 does
// not.
func (s *Source) Tokenize(ctx context.Context, w io.Writer, t tokenizer.Tokenizer, maxLength int) error {
	e := json.NewEncoder(w)
	for p := range s.Portions(ctx, portionOfTokens, 0) {
		if p.Err != nil {
			return p.Err
		}
		for i, text := range p.Texts {
			if instruction := p.Instructions[i]; instruction != nil {
				text = *instruction + text
			}
			ids, truncated := t.Frame(t.Encode(nil, text), maxLength)
			if ids == nil {
				ids = []uint32{}
			}
			if err := e.Encode(tokens{ids, truncated}); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

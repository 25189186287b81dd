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

// portionOfTokens is the number of bytes of texts that are read ahead for tokenization.
const portionOfTokens = 32 << 10

// Tokenize writes a line of JSON with the token ids of each text. An instruction
// precedes its text. maxLength limits the ids of a text, including special ones; 0
// means no limit.
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

package packed

import (
	"slices"

	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// TokenText is a text as a model of token vectors reads it.
type TokenText struct {
	IDs       []uint32 // with special tokens, marker and masks
	Keys      int      // every token attends to the first Keys of IDs
	Truncated bool
	Info      encode.Info // of the text's own tokens
}

// ReadTokens reads a text as a document or as a query. A query is filled up with masks. ids is
// memory to reuse, and room is that memory for the next call.
func ReadTokens(c *pack.Tokens, t *encode.WordPiece, ids []uint32, text string, document bool) (x TokenText, room []uint32) {
	room = t.Encode(append(ids[:0], 0), text) // the first is the marker's place
	x.Info = encode.Info{Tokens: len(room) - 1}
	for _, id := range room[1:] {
		if id == t.UnknownID() {
			x.Info.Unknown++
		}
	}
	most, marker := c.Length(document), c.QueryMarker
	if document {
		marker = c.DocumentMarker
	}
	if x.IDs, x.Truncated = t.Frame(room, most); len(x.IDs) > 1 {
		x.IDs[1] = uint32(marker)
	}
	x.Info.Truncated, x.Keys = x.Truncated, len(x.IDs)
	if document {
		return x, room
	}
	if pad, ok := t.ID(pack.Pad); ok {
		for i, id := range x.IDs {
			if id == pad {
				x.IDs[i] = uint32(c.Mask)
			}
		}
	}
	for len(x.IDs) < most {
		x.IDs = append(x.IDs, uint32(c.Mask))
	}
	if c.AttendToMask {
		x.Keys = len(x.IDs)
	}
	return x, room
}

// KeepTokens moves the vectors that are compared to the front, and returns how many there
// are: all of a query's, and those of a document's tokens that are not in c.Skip.
func KeepTokens(c *pack.Tokens, vectors []float32, ids []uint32, document bool) (rows int) {
	if !document {
		return len(ids)
	}
	for i, id := range ids {
		if _, skipped := slices.BinarySearch(c.Skip, int(id)); skipped {
			continue
		}
		copy(vectors[rows*c.Dimension:(rows+1)*c.Dimension], vectors[i*c.Dimension:])
		rows++
	}
	return rows
}

var (
	errWhole  = fault.New(fault.Unsupported, "the model gives each token a vector, and none to a whole text: rank by maxsim")
	errTokens = fault.New(fault.Unsupported, "the model has one vector for a whole text: make a pack of a ColBERT with vantage model pack")
)

// TokenRoom is how many numbers the vectors of a text's tokens are at most; 0 if the model
// has one vector for a whole text.
func (e *Encoder) TokenRoom(document bool) int {
	if c := e.pack.Manifest.Config.Tokens; c != nil {
		return c.Length(document) * c.Dimension
	}
	return 0
}

// EncodeTokens writes the vectors of a text's tokens, as a document or as a query, and
// returns how many there are. vectors has TokenRoom numbers.
func (e *Encoder) EncodeTokens(vectors []float32, text string, document bool) (rows int, info encode.Info, err error) {
	c := e.pack.Manifest.Config.Tokens
	if c == nil {
		return 0, info, errTokens
	}
	if e.model == nil {
		return 0, info, errNotRead
	}
	var x TokenText
	x, e.ids = ReadTokens(c, e.pack.Tokenizer(), e.ids, text, document)
	b := transformer.Batch{IDs: x.IDs, Lengths: []int{len(x.IDs)}, Keys: []int{x.Keys}}
	if err := e.model.EncodeTokens(vectors, &b, e.scratch); err != nil {
		return 0, info, err
	}
	return KeepTokens(c, vectors, x.IDs, document), x.Info, nil
}

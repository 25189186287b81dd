package pack

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// Tokens is what a late-interaction encoder (Khattab and Zaharia 2020, ColBERT, §3.2) adds.
// The state of each token is multiplied by linear.weight [Dimension, Hidden].
//
// A marker goes before a text, after the first special token. Queries are filled up with
// Mask to QueryLength tokens. Pad in a query is a mask, too. Vectors of documents leave out the
// tokens of Skip.
type Tokens struct {
	Dimension      int  `json:"dimension"`
	QueryMarker    int  `json:"query_marker"` // ids of pieces
	DocumentMarker int  `json:"document_marker"`
	Mask           int  `json:"mask"`
	QueryLength    int  `json:"query_length"`    // tokens with the special ones and the marker
	DocumentLength int  `json:"document_length"` // at most
	AttendToMask   bool `json:"attend_to_mask"`  // the tokens of a query attend to the masks behind it, too
	// Skip has ids of pieces in ascending order, those of Pad and of punctuation.
	Skip []int `json:"skip,omitempty"`
}

// Pad is the spelling of the token that ColBERT pads with. A text may have it.
const Pad = "[PAD]"

// ProjectionTensor is the name of the matrix that makes vectors of tokens.
const ProjectionTensor = "linear.weight"

const (
	// leastTokens of a text: two special ones, the marker, and one of its own.
	leastTokens = 4
	maxSkip     = 1024
)

// check refuses settings that do not fit the rest of a configuration.
func (t *Tokens) check(c *Config) error {
	var s sizes
	s.fits("query_length", t.QueryLength, leastTokens, c.MaxLength)
	s.fits("document_length", t.DocumentLength, leastTokens, c.MaxLength)
	s.fits("query_marker", t.QueryMarker, 0, c.Vocabulary-1)
	s.fits("document_marker", t.DocumentMarker, 0, c.Vocabulary-1)
	s.fits("mask", t.Mask, 0, c.Vocabulary-1)
	for _, id := range t.Skip {
		s.fits("an id of skip", id, 0, c.Vocabulary-1)
	}
	if s.err != nil {
		return s.err
	}
	for i := 1; i < len(t.Skip); i++ {
		if t.Skip[i-1] >= t.Skip[i] {
			return input("the ids in skip do not ascend at " + strconv.Itoa(t.Skip[i]))
		}
	}
	return nil
}

// Length is how many tokens a text has at most.
func (t *Tokens) Length(document bool) int {
	if document {
		return t.DocumentLength
	}
	return t.QueryLength
}

func readTokens(r *jsonlite.Reader) *Tokens {
	t := &Tokens{}
	object(r, func(key string) {
		switch key {
		case "dimension":
			t.Dimension = number(r, key)
		case "query_marker":
			t.QueryMarker = number(r, key)
		case "document_marker":
			t.DocumentMarker = number(r, key)
		case "mask":
			t.Mask = number(r, key)
		case "query_length":
			t.QueryLength = number(r, key)
		case "document_length":
			t.DocumentLength = number(r, key)
		case "attend_to_mask":
			t.AttendToMask = r.Bool()
		case "skip":
			array(r, func() {
				if len(t.Skip) > maxSkip {
					tooMany(r, key)
				}
				t.Skip = append(t.Skip, number(r, key))
			})
		}
	})
	return t
}

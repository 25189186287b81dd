package model

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model/modeltest"
)

// ColBERT cannot tell [PAD] in a text from padding: in a query it is a mask, and in a document it
// has no vector, although other tokens attend to it (mask in colbert/modeling/colbert.py, and
// tensorize in tokenization/query_tokenization.py).
func TestColBERTPad(t *testing.T) {
	for _, attend := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "colbert")
		if err := modeltest.WriteColBERT(dir, 1, 24); err != nil {
			t.Fatal(err)
		}
		settings := modeltest.Object{"query_maxlen": 8, "doc_maxlen": 16, "attend_to_mask_tokens": attend, "mask_punctuation": false}
		if err := modeltest.WriteJSON(dir, map[string]any{"artifact.metadata": settings}); err != nil {
			t.Fatal(err)
		}
		e, err := Open(t.Context(), dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		tokens := func(text string, role encoder.Role) encoder.TokenVectors {
			t.Helper()
			found, err := e.(TokenEncoder).EncodeTokens(t.Context(), []string{text}, role)
			if err != nil {
				t.Fatal(err)
			}
			return found[0]
		}
		padded, masked := tokens("night [PAD] trains", encoder.Query), tokens("night [MASK] trains", encoder.Query)
		if !slices.Equal(padded.Vectors, masked.Vectors) {
			t.Error("[PAD] in a query is no mask")
		}
		padded, masked = tokens("night [PAD] trains", encoder.Document), tokens("night [MASK] trains", encoder.Document)
		if padded.Tokens != masked.Tokens || padded.Rows != masked.Rows-1 {
			t.Errorf("a document with [PAD] has %d tokens and %d vectors, with [MASK] %d and %d", padded.Tokens, padded.Rows, masked.Tokens, masked.Rows)
		}
		if plain := tokens("night trains", encoder.Document); plain.Rows != padded.Rows || slices.Equal(plain.Vectors, padded.Vectors) {
			t.Error("the tokens of a document do not attend to [PAD]")
		}
	}
}

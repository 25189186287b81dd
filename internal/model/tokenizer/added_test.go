package tokenizer

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/jsonfile"
)

// TestAddedTokens compares with the Rust library for added tokens of every combination of flags
// (see testdata/added/golden.py).
func TestAddedTokens(t *testing.T) {
	var golden []struct {
		File  json.RawMessage
		Texts map[string][]uint32
	}
	jsonfile.Read(t, "testdata/added/golden.json", &golden)
	if len(golden) == 0 {
		t.Fatal("no tokenizers")
	}
	for i, g := range golden {
		tokens, err := Parse(g.File)
		if err != nil {
			t.Fatal(i, err)
		}
		pipeline, err := parsePipeline(g.File)
		if err != nil {
			t.Fatal(i, err)
		}
		for text, want := range g.Texts {
			if got := tokens.Encode(nil, text); !slices.Equal(got, want) {
				t.Errorf("tokenizer %d (%T): %q: %d, want %d", i, tokens, text, got, want)
			}
			if got := pipeline.Encode(nil, text); !slices.Equal(got, want) {
				t.Errorf("tokenizer %d (%T): %q: %d, want %d", i, pipeline, text, got, want)
			}
		}
	}
}

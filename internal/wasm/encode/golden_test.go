package encode

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/shared"
)

// readShared reads a file of the data beside the repository, or skips the test if the
// file is absent.
func readShared(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(shared.Path(t, "data/"+name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

type goldenTokens struct {
	Texts        []string
	WordPiece    [][]uint32
	WordPiece128 [][]uint32 `json:"wordpiece_128"`
}

func readGolden(t testing.TB) (*WordPiece, goldenTokens) {
	w, err := ParseTokenizer(readShared(t, "tokenizer/bert-uncased/tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	var golden goldenTokens
	if err := json.Unmarshal(readShared(t, "tokenizer/golden.json"), &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden.Texts) == 0 {
		t.Fatal("no golden texts")
	}
	return w, golden
}

// TestGoldenTokens compares with the ids of the Rust tokenizers library.
func TestGoldenTokens(t *testing.T) {
	w, golden := readGolden(t)
	var ids []uint32
	for i, text := range golden.Texts {
		if ids = w.EncodeSpecial(ids[:0], text, 0); !slices.Equal(ids, golden.WordPiece[i]) {
			t.Errorf("text %d %.60q:\n got %d\nwant %d", i, text, ids, golden.WordPiece[i])
		}
		if ids = w.EncodeSpecial(ids[:0], text, 128); !slices.Equal(ids, golden.WordPiece128[i]) {
			t.Errorf("text %d %.60q cut to 128:\n got %d\nwant %d", i, text, ids, golden.WordPiece128[i])
		}
	}
}

// BenchmarkGoldenTexts reports texts per second, over all golden texts and over the
// short ones.
func BenchmarkGoldenTexts(b *testing.B) {
	w, golden := readGolden(b)
	short := slices.DeleteFunc(slices.Clone(golden.Texts), func(s string) bool { return len(s) > 300 })
	for name, texts := range map[string][]string{"all": golden.Texts, "short": short} {
		b.Run(name, func(b *testing.B) {
			var ids []uint32
			start, n := time.Now(), 0
			for b.Loop() {
				for _, text := range texts {
					ids = w.Encode(ids[:0], text)
				}
				n += len(texts)
			}
			b.ReportMetric(float64(n)/time.Since(start).Seconds(), "texts/s")
		})
	}
}

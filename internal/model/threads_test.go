package model

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model/modeltest"
)

// longAndShort is a corpus with texts that are cut at any limit, short texts and empty
// texts, single and in runs.
func longAndShort(n int) []string {
	random := rand.New(rand.NewPCG(3, 4))
	words := strings.Fields("a the claim that supports opposes argument school uniforms night trains help people work week zzyzx , .")
	texts := make([]string, 0, n+60)
	for len(texts) < n {
		length := []int{0, 1, 5, 40, 500}[random.IntN(5)]
		for range 1 + random.IntN(8)*random.IntN(2) {
			text := make([]string, length)
			for j := range text {
				text[j] = words[random.IntN(len(words))]
			}
			texts = append(texts, strings.Join(text, " "))
		}
	}
	return texts
}

// A corpus of long and short texts gives the same bits with any number of threads, with
// and without truncation, and even if the tokenizer adds no special tokens, so that
// empty texts have no tokens.
func TestThreads(t *testing.T) {
	shape := modeltest.Small
	shape.Positions, shape.MaxLength = 128, 128
	framed := t.TempDir()
	if err := shape.Write(framed, 1); err != nil {
		t.Fatal(err)
	}
	bare := t.TempDir()
	if err := os.CopyFS(bare, os.DirFS(framed)); err != nil {
		t.Fatal(err)
	}
	tokenizer := modeltest.Tokenizer()
	delete(tokenizer, "post_processor")
	if err := os.Remove(filepath.Join(bare, "tokenizer.json")); err != nil {
		t.Fatal(err)
	}
	if err := modeltest.WriteJSON(bare, map[string]any{"tokenizer.json": tokenizer}); err != nil {
		t.Fatal(err)
	}
	mpnet := t.TempDir()
	if err := shape.WriteMPNet(mpnet, 1); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("night trains ", 100)
	texts := append([]string{long, long, long, long, long, long, long, "a"}, longAndShort(1200)...)
	for _, c := range []struct {
		dir   string
		limit int
		empty int // tokens of an empty text
	}{{framed, 128, 2}, {framed, 17, 2}, {bare, 128, 0}, {mpnet, 126, 2}, {t5Folder(t, "tokenizer.json"), 100, 1}} {
		var want []encoder.Embedding
		for _, threads := range []int{1, 2, 4, 8} {
			e := mustOpen(t, c.dir, Options{Threads: threads, MaxLength: c.limit})
			few := embed(t, e, encoder.Options{}, texts[:8]...) // a batch of its own
			got := embed(t, e, encoder.Options{}, texts...)
			if threads == 1 {
				want = got
			}
			for i, g := range append(few, got...) {
				text := i
				if i >= 8 {
					text -= 8
				}
				if !slices.Equal(g.Vector, want[text].Vector) || g.Tokens != want[text].Tokens || g.Truncated != want[text].Truncated {
					t.Fatalf("limit %d, %d threads, text %d of %d tokens: another vector", c.limit, threads, text, g.Tokens)
				}
				if texts[text] == "" && g.Tokens != c.empty {
					t.Fatalf("an empty text has %d tokens, want %d", g.Tokens, c.empty)
				}
			}
			for _, nothing := range [][]string{{""}, make([]string, 40)} {
				for _, g := range embed(t, e, encoder.Options{}, nothing...) {
					if i := slices.Index(texts, ""); !slices.Equal(g.Vector, want[i].Vector) || slices.ContainsFunc(g.Vector, func(v float32) bool { return v != v }) {
						t.Fatalf("an empty text among empty ones: %v, want %v", g.Vector, want[i].Vector)
					}
				}
			}
		}
	}
}

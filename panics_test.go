package vantage

import (
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/wait"
)

// A panic of the corpus, of its metadata, of the encoder or of the function for the progress
// reaches the caller of Index, which can recover: nothing is left, and the next call succeeds.
func TestIndexPanics(t *testing.T) {
	root := t.TempDir()
	dir, journal := filepath.Join(root, "new", "c"), filepath.Join(root, "journal")
	animals := animals("Cats sleep all day.", "Dogs bark at night.")
	own := constant{model: Model{ID: "own", Dim: 2}, each: []float32{1, 0}}
	before := runtime.NumGoroutine()
	for name, c := range map[string]struct {
		documents iter.Seq2[Document, error]
		o         IndexOptions
	}{
		"encoder": {animals, IndexOptions{Encoder: panicking{english(t)}, Journal: journal}},
		"corpus": {func(yield func(Document, error) bool) {
			animals(yield)
			panic("no")
		}, IndexOptions{Encoder: own, Journal: journal}},
		"metadata": {func(yield func(Document, error) bool) {
			yield(Document{ID: "x", Text: "x", Metadata: map[string]any{"x": panickingField{}}}, nil)
		}, IndexOptions{Encoder: english(t)}},
		"progress": {animals, IndexOptions{Encoder: english(t), Progress: func(string, int64, int64) { panic("no") }}},
	} {
		func() {
			defer func() {
				if got := recover(); got != "no" {
					t.Errorf("%s: %v", name, got)
				}
			}()
			r, err := Index(t.Context(), c.documents, dir, c.o)
			t.Errorf("%s: %+v %v", name, r, err)
		}()
		if _, err := os.Stat(filepath.Dir(dir)); !os.IsNotExist(err) {
			t.Errorf("%s: a folder is left (%v)", name, err)
		}
	}
	wait.Until(t, "all goroutines have ended", func() bool { return runtime.NumGoroutine() <= before })
	if r, err := Index(t.Context(), animals, dir, IndexOptions{Encoder: own, Journal: journal}); err != nil || r.Documents != 2 {
		t.Errorf("afterwards: %+v %v", r, err)
	}
}

type panickingField struct{}

func (panickingField) MarshalJSON() ([]byte, error) { panic("no") }

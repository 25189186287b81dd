package collection

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// pagedDocuments are pages of passages of random words; page 50 is too long for a block, and every seventh page has no
// address.
func pagedDocuments(pages int) (docs []store.Document) {
	r := rand.New(rand.NewPCG(1, 2))
	for page := range pages {
		passages := 1 + r.IntN(7)
		if page == 50 {
			passages = 100
		}
		for i := range passages {
			var words []string
			for range 40 + r.IntN(100) {
				words = append(words, fmt.Sprintf("w%d", r.IntN(1+r.IntN(5000))))
			}
			doc := store.Document{ID: fmt.Sprintf("%d.md#%d", page, i), Text: strings.Join(words, " "), Metadata: map[string]any{}}
			if page%7 > 0 {
				doc.Metadata["url"] = fmt.Sprintf("%d.md#part-%d", page, i)
			}
			docs = append(docs, doc)
		}
	}
	return docs
}

// Small blocks hold all documents in order, take at most the bytes that they may, and divide no page that fits into one.
// They do not depend on the number of workers, and a second run writes nothing but the manifest.
func TestSmallBlocks(t *testing.T) {
	ctx := context.Background()
	docs := pagedDocuments(200)
	vectors := make([]float32, 2*len(docs))
	for i := range vectors {
		vectors[i] = 1
	}
	var first *manifest.Manifest
	for _, workers := range []int{1, 3} {
		dir := t.TempDir()
		o := Options{Rows: Given{Model: manifest.Model{ID: "x"}, Dim: 2, Data: vectors}, DType: shard.I8, BlockBytes: SmallBlockBytes, Workers: workers}
		if _, err := Write(ctx, dir, seq(docs), o); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(ctx, os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = s.Manifest()
		} else if !reflect.DeepEqual(s.Manifest().Docs, first.Docs) {
			t.Error("the blocks depend on the number of workers")
		}
		n := 0
		for d, err := range s.AllDocuments(ctx) {
			if err != nil || d.ID != docs[n].ID || d.Text != docs[n].Text {
				t.Fatalf("document %d: %v %v", n, d.ID, err)
			}
			n++
		}
		if n != len(docs) {
			t.Fatalf("%d documents of %d", n, len(docs))
		}
		again, err := Write(ctx, dir, seq(docs), o)
		if err != nil || again.FilesWritten != 1 || again.FilesRemoved != 0 {
			t.Errorf("a second run: %+v, %v", again, err)
		}
	}
	var stored int64
	blockOf := map[string]int{}
	for i, f := range first.Docs {
		stored += f.Stored
		if f.Stored > SmallBlockBytes {
			t.Errorf("block %d has %d bytes", i, f.Stored)
		}
		for _, d := range docs[f.First : f.First+f.Count] {
			page := pageOf(&d)
			if at, known := blockOf[page]; known && at != i && page != "" && page != "50.md" {
				t.Errorf("page %s is in blocks %d and %d", page, at, i)
			}
			blockOf[page] = i
		}
	}
	if mean := stored / int64(len(first.Docs)); mean < SmallBlockBytes*6/10 {
		t.Errorf("%d blocks have %d bytes on average: they could be longer", len(first.Docs), mean)
	}
	t.Logf("%d documents in %d blocks of %d bytes on average", len(docs), len(first.Docs), stored/int64(len(first.Docs)))
}

// The blocks of a large collection are longer.
func TestBlocksGrow(t *testing.T) {
	docs := pagedDocuments(60)
	var lines []byte
	var ends []int
	for _, d := range docs {
		lines = append(lines, d.Text+"\n"...)
		ends = append(ends, len(lines))
	}
	o := Options{BlockBytes: 4000, BlockDocuments: 100}
	last := len(docs)
	for _, from := range []int{0, growth, 4 * growth} {
		counts := o.blocks(&batch{first: from, docs: docs}, lines, ends)
		sum := 0
		for _, n := range counts {
			sum += n
			if n > o.BlockDocuments {
				t.Errorf("%d documents in a block", n)
			}
		}
		if sum != len(docs) || len(counts) >= last {
			t.Errorf("from document %d: %d documents in %d blocks", from, sum, len(counts))
		}
		last = len(counts)
	}
	if o.BlockBytes = 1; len(o.blocks(&batch{docs: docs}, lines, ends)) != len(docs) {
		t.Error("documents that are too long are not alone")
	}
}

// The files of terms of a large collection are longer, too, up to their ordinary length.
func TestTermFilesGrow(t *testing.T) {
	small := Options{BlockBytes: SmallBlockBytes, TermBytes: SmallTermBytes}
	for documents, want := range map[int]int{1: 16_000, growth - 1: 16_000, growth: 32_000, 2 * growth: 64_000, 100 * growth: 64_000} {
		if got := small.termBytes(documents); got != want {
			t.Errorf("%d documents: %d bytes, want %d", documents, got, want)
		}
	}
	if ordinary := (&Options{TermBytes: 2000}).termBytes(100 * growth); ordinary != 2000 {
		t.Errorf("a limit without small files becomes %d", ordinary)
	}
}

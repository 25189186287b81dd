package main

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/reader"
	"github.com/vantage-search/vantage/internal/testing/harness"
)

// coldPassages is the size of the collection for cold starts.
const coldPassages = 10_000

// cold measures the time to the first answer in browsers that have never seen
// the page.
func cold(rounds int) (ranked []float64, err error) {
	dir, err := os.MkdirTemp("", "vantage-cold-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	docs, err := passages(coldPassages)
	if err != nil {
		return nil, err
	}
	if _, err := collection.Write(context.Background(), filepath.Join(dir, "collection"), docs, collection.Options{Rows: collection.Carried{Model: builtin.Builtin()}, Reader: reader.Files}); err != nil {
		return nil, err
	}
	server, err := harness.Serve(pages(dir))
	if err != nil {
		return nil, err
	}
	defer server.Close()
	for range rounds {
		ms, err := coldOnce(server.URL("/bench/cold.html"))
		if err != nil {
			return nil, err
		}
		ranked = append(ranked, ms)
	}
	return ranked, nil
}

func coldOnce(url string) (float64, error) {
	browser, err := harness.Launch(context.Background())
	if err != nil {
		return 0, err
	}
	defer browser.Close()
	page, err := browser.Open(url, time.Minute)
	if err != nil {
		return 0, err
	}
	defer page.Close()
	got, err := harness.Call[struct {
		Ranked     float64
		Rows, Hits int
	}](page, `() => window.cold`)
	if err == nil && (got.Rows != coldPassages || got.Hits != 10) {
		err = fmt.Errorf("%d hits over %d rows, want 10 over %d", got.Hits, got.Rows, coldPassages)
	}
	return got.Ranked, err
}

// passages are documents of three sentences each, drawn from the bundled corpus.
func passages(n int) (iter.Seq2[store.Document, error], error) {
	c, err := corpus.Open(filepath.Join(harness.Root(), "examples", "debates", "corpus.jsonl"), corpus.Options{})
	if err != nil {
		return nil, err
	}
	var sentences []string
	for doc, err := range c.Documents() {
		if err != nil {
			return nil, err
		}
		for sentence := range strings.SplitSeq(doc.Text, ". ") {
			sentences = append(sentences, strings.TrimSuffix(sentence, ".")+".")
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	return func(yield func(store.Document, error) bool) {
		for i := range n {
			text := make([]string, 3)
			for j := range text {
				text[j] = sentences[r.IntN(len(sentences))]
			}
			if !yield(store.Document{ID: fmt.Sprintf("p%05d", i), Text: strings.Join(text, " ")}, nil) {
				return
			}
		}
	}, nil
}

package lexical

import (
	"sort"

	"github.com/vantage-search/vantage/internal/wasm/topk"
)

// Hit is a document and its score.
type Hit struct {
	Document uint32
	Score    float64
}

// better is the order of every ranking: higher score, then lower document.
func better(a, b Hit) bool {
	return a.Score > b.Score || a.Score == b.Score && a.Document < b.Document
}

// ranked sorts best first. It implements sort.Interface, because every instance of the
// generic sorts costs the browser module 10 KB.
type ranked []Hit

func (r ranked) Len() int           { return len(r) }
func (r ranked) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r ranked) Less(i, j int) bool { return better(r[i], r[j]) }

func sortHits(hits []Hit) { sort.Sort(ranked(hits)) }

// best moves the k best hits to the front, sorted, and returns them. It keeps a heap of
// the k best with the worst of them at its root, so it takes linear time if k is small.
func best(hits []Hit, k int) []Hit {
	if k >= len(hits) {
		sortHits(hits)
		return hits
	}
	heap := ranked(hits[:k])
	topk.Init(&heap)
	for _, hit := range hits[k:] {
		if better(hit, heap[0]) {
			heap[0] = hit
			topk.Sink(&heap, 0)
		}
	}
	sort.Sort(heap)
	return heap
}

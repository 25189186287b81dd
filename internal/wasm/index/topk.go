package index

import (
	"sort"

	"github.com/vantage-search/vantage/internal/wasm/topk"
)

// scored is a row and its score.
type scored struct {
	row   int
	score float32
}

// better is the order of every ranking: higher score, then lower row.
func better(a, b scored) bool {
	return a.score > b.score || a.score == b.score && a.row < b.row
}

// ranked sorts best first. It implements sort.Interface, because every instance of the
// generic sorts costs the browser module 10 KB.
type ranked []scored

func (r ranked) Len() int           { return len(r) }
func (r ranked) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r ranked) Less(i, j int) bool { return better(r[i], r[j]) }

// topK keeps the k best of a stream in a binary heap whose root is the worst of them,
// so that a scan only sorts the rows of the answer.
type topK struct {
	k    int
	heap ranked
}

// threshold is the score below which no row can enter.
func (t *topK) threshold() float32 {
	if len(t.heap) < t.k {
		return lowest
	}
	return t.heap[0].score
}

// lowest is less than every score and greater than absent.
const lowest = -0x1p127

func (t *topK) push(s scored) {
	switch {
	case len(t.heap) < t.k:
		t.heap = append(t.heap, s)
		topk.Rise(&t.heap, len(t.heap)-1)
	case better(s, t.heap[0]):
		t.heap[0] = s
		topk.Sink(&t.heap, 0)
	}
}

// sorted returns the kept rows, best first.
func (t *topK) sorted() []scored {
	sort.Sort(t.heap)
	return t.heap
}

package index

import "sort"

// scored is a row and its score.
type scored struct {
	row   int
	score float32
}

// better is the order of every ranking: higher score, then lower row.
func better(a, b scored) bool {
	return a.score > b.score || a.score == b.score && a.row < b.row
}

// ranked sorts best first; sort.Interface, because every instance of the
// generic sorts costs the browser module 10 KB.
type ranked []scored

func (r ranked) Len() int           { return len(r) }
func (r ranked) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r ranked) Less(i, j int) bool { return better(r[i], r[j]) }

// topK keeps the k best of a stream in a binary heap whose root is the worst
// of them, so that a scan never sorts more than it answers.
type topK struct {
	k    int
	heap []scored
}

// threshold is the score below which no row can enter.
func (t *topK) threshold() float32 {
	if len(t.heap) < t.k {
		return lowest
	}
	return t.heap[0].score
}

// lowest is below every score and above absent.
const lowest = -0x1p127

func (t *topK) push(s scored) {
	if len(t.heap) < t.k {
		t.heap = append(t.heap, s)
		for i := len(t.heap) - 1; i > 0; {
			parent := (i - 1) / 2
			if !better(t.heap[parent], t.heap[i]) {
				break
			}
			t.heap[parent], t.heap[i] = t.heap[i], t.heap[parent]
			i = parent
		}
		return
	}
	if !better(s, t.heap[0]) {
		return
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= len(t.heap) {
			break
		}
		if child+1 < len(t.heap) && better(t.heap[child], t.heap[child+1]) {
			child++
		}
		if !better(s, t.heap[child]) {
			break
		}
		t.heap[i] = t.heap[child]
		i = child
	}
	t.heap[i] = s
}

// sorted returns the rows kept, best first.
func (t *topK) sorted() []scored {
	sort.Sort(ranked(t.heap))
	return t.heap
}

// Package topk keeps the best of many elements in a heap whose root is the worst of the
// kept ones, so that a better element replaces the root. Less means better, as for
// sorting the kept elements at the end. container/heap, which needs methods to push and
// pop, would cost the browser module 2 KB.
package topk

import "sort"

// Init makes a heap of elements in any order.
func Init(h sort.Interface) {
	for i := h.Len()/2 - 1; i >= 0; i-- {
		Sink(h, i)
	}
}

// Sink moves element i down until every element is worse than those below it.
func Sink(h sort.Interface, i int) {
	for n := h.Len(); ; {
		child := 2*i + 1
		if child >= n {
			return
		}
		if child+1 < n && h.Less(child, child+1) {
			child++
		}
		if !h.Less(i, child) {
			return
		}
		h.Swap(i, child)
		i = child
	}
}

// Rise moves element i, which was appended, up to its place.
func Rise(h sort.Interface, i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !h.Less(parent, i) {
			return
		}
		h.Swap(parent, i)
		i = parent
	}
}

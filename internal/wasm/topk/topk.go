// Package topk keeps the best of many in a heap whose root is the worst of those
// kept, so that what is better than it takes its place. Less means better, as it
// does if the kept ones are sorted at the end. container/heap, which asks for
// methods to push and pop, would cost the browser module 2 KB.
package topk

import "sort"

// Init makes a heap of what is in any order.
func Init(h sort.Interface) {
	for i := h.Len()/2 - 1; i >= 0; i-- {
		Sink(h, i)
	}
}

// Sink moves element i down to where it belongs: every element is worse than those
// under it.
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

// Rise moves element i, which was appended, up to where it belongs.
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

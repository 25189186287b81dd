package pir

import (
	"errors"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// The halves have the whole corpus, no root in common, and together every query.
func TestOfRoots(t *testing.T) {
	task, err := ReadFolder("../../../examples/debates")
	if err != nil {
		t.Fatal(err)
	}
	var halves []Task
	for _, which := range []string{OddRoots, EvenRoots} {
		half, err := task.OfRoots(which)
		if err != nil {
			t.Fatal(err)
		}
		halves = append(halves, half)
		if len(half.Corpus) != len(task.Corpus) || len(half.Gold) != len(half.Queries) || len(half.Desired) != len(half.Queries) {
			t.Errorf("%s: %d texts, %d queries, %d with gold, %d with a place", which, len(half.Corpus), len(half.Queries), len(half.Gold), len(half.Desired))
		}
		for i, id := range half.QueryIDs {
			at := slices.Index(task.QueryIDs, id)
			if at < 0 || half.Queries[i] != task.Queries[at] || half.Roots[i] != task.Roots[at] || half.Perspectives[i] != task.Perspectives[at] ||
				half.Labels[i] != task.Labels[at] || !slices.Equal(half.Gold[i], task.Gold[at]) || half.Desired[i] != task.Desired[at] {
				t.Errorf("%s: query %s changed", which, id)
			}
		}
	}
	if halves[0].Roots[0] != task.Roots[0] || len(halves[0].Queries)+len(halves[1].Queries) != len(task.Queries) {
		t.Errorf("%d and %d queries of %d", len(halves[0].Queries), len(halves[1].Queries), len(task.Queries))
	}
	for _, root := range halves[0].Roots {
		if slices.Contains(halves[1].Roots, root) {
			t.Errorf("%q is in both halves", root)
		}
	}
	if all, err := task.OfRoots(AllRoots); err != nil || len(all.Queries) != len(task.Queries) {
		t.Errorf("%d queries, %v", len(all.Queries), err)
	}
	if _, err := task.OfRoots("third"); !errors.Is(err, fault.Query) {
		t.Error("a third half is taken")
	}
	single := Task{Name: "one", Queries: []string{"q"}, Roots: []string{"r"}, Perspectives: []string{"p"}, Labels: []string{"l"}, Gold: [][]int{{0}}}
	if _, err := single.OfRoots(EvenRoots); err == nil {
		t.Error("a single root has an even half")
	}
}

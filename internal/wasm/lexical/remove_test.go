package lexical

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// After documents are removed, an index gives the same bits as an index built without
// them. This holds for an index in memory, and for one opened from files that are
// loaded before, between and after the removals, with documents added at run time.
func TestRemove(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for round := range 40 {
		texts := randomTexts(random, 2+random.IntN(80))
		filed := random.IntN(len(texts))
		whole := build(t, DefaultParameters, texts[:filed])
		opened, err := Open(DefaultParameters, whole.AppendLengths(nil))
		if err != nil {
			t.Fatal(err)
		}
		files := whole.TermFiles(40)
		load := func(x *Index, n int) {
			t.Helper()
			for range min(n, len(files)) {
				if err := x.Load(files[0].Data); err != nil {
					t.Fatal(err)
				}
				files = files[1:]
			}
		}
		load(opened, len(files)/2)
		for _, text := range texts[filed:] {
			for _, x := range []*Index{whole, opened} {
				if _, err := x.Add(text); err != nil {
					t.Fatal(err)
				}
			}
		}
		gone := map[uint32]bool{}
		for range random.IntN(len(texts) + 1) {
			document := uint32(random.IntN(len(texts)))
			for _, x := range []*Index{whole, opened} {
				if x.Remove(document) == gone[document] {
					t.Fatalf("document %d is removed twice, or not once", document)
				}
			}
			gone[document] = true
			load(opened, random.IntN(2))
		}
		load(opened, len(files))

		var left []string
		var numbers []uint32
		for d, text := range texts {
			if !gone[uint32(d)] {
				left, numbers = append(left, text), append(numbers, uint32(d))
			}
		}
		oracle := build(t, DefaultParameters, left)
		for range 8 {
			q := Query{Text: randomTexts(random, 1)[0], K: 1 + random.IntN(len(texts))}
			want := search(t, oracle, q)
			for i := range want {
				want[i].Document = numbers[want[i].Document]
			}
			for name, x := range map[string]*Index{"made": whole, "opened": opened} {
				if got := search(t, x, q); !slices.Equal(got, want) {
					t.Fatalf("round %d, %s: %q finds %v, want %v", round, name, q.Text, got, want)
				}
			}
		}
	}
}

func TestRemoveNothing(t *testing.T) {
	x := build(t, DefaultParameters, []string{"a", "b"})
	if x.Remove(2) || !x.Remove(1) || x.Remove(1) || !x.Remove(0) {
		t.Error("what is there is not what is removed")
	}
	if hits := search(t, x, Query{Text: "a b", K: 5}); len(hits) != 0 {
		t.Errorf("an index without documents finds %v", hits)
	}
	if number, err := x.Add("b c"); err != nil || number != 2 || len(search(t, x, Query{Text: "a b", K: 5})) != 1 {
		t.Errorf("the next document is %d, %v", number, err)
	}
}

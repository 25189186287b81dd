package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
)

// There are no more queries than passages.
func TestMoreQueriesThanPassages(t *testing.T) {
	for _, queries := range []int{-1, 0, 11} {
		if _, _, err := texts(t.TempDir(), 10, queries); err == nil || !strings.Contains(err.Error(), "must be 1 to 10") {
			t.Errorf("%d queries: %v", queries, err)
		}
	}
}

// Eleven passages are the least, because the scores of ranks 10 and 11 are compared.
func TestTooFewPassages(t *testing.T) {
	for _, passages := range []int{-1, 0, 10} {
		b := bench{keep: t.TempDir(), passages: passages, queries: 1}
		if err := b.run(t.Context(), "python"); err == nil || !strings.Contains(err.Error(), "-passages") || !strings.Contains(err.Error(), "at least 11") {
			t.Errorf("%d passages: %v", passages, err)
		}
	}
}

// Kept vectors are read again, but not with another number of components.
func TestKeptWidth(t *testing.T) {
	b := bench{keep: t.TempDir(), dim: 2}
	vectors := [][]float32{{1, 2}, {3, 4, 5, 6}}
	if err := write(b.keep, "queries", b.made(make([]string, 2)), vectors, b.dim); err != nil {
		t.Fatal(err)
	}
	read, err := b.kept(t.Context(), "queries", "", make([]string, 2), encoder.Query)
	if err != nil || !slices.EqualFunc(read, vectors, slices.Equal) {
		t.Errorf("%v, %v", read, err)
	}
	for _, dim := range []int{1, 3} {
		b.dim = dim
		if _, err := b.kept(t.Context(), "queries", "", make([]string, 2), encoder.Query); err == nil || !strings.Contains(err.Error(), "another -dim") {
			t.Errorf("-dim %d: %v", dim, err)
		}
	}
}

// Kept vectors are not those of other texts, nor of other weights, even if they are as many.
func TestKeptTexts(t *testing.T) {
	b := bench{keep: t.TempDir(), dim: 2}
	if err := write(b.keep, "queries", b.made([]string{"a", "b"}), [][]float32{{1, 2}, {3, 4}}, b.dim); err != nil {
		t.Fatal(err)
	}
	if _, err := b.kept(t.Context(), "queries", "", []string{"a", "b"}, encoder.Query); err != nil {
		t.Error(err)
	}
	if _, err := b.kept(t.Context(), "queries", "no folder", []string{"a", "c"}, encoder.Query); err == nil {
		t.Error("the vectors of other texts were read")
	}
	b.weights = []byte("others")
	if _, err := b.kept(t.Context(), "queries", "no folder", []string{"a", "b"}, encoder.Query); err == nil {
		t.Error("the vectors of other weights were read")
	}
}

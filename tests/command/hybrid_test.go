package command

import (
	"strings"
	"testing"
)

func TestHybrid(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, dir, "index", "--encoder", "light", debates(t), "-o", "c", "--terms")
	must(t, dir, "inspect", "c", "--verify")
	fused := must(t, dir, "search", "c", "--json", "--query", opposing, "--hybrid", "-k", "4")
	checkNumbers(t, fused.stdout)
	for _, part := range []string{`"hybrid":"rrf"`, `"lexical":{"rank":`} {
		if !strings.Contains(fused.stdout, part) {
			t.Errorf("%s is not in %s", part, fused.stdout)
		}
	}
	headless := must(t, dir, "search", "c", "--json", "--query", opposing, "--hybrid", "-k", "4", "--engine", "headless")
	if headless.stdout != fused.stdout {
		t.Errorf("the engines differ:\n%s\n%s", fused.stdout, headless.stdout)
	}
	table := must(t, dir, "search", "c", "--query", opposing, "--hybrid=min-max", "--words-weight", "1")
	if !strings.Contains(table.stderr, "fused with BM25: min-max") {
		t.Errorf("stderr: %s", table.stderr)
	}
}

// The rule of a fusion follows "=". After a space it would become a word of the query, or the collection.
func TestFusionAfterSpace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, dir, "index", "--encoder", "light", debates(t), "-o", "c", "--terms")
	for _, args := range [][]string{
		{"search", "c", "night", "trains", "--hybrid", "min-max"}, {"search", "c", "--hybrid", "none", "night", "trains"},
		{"search", "--hybrid", "z-score", "c", "night", "trains"}, {"search", "c", "--hybrid", "max", "--query", "night trains"},
	} {
		if r := try(t, dir, args...); r.code != usage || !strings.Contains(r.stderr, "write --hybrid=") {
			t.Errorf("%q exits with %d: %s", args, r.code, r.stderr)
		}
	}
	for _, args := range [][]string{
		{"search", "c", "--hybrid", "--query", "max"}, {"search", "c", "none", "at", "max", "--hybrid"}, {"search", "c", "--hybrid=max", "none"},
	} {
		must(t, dir, args...)
	}
}

// Words alone rank if that is asked for, or, with a notice, if nothing can encode the query.
func TestWordsAlone(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	write(t, dir, "v.npy", npyFile(rows))
	must(t, dir, "index", "corpus.jsonl", "-o", "worded", "--vectors", "v.npy", "--terms")
	must(t, dir, "index", "corpus.jsonl", "-o", "bare", "--vectors", "v.npy")
	word := "night"
	asked := must(t, dir, "search", "worded", "--json", "--query", word, "--method", "bm25")
	plain := must(t, dir, "search", "worded", "--json", "--query", word)
	if strings.Contains(asked.stdout, "notice") || !strings.Contains(asked.stdout, `"method":"bm25"`) || strings.Contains(asked.stdout, `"explain"`) {
		t.Errorf("asked for: %s", asked.stdout)
	}
	if !strings.Contains(plain.stdout, `"method":"bm25"`) || !strings.Contains(plain.stdout, `"notice":"the collection carries no encoder`) || !strings.Contains(plain.stderr, "no encoder") {
		t.Errorf("not asked for: %s %s", plain.stdout, plain.stderr)
	}
	headless := must(t, dir, "search", "worded", "--json", "--query", word, "--engine", "headless")
	if headless.stdout != plain.stdout {
		t.Errorf("the engines differ:\n%s\n%s", plain.stdout, headless.stdout)
	}
	for _, args := range [][]string{
		{"search", "bare", "--query", word},
		{"search", "bare", "--query", word, "--method", "bm25"},
		{"search", "worded", "--query", word, "--method", "pap+", "--root", "x"},
		{"search", "worded", "--query", word, "--hybrid"},
		{"search", "worded", "--query", word, "--method", "bm25", "--mmr", "0.5"},
	} {
		if r := try(t, dir, args...); r.code != usage {
			t.Errorf("%q exits with %d: %s", args, r.code, r.stderr)
		}
	}
}

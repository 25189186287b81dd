package command

import (
	"math"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
)

// Private contexts order the hits of the query, and every hit says which one is its
// reason: in the table, in JSON, and in both engines.
func TestSearchContexts(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "corpus.jsonl", `{"_id": "employed", "text": "Sick pay: your employer pays it for six weeks."}
{"_id": "self", "text": "Sick pay for self-employed people: insure yourself."}
{"_id": "pension", "text": "A pension is paid from the age of 67."}
`)
	write(t, dir, "about.txt", "\nI live alone.\r\n\nI am a self-employed carpenter.\n")
	must(t, dir, "index", "--encoder", "light", "corpus.jsonl", "-o", "c")
	type answer struct {
		Hits []struct {
			ID      string
			Score   float64
			Because *struct {
				Context        int
				Text           string
				Fit, Relevance float64
			}
		}
	}
	search := func(args ...string) answer {
		t.Helper()
		return decode[answer](t, must(t, dir, append([]string{"search", "c", "--query", "who pays when I am ill?", "--method", "none", "--json"}, args...)...).stdout)
	}
	plain, own := search(), search("--context", "I eat fish.", "--context-file", "about.txt", "--context-lambda", "0.3")
	relevance := map[string]float64{}
	for _, h := range plain.Hits {
		if relevance[h.ID] = h.Score; h.Because != nil {
			t.Errorf("a reason without contexts: %+v", h)
		}
	}
	if len(own.Hits) != len(plain.Hits) || own.Hits[0].ID != "self" {
		t.Errorf("%+v", own.Hits)
	}
	contexts := []string{"I eat fish.", "I live alone.", "I am a self-employed carpenter."}
	last := math.Inf(1)
	for _, h := range own.Hits {
		b := h.Because
		if b == nil || approx.Apart(b.Relevance, relevance[h.ID], 1e-6) || approx.Apart(.3*b.Relevance+.7*b.Fit, h.Score, 1e-6) || b.Text != contexts[b.Context] || h.Score > last {
			t.Errorf("%+v, because %+v", h, b)
		}
		last = h.Score
		for i, text := range contexts { // alone, no other context fits better
			for _, alone := range search("--context", text).Hits {
				if alone.ID == h.ID && b != nil && (alone.Because.Fit > b.Fit+1e-6 || i == b.Context && approx.Apart(alone.Because.Fit, b.Fit, 1e-6)) {
					t.Errorf("%s: %q fits better than %q", h.ID, text, b.Text)
				}
			}
		}
	}
	arguments := []string{"search", "c", "who", "pays?", "--context-file", "about.txt"}
	table := must(t, dir, arguments...).stdout
	if strings.Count(table, "\n      because: I ") != 3 || !strings.Contains(table, "because: I am a self-employed carpenter. (fit 0.") {
		t.Error(table)
	}
	if other := must(t, dir, append(arguments, "--engine", "headless")...).stdout; other != table {
		t.Errorf("the browser's core says\n%s, native code\n%s", other, table)
	}
	// A run has the order that contexts make.
	write(t, dir, "queries.jsonl", `{"_id": "q", "text": "who pays when I am ill?"}`+"\n")
	run := must(t, dir, "search", "c", "--queries", "queries.jsonl", "--run", "-", "--context-file", "about.txt", "--context-lambda", "0.3", "--method", "none").stdout
	if !strings.HasPrefix(run, "q Q0 self 1 ") {
		t.Error(run)
	}
	base := []string{"search", "c", "x", "--context", "I am secretive."}
	for _, c := range []struct {
		code int
		args []string
		part string
	}{
		{usage, []string{"--mmr", "0.5"}, "mmr"},
		{usage, []string{"--context", " "}, "number 1 has no text"},
		{usage, []string{"--context-lambda", "1"}, "λ is 1"},
		{input, []string{"--context-file", "none.txt"}, "none.txt"},
	} {
		r := fails(t, c.code, dir, append(base[:len(base):len(base)], c.args...), c.part)
		if strings.Contains(r.stderr, "secretive") {
			t.Errorf("the error tells a context: %s", r.stderr)
		}
	}
	fails(t, usage, dir, []string{"search", "c", "x", "--context-lambda", "0.5"}, "there are none")
}

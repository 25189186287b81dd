package main

import (
	"math"
	"strings"
	"testing"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/evaluation/runs"
)

// Whatever a file of queries holds, it is refused with its place or gives
// queries that can be asked.
func FuzzQueries(f *testing.F) {
	for _, seed := range []string{
		`{"_id": "1", "text": "Find a claim that opposes the argument: x"}`,
		`{"_id": 7, "query": "x", "root": "y", "perspectives": ["a", "b"], "metadata": {"k": [1, {}]}}`,
		`{"_id": "1", "query_vector": [1, -0.5, 1e-40], "root_vector": [0, 1, 2], "perspective_vectors": [[1, 2, 3]], "text": null}`,
		"\ufeff{\"_id\": \"1\", \"text\": \"\\ud83d\\ude00\"}\r\n\n{\"_id\": \"2\", \"text\": \"b\"}",
		`{"_id": "a b", "text": "x"}`, `{"_id": "1", "text": "x"`, `[]`, "{}\n{}", "\xff", `{"_id": "1", "query_vector": [1e400]}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		queries, err := parseQueries(strings.NewReader(text), "q.jsonl", vantage.Query{K: 10})
		if err != nil {
			if exitCode(err) != exitInput || !strings.HasPrefix(err.Error(), "q.jsonl:") {
				t.Errorf("error %q with exit code %d", err, exitCode(err))
			}
			return
		}
		seen := map[string]bool{}
		for _, q := range queries {
			if runs.BadWord(q.id) != "" || seen[q.id] || q.line < 1 || q.K != 10 {
				t.Errorf("query %+v", q)
			}
			seen[q.id] = true
			texts := append([]vantage.Text{q.Query.Query}, q.Perspectives...)
			if q.Root != nil {
				texts = append(texts, *q.Root)
			}
			for _, t1 := range texts {
				if t1.Text == "" && len(t1.Vector) == 0 {
					t.Errorf("an empty text in %+v", q)
				}
				for _, v := range t1.Vector {
					if math.IsInf(float64(v), 0) || math.IsNaN(float64(v)) {
						t.Errorf("%v in a vector", v)
					}
				}
			}
		}
	})
}

func TestParseQueryKeepsWhatIsShared(t *testing.T) {
	lambda, mmr := 0.5, 0.7
	base := vantage.Query{Method: "pap", Lambda: &lambda, MMR: &mmr, K: 3, Filters: []vantage.Filter{{Field: "f"}}}
	queries, err := parseQueries(strings.NewReader(`{"_id": "1", "text": "t", "root": "r", "perspective": "p"}`), "q", base)
	if err != nil || len(queries) != 1 {
		t.Fatal(queries, err)
	}
	q := queries[0]
	if q.Method != "pap" || *q.Lambda != 0.5 || *q.MMR != 0.7 || q.K != 3 || len(q.Filters) != 1 || q.Query.Query.Text != "t" || q.Root.Text != "r" || q.Perspectives[0].Text != "p" {
		t.Errorf("%+v", q)
	}
}

// A key that comes twice is an error wherever lines of JSON are read: readers
// differ in which of the two counts.
func TestRepeatedKeys(t *testing.T) {
	for _, line := range []string{`{"_id": "1", "text": "a", "text": "b"}`, `{"_id": "1", "text": "a", "metadata": {"label": "x", "label": "y"}}`} {
		if _, err := parseQueries(strings.NewReader("\n"+line), "q.jsonl", vantage.Query{}); err == nil || !strings.HasPrefix(err.Error(), "q.jsonl:2: ") || !strings.Contains(err.Error(), "occurs twice") {
			t.Errorf("query %s: %v", line, err)
		}
		if _, err := parseText([]byte(line)); err == nil || exitCode(err) != exitInput || !strings.Contains(err.Error(), "occurs twice") {
			t.Errorf("text %s: %v", line, err)
		}
	}
}

package queries

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Any file of queries is refused with the place of the error, or gives valid queries.
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
		queries, err := parse(strings.NewReader(text), "q.jsonl", vantage.Query{K: 10})
		if err != nil {
			if !errors.Is(err, fault.Input) || !strings.HasPrefix(err.Error(), "q.jsonl:") {
				t.Errorf("error %q", err)
			}
			return
		}
		seen := map[string]bool{}
		for _, q := range queries {
			if inputs.BadWord(q.ID) != "" || seen[q.ID] || q.Line < 1 || q.K != 10 {
				t.Errorf("query %+v", q)
			}
			seen[q.ID] = true
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
	queries, err := parse(strings.NewReader(`{"_id": "1", "text": "t", "root": "r", "perspective": "p"}`), "q", base)
	if err != nil || len(queries) != 1 {
		t.Fatal(queries, err)
	}
	q := queries[0]
	if q.Method != "pap" || *q.Lambda != 0.5 || *q.MMR != 0.7 || q.K != 3 || len(q.Filters) != 1 || q.Query.Query.Text != "t" || q.Root.Text != "r" || q.Perspectives[0].Text != "p" {
		t.Errorf("%+v", q)
	}
}

// A repeated key is an error in all files of JSON lines, because readers differ in
// which of the two values counts.
func TestRepeatedKeys(t *testing.T) {
	for _, line := range []string{`{"_id": "1", "text": "a", "text": "b"}`, `{"_id": "1", "text": "a", "metadata": {"label": "x", "label": "y"}}`} {
		if _, err := parse(strings.NewReader("\n"+line), "q.jsonl", vantage.Query{}); err == nil || !strings.HasPrefix(err.Error(), "q.jsonl:2: ") || !strings.Contains(err.Error(), "occurs twice") {
			t.Errorf("query %s: %v", line, err)
		}
	}
}

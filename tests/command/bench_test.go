package command

import (
	"encoding/json"
	"testing"
)

func TestBenchQuantize(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "corpus.jsonl", `{"_id": "a", "text": "cats sleep"}
{"_id": "b", "text": "dogs bark at cats"}
{"_id": "c", "text": "trains run at night"}
`)
	write(t, dir, "queries.jsonl", `{"_id": "q", "text": "a claim against: cats", "root": "cats", "perspective": "a claim against"}
{"_id": "r", "text": "night"}
`)
	var costs []struct {
		Task, Method, DType string
		Queries             int
		Recall, Tau         float64
	}
	if err := json.Unmarshal([]byte(must(t, dir, "bench", "quantize", ".", "--json").stdout), &costs); err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, c := range costs {
		found[c.Method+" "+c.DType] = c.Queries
		if c.Recall != 1 { // the top 10 of three documents
			t.Errorf("%+v", c)
		}
	}
	if found["query_cosine I8"] != 2 || found["vec_dual_projection F16"] != 1 {
		t.Errorf("%v", found)
	}
	fails(t, usage, dir, []string{"bench", "quantize"}, "DATA is missing")
	fails(t, input, dir, []string{"bench", "quantize", "nowhere"}, "nowhere")
	fails(t, input, dir, []string{"bench", "quantize", "queries.jsonl"}, "demo file of PIR")
	write(t, dir, "queries.jsonl", "{}\n")
	fails(t, input, dir, []string{"bench", "quantize", "."}, "queries.jsonl:1")
	write(t, dir, "queries.jsonl", `{"_id": "q", "query_vector": [1]}`)
	fails(t, input, dir, []string{"bench", "quantize", "."}, `queries.jsonl:1: query "q" has no "text" beside its "query_vector"`)
	write(t, dir, "queries.jsonl", `{"_id": "q", "text": "cats"}`)
	write(t, dir, "corpus.jsonl", `{"_id": "a", "text": "cats sleep"}`)
	fails(t, input, dir, []string{"bench", "quantize", "."}, ": 1 document, and a ranking needs two")
}

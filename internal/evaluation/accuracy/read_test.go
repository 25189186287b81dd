package accuracy

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// A folder in BEIR's layout is read, measured and laid out.
func TestRead(t *testing.T) {
	tasks, err := Read(t.Context(), "../../../examples/debates")
	if err != nil || len(tasks) != 1 || tasks[0].Name != "debates" || len(tasks[0].Documents) < 100 || len(tasks[0].Queries) < 10 || tasks[0].Queries[0].Root == "" || len(tasks[0].Queries[0].Perspectives) != 1 {
		t.Fatalf("%v", err)
	}
	t.Chdir("../../../examples/debates")
	if here, err := Read(t.Context(), "."); err != nil || here[0].Name != "debates" {
		t.Errorf("the folder of the shell: %v", err)
	}
	t.Chdir("../../internal/evaluation/accuracy")
	tasks[0].Documents, tasks[0].Queries = tasks[0].Documents[:50], tasks[0].Queries[:3]
	encoder, err := builtin.Builtin().Open()
	if err != nil {
		t.Fatal(err)
	}
	r := &Report{Tasks: tasks}
	if err := r.measure(t.Context(), encoder, nil); err != nil || len(r.Costs) == 0 {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := r.Print(&out); err != nil || !strings.HasPrefix(out.String(), "## debates: 50 documents, 3 queries\n") || strings.Count(out.String(), "\n| ") != 1+len(r.Costs)/len(Precisions) {
		t.Errorf("%s (%v)", out.String(), err)
	}
	r.Tasks[0].Queries = r.Tasks[0].Queries[:1]
	out.Reset()
	if err := r.Print(&out); err != nil || !strings.HasPrefix(out.String(), "## debates: 50 documents, 1 query\n") {
		t.Errorf("%s (%v)", out.String(), err)
	}
	for _, path := range []string{"none", t.TempDir(), "read_test.go"} {
		if _, err := Read(t.Context(), path); !errors.Is(err, fault.Input) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A vector is not read, so a query that has one in place of a text is refused.
func TestReadVectors(t *testing.T) {
	dir := t.TempDir()
	put := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("corpus.jsonl", `{"_id": "a", "text": "cats"}`+"\n"+`{"_id": "b", "text": "dogs"}`)
	for line, want := range map[string]string{
		`{"_id": "q", "query_vector": [1]}`:                                                       `queries.jsonl:1: query "q" has no "text" beside its "query_vector": add it`,
		`{"_id": "q", "text": "x", "root_vector": [1]}`:                                           `has no "root" beside its "root_vector"`,
		`{"_id": "q", "text": "x", "perspective_vectors": [[1]]}`:                                 `has no text for each of its "perspective_vectors"`,
		`{"_id": "q", "text": "x", "perspectives": ["y", ""], "perspective_vectors": [[1], [2]]}`: `has no text for each of its "perspective_vectors"`,
	} {
		put("queries.jsonl", line)
		if _, err := Read(t.Context(), dir); !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", line, err)
		}
	}
	put("queries.jsonl", `{"_id": "q", "text": "x", "query_vector": [1], "root": "r", "root_vector": [1], "perspective": "p", "perspective_vectors": [[1]]}`)
	want := Query{Text: "x", Root: "r", Perspectives: []string{"p"}}
	if tasks, err := Read(t.Context(), dir); err != nil || !reflect.DeepEqual(tasks[0].Queries, []Query{want}) {
		t.Errorf("texts with vectors: %+v, %v", tasks, err)
	}
}

package accuracy

import (
	"errors"
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
	for _, path := range []string{"none", t.TempDir(), "read_test.go"} {
		if _, err := Read(t.Context(), path); !errors.Is(err, fault.Input) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

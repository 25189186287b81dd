package perspective_test

import (
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/jsonfile"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/perspective"
)

// TestSplitPIR measures Split on the queries of the PIR benchmark. Roots are found in all five tasks that have a
// perspective text. Some of the data's perspectives are worded differently from the query ("a news article biased
// towards: left"), which no rule on the wording can guess. AmbigQA's queries are whole questions, nearly all of which
// Split leaves alone.
func TestSplitPIR(t *testing.T) {
	var tasks map[string]struct {
		Queries       []string
		SourceQueries []string `json:"source_queries"`
		Perspectives  []string
	}
	jsonfile.Read(t, shared.Path(t, "data/pir/demo_pir_dataset.json"), &tasks)
	floors := map[string]struct{ ok, root, perspective int }{
		"perspectrum": {100, 100, 85}, "agnews": {100, 100, 100}, "story": {100, 100, 0},
		"allsides": {100, 100, 0}, "exfever": {100, 100, 0}, "ambigqa": {0, 0, 0},
	}
	for name, floor := range floors {
		task := tasks[name]
		if len(task.Queries) != 100 {
			t.Fatalf("%s has %d queries, want 100", name, len(task.Queries))
		}
		var split, roots, perspectives int
		for i, query := range task.Queries {
			root, view, ok := perspective.Split(query)
			if ok {
				split++
			}
			if root == strings.TrimSpace(task.SourceQueries[i]) {
				roots++
			}
			if view == strings.TrimSpace(task.Perspectives[i]) {
				perspectives++
			}
		}
		t.Logf("%s: of %d queries %d split, %d roots and %d perspectives equal", name, len(task.Queries), split, roots, perspectives)
		if split < floor.ok || roots < floor.root || perspectives < floor.perspective {
			t.Errorf("%s: %d split, %d roots, %d perspectives; want at least %+v", name, split, roots, perspectives, floor)
		}
		if name == "ambigqa" && split > 5 {
			t.Errorf("%d of AmbigQA's questions are split, at most 5 look like requests", split)
		}
	}
}

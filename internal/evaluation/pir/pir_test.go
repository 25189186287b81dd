package pir

import (
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/shared"
)

// demo reads the benchmark's demo file.
func demo(t *testing.T) []Task {
	t.Helper()
	tasks, err := ReadFile(shared.Path(t, "data/pir/demo_pir_dataset.json"))
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

func TestDemoFile(t *testing.T) {
	tasks := demo(t)
	if len(tasks) != 6 {
		t.Fatalf("%d tasks", len(tasks))
	}
	for i, task := range tasks {
		if task.Name != taskOrder[i] || len(task.Queries) != 100 || len(task.Corpus) != 500 {
			t.Errorf("task %d: %s, %d queries, %d texts", i, task.Name, len(task.Queries), len(task.Corpus))
		}
		for q, gold := range task.Gold {
			if len(gold) == 0 {
				t.Errorf("%s: query %d has no gold", task.Name, q)
			}
		}
		if task.OwnPerspectives() != (task.Name != "ambigqa") {
			t.Errorf("%s: own perspectives: %v", task.Name, task.OwnPerspectives())
		}
	}
}

const small = `{"b": {"corpus": ["x", "y"], "queries": ["q"], "source_queries": ["r"], "perspectives": ["p"], "query_labels": ["l"], "key_ref": {"0": [1]}},
"story": {"corpus": ["x"], "queries": ["q"], "source_queries": ["r"], "perspectives": ["q"], "query_labels": ["l"], "key_ref": {"0": [0]}}}`

func TestRead(t *testing.T) {
	tasks, err := Read(strings.NewReader(small))
	if err != nil {
		t.Fatal(err)
	}
	if len(tasks) != 2 || tasks[0].Name != "story" || tasks[1].Gold[0][0] != 1 || tasks[0].OwnPerspectives() || !tasks[1].OwnPerspectives() {
		t.Errorf("%+v", tasks)
	}
	for old, new := range map[string]string{
		`"0": [1]`:                 `"0": [2]`,
		`"0": [0]`:                 `"1": [0]`,
		`"key_ref": {"0": [0]}`:    `"key_ref": {"00": [0]}`,
		`"query_labels": ["l"]`:    `"query_labels": []`,
		`"queries": ["q"]`:         `"queries": []`,
		`"corpus": ["x", "y"]`:     `"corpus": "x"`,
		`"source_queries": ["r"],`: ``,
		small:                      `{}`,
		`{"b"`:                     `["b"`,
		`"story"`:                  `"b"`,
	} {
		if _, err := Read(strings.NewReader(strings.Replace(small, old, new, 1))); err == nil {
			t.Errorf("%s for %s: no error", new, old)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(small)
	f.Add(`{"a": {}}`)
	f.Fuzz(func(t *testing.T, text string) {
		tasks, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, task := range tasks {
			if len(task.Gold) != len(task.Queries) || len(task.Roots) != len(task.Queries) || len(task.Corpus) == 0 {
				t.Errorf("%+v", task)
			}
		}
	})
}

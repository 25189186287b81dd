package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/shared"
)

// The six tasks of the PIR benchmark, indexed by the command: the page ranks
// them like the Go packages and the headless host.
func TestPIREqualsGo(t *testing.T) {
	t.Parallel()
	tasks, err := pir.ReadFile(shared.Path(t, "data/pir/demo_pir_dataset.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		t.Run(task.Name, func(t *testing.T) {
			dir := t.TempDir()
			corpusFile := filepath.Join(dir, "corpus.jsonl")
			if err := os.WriteFile(corpusFile, jsonLines(t, task.Corpus), 0o644); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(program(t), "index", corpusFile, "--encoder", "light", "--terms", "-o", filepath.Join(dir, "collection")).CombinedOutput(); err != nil {
				t.Fatalf("vantage index: %v\n%s", err, out)
			}
			if err := os.Symlink(filepath.Join(debates(t), "lib"), filepath.Join(dir, "lib")); err != nil {
				t.Fatal(err)
			}
			compare(t, dir, pirQuestions(task), nil)
		})
	}
}

func jsonLines(t *testing.T, corpus []string) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for i, text := range corpus {
		if err := e.Encode(map[string]string{"_id": fmt.Sprint(i), "text": text}); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// pirQuestions returns the task's queries under methods that the paper compares,
// fused with words, and by words alone. AmbigQA has no perspective texts, so the
// perspective is query minus root.
func pirQuestions(task pir.Task) []question {
	var out []question
	for i, query := range task.Queries {
		root := search.Text{Text: task.Roots[i]}
		page := map[string]any{"query": query, "root": root.Text, "k": 5}
		goes := search.Query{Query: search.Text{Text: query}, Root: &root, K: 5}
		if task.OwnPerspectives() {
			page["perspectives"] = []string{task.Perspectives[i]}
			goes.Perspectives = []search.Text{{Text: task.Perspectives[i]}}
		}
		for _, method := range []string{"none", "pap", "pap+", "re-ranking"} {
			p, g := merge(page, map[string]any{"method": method}), goes
			g.Method = method
			out = append(out, question{fmt.Sprintf("%s %d %s", task.Name, i, method), p, g})
		}
		fused, words := goes, search.Query{Query: search.Text{Text: query}, K: 5, Method: search.MethodWords}
		fused.Hybrid = &search.Hybrid{Fusion: search.Fusions()[i%len(search.Fusions())], Weight: ptr(0.3)}
		out = append(out,
			question{fmt.Sprintf("%s %d hybrid", task.Name, i), merge(page, map[string]any{"hybrid": map[string]any{"fusion": fused.Hybrid.Fusion, "weight": 0.3}}), fused},
			question{fmt.Sprintf("%s %d words", task.Name, i), map[string]any{"query": query, "k": 5, "method": search.MethodWords}, words})
	}
	return out
}

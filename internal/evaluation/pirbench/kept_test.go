package pirbench

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"

	"github.com/vantage-search/vantage/internal/encoder"
)

// evaluated runs an experiment by a model, and returns its figures as JSON.
func evaluated(t *testing.T, keep, dir string, methods ...string) (figures, told string) {
	t.Helper()
	var out bytes.Buffer
	e := Experiment{Retrievers: []string{dir}, Methods: methods, Encoding: retrieve.Encoding{Console: console.New(&out), Keep: keep}}
	found, err := e.Evaluate(context.Background(), []string{debates})
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(found.Report)
	if err != nil {
		t.Fatal(err)
	}
	return string(b), out.String()
}

// plainFigures are the figures for the method none in a report, by task, "" if a task has none.
func plainFigures(t *testing.T, report string) string {
	t.Helper()
	var read struct {
		Tasks map[string]map[string]json.RawMessage `json:"tasks"`
	}
	if err := json.Unmarshal([]byte(report), &read); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, task := range slices.Sorted(maps.Keys(read.Tasks)) {
		figures := read.Tasks[task]["query_cosine"]
		if figures == nil {
			return ""
		}
		out.WriteString(task + string(figures))
	}
	return out.String()
}

// Vectors are kept by their texts, and the next run uses them and says so. The figures are those
// of a run that keeps none, even after a run that was stopped in the middle of the file.
func TestKept(t *testing.T) {
	dir, keep := filepath.Join(t.TempDir(), "bert"), filepath.Join(t.TempDir(), "keep")
	if err := modeltest.Write(dir, 1); err != nil {
		t.Fatal(err)
	}
	want, told := evaluated(t, "", dir, "none", "pap")
	if strings.Contains(told, "earlier run") {
		t.Errorf("without a folder: %s", told)
	}
	first, told := evaluated(t, keep, dir, "none", "pap")
	if first != want || strings.Contains(told, "earlier run") {
		t.Errorf("the first run differs, or says %q", told)
	}
	again, told := evaluated(t, keep, dir, "none", "pap+")
	if !strings.Contains(told, "vectors of") || !strings.Contains(told, "texts from an earlier run") {
		t.Errorf("the second run says %q", told)
	}
	if plain := plainFigures(t, first); plain == "" || plainFigures(t, again) != plain {
		t.Errorf("the second run has other figures for none: %s, and the first %s", plainFigures(t, again), plain)
	}
	files, err := filepath.Glob(filepath.Join(keep, "*.vectors"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	info, err := os.Stat(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(files[0], info.Size()/2+3); err != nil { // as a run leaves it that is killed
		t.Fatal(err)
	}
	resumed, told := evaluated(t, keep, dir, "none", "pap")
	if resumed != want || !strings.Contains(told, "earlier run") {
		t.Errorf("after half a run: the same %v, told %q", resumed == want, told)
	}
	if after, err := os.Stat(files[0]); err != nil || after.Size() != info.Size() {
		t.Errorf("the file has %v bytes, and had %d (%v)", after.Size(), info.Size(), err)
	}
	// A folder that cannot be written to is no reason to stop.
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, told := evaluated(t, blocked, dir, "none", "pap"); got != want || !strings.Contains(told, "are not kept") {
		t.Errorf("told %q", told)
	}
}

// A query of a model that takes instructions is its root with its perspective as the
// instruction.
func TestInstructed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "instructor-base")
	if err := modeltest.Write(dir, 1); err != nil {
		t.Fatal(err)
	}
	e, err := model.Open(t.Context(), dir, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if !e.Info().Instructed {
		t.Fatal("the model takes no instructions")
	}
	task := &pir.Task{
		Name: "perspectrum", Corpus: []string{"trains", "planes"}, Queries: []string{"Find a claim that opposes trains", "Find a claim that supports trains"},
		Roots: []string{"trains", "trains"}, Perspectives: []string{"a claim that opposes", "a claim that supports"}, Labels: []string{"undermine", "support"}, Gold: [][]int{{0}, {1}},
	}
	got, err := pireval.Encoded{Encoder: e}.Embed(t.Context(), task, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	var want []float32
	for i, root := range task.Roots {
		instruction := task.Perspectives[i] + ": "
		one, err := e.Encode(t.Context(), []string{root}, encoder.Options{Prompt: &instruction})
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, one[0].Vector...)
	}
	if !slices.Equal(got.Queries, want) || slices.Equal(got.Queries, got.Roots) {
		t.Error("queries are not roots with instructions")
	}
}

package collection

import (
	"fmt"
	"os"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/testing/shared"
)

// The PIR demo's corpora with the built-in model have real texts, and files of the size
// that users get.
func TestPIR(t *testing.T) {
	tasks, err := pir.ReadFile(shared.Path(t, "data/pir/demo_pir_dataset.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(tasks) != 6 {
		t.Fatalf("%d tasks", len(tasks))
	}
	var docs []store.Document
	for _, task := range tasks {
		for i, text := range task.Corpus {
			docs = append(docs, store.Document{ID: fmt.Sprintf("%s-%d", task.Name, i), Text: text, Metadata: map[string]any{"task": task.Name}})
		}
	}
	dir := t.TempDir()
	for _, idf := range []bool{false, true} {
		o := Options{Rows: Carried{Model: builtin.Builtin(), IDF: idf}}
		report := mustWrite(t, dir, docs, o)
		check(t, os.DirFS(dir), docs)
		if report.Encoded != len(docs) || report.MostlyUnknown > len(docs)/100 || report.Empty > 0 || len(report.LeftOut) > 0 {
			t.Errorf("%+v", report)
		}
		if report := mustWrite(t, dir, docs, o); report.Reused != len(docs) || report.FilesWritten != 1 {
			t.Errorf("again: %+v", report)
		}
	}
	// A corpus in another language than the model's is noticed.
	foreign := []store.Document{{ID: "a", Text: "Школьная форма должна быть обязательной для всех учеников."}, {ID: "b", Text: "School uniforms should be compulsory."}, {ID: "c"}}
	if report := mustWrite(t, t.TempDir(), foreign, Options{Rows: Carried{Model: builtin.Builtin()}}); report.MostlyUnknown != 1 || report.Empty != 1 {
		t.Errorf("%+v", report)
	}
}

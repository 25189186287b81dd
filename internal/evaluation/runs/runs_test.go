package runs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/trec"
)

// A run that was written is the same after reading it back; several retrievers have a
// file each.
func TestWrite(t *testing.T) {
	run := trec.NewRun("a", "a")
	for document, score := range map[string]float32{"d1": 2, "d2": 1} {
		if err := run.Add("q", document, score); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "out.run")
	var told strings.Builder
	for _, several := range []bool{false, true} {
		if err := Write(path, several, run, "./a model", console.New(&told)); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{path, strings.TrimSuffix(path, ".run") + "..-a-model.run"} {
		read, err := inputs.Read(context.Background(), path, trec.ReadRun)
		if err != nil {
			t.Fatal(err)
		}
		if documents, _, err := read.Ranking("q"); err != nil || strings.Join(documents, " ") != "d1 d2" || read.ID() != ".-a-model" {
			t.Errorf("%v by %s (%v)", documents, read.ID(), err)
		}
		if !strings.Contains(told.String(), path+": 2 lines of 1 query, ./a model\n") {
			t.Errorf("told %q", told.String())
		}
	}
	if err := run.Add("q", "d 3", 0); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, false, run, "a", nil); !errors.Is(err, fault.Input) {
		t.Errorf("an id with a space: %v", err)
	}
	if content, err := os.ReadFile(path); err != nil || strings.Count(string(content), "\n") != 2 {
		t.Errorf("the earlier file is lost: %q (%v)", content, err)
	}
}

func TestCheckTags(t *testing.T) {
	if err := CheckTags([]string{"bm25", "./a", "a"}); err != nil {
		t.Error(err)
	}
	if err := CheckTags([]string{"a/b", "bm25", "a:b"}); !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), `"a/b" and "a:b"`) {
		t.Error(err)
	}
}

// With several retrievers, it is their own files that count.
func TestCheckPlaces(t *testing.T) {
	dir := t.TempDir()
	both := []string{"bm25", "okapi"}
	for path, want := range map[string][2]bool{filepath.Join(dir, "a.run"): {true, true}, dir: {false, true}, filepath.Join(dir, "gone", "a.run"): {false, false}} {
		if err := CheckPlaces(path, false, both[:1]); (err == nil) != want[0] || err != nil && !errors.Is(err, fault.Query) && !errors.Is(err, fault.Unavailable) {
			t.Errorf("%s: %v", path, err)
		}
		if err := CheckPlaces(path, true, both); (err == nil) != want[1] || err != nil && !errors.Is(err, fault.Unavailable) {
			t.Errorf("%s, several: %v", path, err)
		}
	}
	// Nor does a ranking replace a run that is read.
	read := filepath.Join(dir, "a.bm25.run")
	if err := os.WriteFile(read, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := CheckPlaces(filepath.Join(dir, "a.run"), true, both, read); !errors.Is(err, fault.Query) {
		t.Error(err)
	}
	if err := CheckPlaces(filepath.Join(dir, "a.run"), false, both[:1], read); err != nil {
		t.Error(err)
	}
	if err := CheckPlaces(filepath.Join(dir, "a.run"), true, []string{"a/b", "a:b"}); !errors.Is(err, fault.Query) {
		t.Error(err)
	}
}

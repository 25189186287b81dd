package pcas

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/testing/quantized"
)

// Vectors of transformers and packs are kept by their texts. A run after one that was stopped
// goes on, says so, and has the figures of a whole run.
func TestKept(t *testing.T) {
	bert, pack := filepath.Join(t.TempDir(), "bert"), filepath.Join(t.TempDir(), "pack")
	if err := modeltest.Write(bert, 1); err != nil {
		t.Fatal(err)
	}
	files, err := quantized.TinyFS(1, true)
	if err == nil {
		err = os.CopyFS(pack, files)
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := write(t, sharc(t))
	for _, retriever := range []string{bert, pack} {
		keep := t.TempDir()
		run := func() (*Report, string) {
			var said strings.Builder
			e := Experiment{Retrievers: []string{retriever}, Encoding: retrieve.Encoding{Keep: keep, Console: console.New(&said)}, Tests: compare.Tests{Rounds: 20, Seed: 1}}
			r, err := e.Evaluate(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			return r, said.String()
		}
		want := evaluate(t, dir, retriever, 20)
		if first, said := run(); !reflect.DeepEqual(first.Retrievers, want.Retrievers) || strings.Contains(said, "earlier run") {
			t.Errorf("%s: the first run differs, or says %q", retriever, said)
		}
		kept, err := filepath.Glob(filepath.Join(keep, "*.vectors"))
		if err != nil || len(kept) != 1 {
			t.Fatal(kept, err)
		}
		info, err := os.Stat(kept[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(kept[0], info.Size()/2+3); err != nil { // as a run leaves it that is killed
			t.Fatal(err)
		}
		resumed, said := run()
		if !reflect.DeepEqual(resumed.Retrievers, want.Retrievers) || !strings.Contains(said, "from an earlier run") {
			t.Errorf("%s: after half a run: other figures, or it says %q", retriever, said)
		}
		if after, err := os.Stat(kept[0]); err != nil || after.Size() != info.Size() {
			t.Errorf("%s: the file has %v bytes, and had %d (%v)", retriever, after.Size(), info.Size(), err)
		}
	}
}

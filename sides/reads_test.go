package sides

import (
	"encoding/json"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/everyday"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/packed"
	"github.com/vantage-search/vantage/perspective"
)

// TestReads prints how many everyday requests the pack's reader misreads, and how many ordinary questions it
// touches, of sets whose authors had seen no row that it was trained on. perspective/testdata/README.md has
// the figures.
func TestReads(t *testing.T) {
	e := openReader(t)
	const folder = "../perspective/testdata/"
	for _, set := range []struct {
		name             string
		misread, touched float64 // the greatest shares allowed
	}{
		{"eighth", .03, 0}, {"ninth", .02, .01}, {"tenth", .04, .005}, {"eleventh", .055, 0},
		{"twelfth", .01, 0}, {"thirteenth", .01, 0}, {"fourteenth", 0, .005},
	} {
		requests, questions := everyday.Requests(t, folder+set.name+"-phrasings.jsonl"), everyday.Lines(t, folder+set.name+"-questions.txt")
		if len(requests) != 200 || len(questions) != 200 {
			t.Fatalf("the %s set: %d requests and %d questions, want 200 of each", set.name, len(requests), len(questions))
		}
		misread, touched := 0, 0
		for _, r := range requests {
			if got := reads(t, e, r.Query); !r.IsReadAs(got.Root, string(got.Kind), got.Side, got.Both) {
				misread++
				t.Logf("the %s set: %q is read as %+v; want %+v", set.name, r.Query, got, r)
			}
		}
		for _, q := range questions {
			if got := reads(t, e, q); got != (perspective.Reading{}) {
				touched++
				t.Logf("the %s set: the ordinary %q is read as %+v", set.name, q, got)
			}
		}
		m, n := float64(misread)/200, float64(touched)/200
		t.Logf("the %s set: %d requests misread (%.1f %%), %d ordinary questions touched (%.1f %%)", set.name, misread, 100*m, touched, 100*n)
		if m > set.misread || n > set.touched {
			t.Errorf("the %s set: at most %.1f %% may be misread and %.1f %% touched", set.name, 100*set.misread, 100*set.touched)
		}
	}
}

// TestReadsDebates prints how many sides the reader finds in the queries of the bundled corpus that ask for one.
func TestReadsDebates(t *testing.T) {
	e := openReader(t)
	asked, right := 0, 0
	for text, side := range everyday.Sides(t, "../examples/debates/queries.jsonl") {
		asked++
		if r := reads(t, e, text); r.Side == side {
			right++
		} else {
			t.Logf("%q is read as %+v", text, r)
		}
	}
	t.Logf("%d of %d sides", right, asked)
	if asked != 96 || right < 95 {
		t.Errorf("%d of %d sides, want all but one", right, asked)
	}
}

func reads(t *testing.T, e *packed.Encoder, query string) perspective.Reading {
	t.Helper()
	r, err := e.Read(query)
	if err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	return r
}

// openReader opens the pack without its branch.
func openReader(t *testing.T) *packed.Encoder {
	t.Helper()
	read := func(path string) []byte {
		b, err := fs.ReadFile(Files(), path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	pool := dense.NewPool(1)
	t.Cleanup(pool.Close)
	e, err := packed.Open(read(pack.FileName), nil, pool)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{pack.Vocabulary, pack.Trunk, pack.ReaderSection} {
		for _, f := range e.Manifest().Section(name).Files {
			if err := e.File(name, read(f.Path)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return e
}

// The reader takes few queries of sets for other purposes for requests: scholars' questions, claims and trivia.
func TestReadsOrdinary(t *testing.T) {
	e := openReader(t)
	for _, set := range []struct {
		path, field string
		most        int // queries
		touched     float64
	}{
		{"data/cranfield/queries.jsonl", "text", 225, .04}, // they ask for papers, data or experiments
		{"data/climate_fever/climate-fever.jsonl", "claim", 500, .04},
		{"data/ambigqa/dev_light.json", "question", 1000, .003},
	} {
		content, err := os.ReadFile(shared.Path(t, set.path))
		if err != nil {
			t.Fatal(err)
		}
		var rows []map[string]any
		if strings.HasSuffix(set.path, ".json") {
			err = json.Unmarshal(content, &rows)
		} else {
			err = json.Unmarshal([]byte("["+strings.ReplaceAll(strings.TrimSpace(string(content)), "\n", ",")+"]"), &rows)
		}
		if err != nil || len(rows) < set.most {
			t.Fatalf("%s: %d rows, %v", set.path, len(rows), err)
		}
		touched := 0
		for _, row := range rows[:set.most] {
			if reads(t, e, row[set.field].(string)) != (perspective.Reading{}) {
				touched++
			}
		}
		t.Logf("%s: %d of %d are read as requests", set.path, touched, set.most)
		if float64(touched) > set.touched*float64(set.most) {
			t.Errorf("%s: at most %.1f %%", set.path, 100*set.touched)
		}
	}
}

// Package reads measures readers of queries on the sets of perspective/testdata and on queries of other collections.
package reads

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/everyday"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/testing/tools"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/packed"
	"github.com/vantage-search/vantage/perspective"
)

// Open opens what a pack needs to read queries, and not its branch.
func Open(t testing.TB, files fs.FS) *packed.Encoder {
	t.Helper()
	read := func(path string) []byte {
		b, err := fs.ReadFile(files, path)
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

// Read reads a query.
func Read(t testing.TB, e *packed.Encoder, query string) perspective.Reading {
	t.Helper()
	r, err := e.Read(query)
	if err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	return r
}

// Set is a set of 200 requests and 200 ordinary questions, with the most that may be misread and touched.
type Set struct {
	Name             string
	Misread, Touched int
}

// Goals of the sets by which nothing was chosen, taken together: shares of the requests and of the questions.
const (
	GoalMisread = .02
	GoalTouched = .01
)

// unseen are the sets by which nothing was chosen, and of which no author of rows had seen a line.
const unseen = " eleventh twelfth thirteenth fourteenth "

// Measure prints how many requests of each set a reader misreads, and how many ordinary questions it touches. The sets
// by which nothing was chosen must meet the goals together.
func Measure(t *testing.T, e *packed.Encoder, sets []Set) {
	t.Helper()
	folder := filepath.Join(tools.Root(), "perspective/testdata")
	asked, misread, touched := 0, 0, 0
	for _, set := range sets {
		requests := everyday.Requests(t, filepath.Join(folder, set.Name+"-phrasings.jsonl"))
		questions := everyday.Lines(t, filepath.Join(folder, set.Name+"-questions.txt"))
		if len(requests) != 200 || len(questions) != 200 {
			t.Fatalf("the %s set: %d requests and %d questions, want 200 of each", set.Name, len(requests), len(questions))
		}
		m, n := 0, 0
		for _, r := range requests {
			if got := Read(t, e, r.Query); !r.IsReadAs(got.Root, string(got.Kind), got.Side, got.Both) {
				m++
				t.Logf("the %s set: %q is read as %+v; want %+v", set.Name, r.Query, got, r)
			}
		}
		for _, q := range questions {
			if got := Read(t, e, q); got != (perspective.Reading{}) {
				n++
				t.Logf("the %s set: the ordinary %q is read as %+v", set.Name, q, got)
			}
		}
		t.Logf("the %s set: %d requests misread (%.1f %%), %d ordinary questions touched (%.1f %%)", set.Name, m, float64(m)/2, n, float64(n)/2)
		if m > set.Misread || n > set.Touched {
			t.Errorf("the %s set: at most %d may be misread and %d touched", set.Name, set.Misread, set.Touched)
		}
		if strings.Contains(unseen, " "+set.Name+" ") {
			asked, misread, touched = asked+200, misread+m, touched+n
		}
	}
	m, n := float64(misread)/float64(asked), float64(touched)/float64(asked)
	t.Logf("the sets by which nothing was chosen: %d of %d requests misread (%.1f %%), %d of %d ordinary questions touched (%.1f %%)", misread, asked, 100*m, touched, asked, 100*n)
	if asked != 800 || !(m <= GoalMisread && n <= GoalTouched) {
		t.Errorf("of 800 each, at most %g %% may be misread and %g %% touched", 100*GoalMisread, 100*GoalTouched)
	}
}

// Debates prints how many sides a reader finds in the queries of the bundled corpus that ask for one. All but most
// must be found.
func Debates(t *testing.T, e *packed.Encoder, most int) {
	t.Helper()
	asked, right := 0, 0
	for text, side := range everyday.Sides(t, filepath.Join(tools.Root(), "examples/debates/queries.jsonl")) {
		asked++
		if r := Read(t, e, text); r.Side == side {
			right++
		} else {
			t.Logf("%q is read as %+v", text, r)
		}
	}
	t.Logf("%d of %d sides", right, asked)
	if asked != 96 || asked-right > most {
		t.Errorf("%d of %d sides, want all but %d", right, asked, most)
	}
}

// Queries are queries of a collection for another purpose, which ask for no perspective.
type Queries struct {
	Path, Field string // in ../shared
	Number      int
	Touched     int // at most
}

// Ordinary prints how many queries for other purposes a reader takes for requests.
func Ordinary(t *testing.T, e *packed.Encoder, sets []Queries) {
	t.Helper()
	for _, set := range sets {
		content, err := os.ReadFile(shared.Path(t, set.Path))
		if err != nil {
			t.Fatal(err)
		}
		var rows []map[string]any
		if strings.HasSuffix(set.Path, ".json") {
			err = json.Unmarshal(content, &rows)
		} else {
			err = json.Unmarshal([]byte("["+strings.ReplaceAll(strings.TrimSpace(string(content)), "\n", ",")+"]"), &rows)
		}
		if err != nil || len(rows) < set.Number {
			t.Fatalf("%s: %d rows, %v", set.Path, len(rows), err)
		}
		touched := 0
		for _, row := range rows[:set.Number] {
			if Read(t, e, row[set.Field].(string)) != (perspective.Reading{}) {
				touched++
			}
		}
		t.Logf("%s: %d of %d are read as requests", set.Path, touched, set.Number)
		if touched > set.Touched {
			t.Errorf("%s: at most %d", set.Path, set.Touched)
		}
	}
}

// Package reads measures readers of queries on the sets of perspective/testdata and on queries of other collections.
package reads

import (
	"encoding/json"
	"fmt"
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

// Set is a set of 200 requests and 200 ordinary questions, with the most that may be misread, read otherwise than
// their author meant them (misread or not), and touched.
type Set struct {
	Name                        string
	Misread, Otherwise, Touched int
}

// Goals of the sets by which nothing was chosen, taken together: shares of the requests and of the questions.
const (
	GoalMisread = .02
	GoalTouched = .01
)

// Sets by which nothing was chosen, and of which no author of rows had seen a line. The later ones are harder.
const (
	first = " eleventh twelfth thirteenth fourteenth "
	later = " sixteenth seventeenth eighteenth nineteenth twentieth "
)

// figures count requests, of which some are misread or read otherwise than their author meant them, and as many ordinary
// questions, of which some are touched.
type figures struct{ asked, misread, otherwise, touched int }

func (f *figures) add(g figures) {
	f.asked, f.misread, f.otherwise, f.touched = f.asked+g.asked, f.misread+g.misread, f.otherwise+g.otherwise, f.touched+g.touched
}

func (f figures) share(n int) float64 { return float64(n) / float64(f.asked) }

func (f figures) String() string {
	return fmt.Sprintf("of %d requests, %d are misread (%.1f %%) and %d read otherwise than by their authors (%.1f %%); of as many ordinary questions, %d are touched (%.1f %%)",
		f.asked, f.misread, 100*f.share(f.misread), f.otherwise, 100*f.share(f.otherwise), f.touched, 100*f.share(f.touched))
}

// Measure prints how many requests of each set a reader misreads, and how many ordinary questions it touches. A request is
// misread if it is read neither as its author meant it nor in another way that is right. The first sets by which nothing was chosen
// must meet the goals together, and so must all of them.
func Measure(t *testing.T, e *packed.Encoder, sets []Set) {
	t.Helper()
	folder := filepath.Join(tools.Root(), "perspective/testdata")
	var early, late figures
	for _, set := range sets {
		requests := everyday.Requests(t, filepath.Join(folder, set.Name+"-phrasings.jsonl"))
		questions := everyday.Lines(t, filepath.Join(folder, set.Name+"-questions.txt"))
		if len(requests) != 200 || len(questions) != 200 {
			t.Fatalf("the %s set: %d requests and %d questions, want 200 of each", set.Name, len(requests), len(questions))
		}
		f := figures{asked: len(requests)}
		for _, r := range requests {
			got := Read(t, e, r.Query)
			if !r.IsReadAs(got.Root, string(got.Kind), got.Side, got.Both) {
				f.otherwise++
			}
			if !r.IsUnderstoodAs(got.Root, string(got.Kind), got.Side, got.Both) {
				f.misread++
				t.Logf("the %s set: %q is read as %+v; want %+v", set.Name, r.Query, got, r.Reading)
			}
		}
		for _, q := range questions {
			if got := Read(t, e, q); got != (perspective.Reading{}) {
				f.touched++
				t.Logf("the %s set: the ordinary %q is read as %+v", set.Name, q, got)
			}
		}
		t.Logf("the %s set: %v", set.Name, f)
		if f.misread > set.Misread || f.otherwise > set.Otherwise || f.touched > set.Touched {
			t.Errorf("the %s set: at most %d may be misread, %d read otherwise and %d touched", set.Name, set.Misread, set.Otherwise, set.Touched)
		}
		if strings.Contains(first, " "+set.Name+" ") {
			early.add(f)
		} else if strings.Contains(later, " "+set.Name+" ") {
			late.add(f)
		}
	}
	t.Logf("the first four sets by which nothing was chosen: %v", early)
	t.Logf("the later five, which are harder: %v", late)
	all := early
	all.add(late)
	t.Logf("all nine: %v", all)
	for _, f := range []figures{early, all} {
		if !(f.share(f.misread) <= GoalMisread && f.share(f.touched) <= GoalTouched) {
			t.Errorf("%v, want at most %g %% and %g %%", f, 100*GoalMisread, 100*GoalTouched)
		}
	}
	if early.asked != 800 || all.asked != 1800 {
		t.Errorf("%d and %d requests", early.asked, all.asked)
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
	Path, Field string // in ../shared, or here if it begins with tests/
	Number      int
	Touched     int // at most
}

// Ordinary prints how many queries for other purposes a reader takes for requests.
func Ordinary(t *testing.T, e *packed.Encoder, sets []Queries) {
	t.Helper()
	for _, set := range sets {
		path := filepath.Join(tools.Root(), set.Path)
		if !strings.HasPrefix(set.Path, "tests/") {
			path = shared.Path(t, set.Path)
		}
		content, err := os.ReadFile(path)
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

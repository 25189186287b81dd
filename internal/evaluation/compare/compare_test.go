package compare

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

func write(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The values of two runs are known by hand: the first finds all, the second misses one
// query and lacks another.
func TestCompare(t *testing.T) {
	dir := t.TempDir()
	files := Files{
		Qrels: write(t, dir, "qrels", "1 0 a 1\n2 0 b 1\n3 0 c 1\n"),
		Runs: []string{write(t, dir, "all", "1 Q0 a 1 1 x\n2 Q0 b 1 1 x\n3 Q0 c 1 1 x\n"),
			write(t, dir, "some", "1 Q0 a 1 1 y\n2 Q0 z 1 1 y\n")},
		Measures: []string{"P.1"}, Level: 1,
	}
	tests := Tests{Rounds: 100, Seed: 1}
	var told strings.Builder
	found, err := files.Compare(context.Background(), &tests, console.New(&told))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(told.String(), "some lacks 1 of 3 queries") {
		t.Errorf("told %q", told.String())
	}
	c := found[0]
	if len(found) != 1 || c.Measure != "P_1" || c.Queries != 3 || c.Runs[0].Mean != 1 || approx.Apart(c.Runs[1].Mean, 1./3, 1e-15) || c.Runs[1].Missing != 1 {
		t.Errorf("%+v", found)
	}
	p := c.Pairs[0]
	if len(c.Pairs) != 1 || approx.Apart(p.Difference, -2./3, 1e-15) || p.Better != 0 || p.Worse != 2 || p.PTHolm != p.PT || p.Low > p.Difference || p.High < p.Difference {
		t.Errorf("%+v", c.Pairs)
	}
	if tables := c.Tables(); len(tables) != 2 || len(tables[0].Rows) != 2 || len(tables[1].Rows) != 1 {
		t.Errorf("%+v", tables)
	}
}

// Invalid options are refused as faults of the query, and faults in a file as faults of the
// input.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	good := Files{Qrels: write(t, dir, "qrels", "1 0 a 1\n"), Runs: []string{write(t, dir, "run", "1 Q0 a 1 1 x\n"), filepath.Join(dir, "run")}, Measures: []string{"map"}, Level: 1}
	for name, c := range map[string]struct {
		change func(f *Files, tests *Tests)
		want   fault.Kind
	}{
		"no judgements":     {func(f *Files, _ *Tests) { f.Qrels = "" }, fault.Query},
		"no measure":        {func(f *Files, _ *Tests) { f.Measures = nil }, fault.Query},
		"an unknown one":    {func(f *Files, _ *Tests) { f.Measures = []string{"best"} }, fault.Query},
		"level 0":           {func(f *Files, _ *Tests) { f.Level = 0 }, fault.Query},
		"no rounds":         {func(_ *Files, tests *Tests) { tests.Rounds = 0 }, fault.Query},
		"a run is missing":  {func(f *Files, _ *Tests) { f.Runs = append(f.Runs[:1:1], filepath.Join(dir, "none")) }, fault.Input},
		"a run is no run":   {func(f *Files, _ *Tests) { f.Runs = append(f.Runs[:1:1], write(t, dir, "bad", "x\n")) }, fault.Input},
		"a folder of qrels": {func(f *Files, _ *Tests) { f.Qrels = dir }, fault.Input},
	} {
		files, tests := good, Tests{Rounds: 10, Seed: 1}
		c.change(&files, &tests)
		if _, err := files.Compare(context.Background(), &tests, nil); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := good.Compare(context.Background(), &Tests{Rounds: 10, Seed: 1}, nil); !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), "at least two queries") {
		t.Errorf("of a single query: %v", err)
	}
}

package browser

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/metrics"
)

// The shares equal those of the analyses in Go, to the last bit: of bias (Table
// 3), and of the heat map (Figures 3 and 6).
func TestPortions(t *testing.T) {
	t.Parallel()
	r := seeded()
	places := []string{"Kenya", "__proto__", "Peru", "", "1"}
	found, rows, byRow := [][]string{}, []string{}, map[string][][]string{}
	var located []metrics.Located
	for range 300 {
		list := []string{}
		for range r.IntN(6) {
			list = append(list, places[int(r.ExpFloat64())%len(places)])
		}
		row := fmt.Sprint("row ", r.IntN(4))
		found, rows, byRow[row] = append(found, list), append(rows, row), append(byRow[row], list)
		located = append(located, metrics.Located{Desired: row, Found: list})
	}
	type share struct{ Queries, Found float64 }
	type row struct {
		Queries, Found int
		Labels         map[string]share
	}
	rowOf := func(lists [][]string, labels []string) row {
		shares, queries := metrics.Bias(lists)
		out := row{Queries: queries, Labels: map[string]share{}}
		for _, label := range labels {
			out.Labels[label] = share{}
		}
		for _, s := range shares {
			out.Labels[s.Label] = share{s.Queries, s.Documents}
		}
		for _, list := range lists {
			out.Found += len(list)
		}
		return out
	}
	const portions = `async (worker, found, rows) => {
		const { Vantage } = await import('/static/lib/index.js');
		const vantage = await Vantage.create({ encoder: null, worker });
		const out = JSON.stringify(await vantage.portions({ found, rows }));
		vantage.close();
		return out;
	}`
	type answer struct {
		Labels []string
		Rows   map[string]row
	}
	for _, worker := range []bool{true, false} {
		for _, given := range []struct {
			found [][]string
			rows  any
			by    map[string][][]string
		}{{found, rows, byRow}, {found, nil, map[string][][]string{"": found}}, {[][]string{}, nil, nil}, {[][]string{{}, {}}, nil, map[string][][]string{"": {{}, {}}}}} {
			var got answer
			if err := json.Unmarshal([]byte(call[string](t, library(t), portions, worker, given.found, given.rows)), &got); err != nil {
				t.Fatal(err)
			}
			want := map[string]row{}
			for name, lists := range given.by {
				want[name] = rowOf(lists, got.Labels)
			}
			if !reflect.DeepEqual(got.Rows, want) {
				t.Errorf("worker %v: %+v, want %+v", worker, got.Rows, want)
			}
			if given.rows == nil {
				continue
			}
			m := metrics.NewHeatMap(located)
			for i, wanted := range m.Locations {
				for j, label := range m.Locations {
					if row, asked := got.Rows[wanted]; asked && row.Labels[label].Found != m.Portions[i][j] {
						t.Errorf("%s in %s: %v, want %v", label, wanted, row.Labels[label], m.Portions[i][j])
					}
				}
			}
		}
	}
}

func TestPortionsRefuses(t *testing.T) {
	t.Parallel()
	page := library(t)
	for given, want := range map[string]string{
		`undefined`:                  "found must be a list",
		`{ found: ['a'] }`:           "found must be a list",
		`{ found: [[1]] }`:           "found has 1, which is not a text",
		`{ found: [[]], rows: [] }`:  "rows must be a list of 1 texts",
		`{ found: [[]], rows: [2] }`: "rows has 2, which is not a text",
	} {
		got := call[seenFault](t, page, `async () => {
			const lib = await import('/static/lib/index.js');`+describeFault+`
			const vantage = await lib.Vantage.create({ encoder: null });
			try {
				return await vantage.portions(`+given+`).then(() => ({}), describe);
			} finally {
				vantage.close();
			}
		}`)
		if got.Name != "QueryError" || !strings.Contains(got.Message, want) {
			t.Errorf("%s: %+v, want a QueryError with %q", given, got, want)
		}
	}
}

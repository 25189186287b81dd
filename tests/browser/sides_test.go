package browser

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/search"
)

// sidesCalls are calls of the library about sides, and what Go answers. The calls are run
// in this order.
func sidesCalls(t *testing.T, dir string, texts []string) (calls []any, want []string) {
	t.Helper()
	collection := native(t, filepath.Join(dir, "collection"))
	add := func(answer any, err error, call ...any) {
		text := "query: "
		if err == nil {
			b, err := json.Marshal(answer)
			if err != nil {
				t.Fatal(err)
			}
			text = string(b)
		}
		calls, want = append(calls, call), append(want, text)
	}
	third, err := search.ParseFilter("third=1")
	if err != nil {
		t.Fatal(err)
	}
	filters := []search.Filter{third}
	filter := map[string]any{"third": 1}
	const king = "the king walked to the city"
	sides := func(q search.SidesQuery, options map[string]any) *search.Sides {
		answer, err := collection.Sides(t.Context(), q)
		add(answer, err, "sides", q.Root, options)
		return answer
	}
	all := sides(search.SidesQuery{Root: king, K: 70}, map[string]any{"k": 70})
	sides(search.SidesQuery{Root: king}, nil)
	sides(search.SidesQuery{Root: "a train", K: 3, Strength: ptr(-2.5)}, map[string]any{"k": 3, "strength": -2.5})
	sides(search.SidesQuery{Root: king, Filters: filters}, map[string]any{"filter": filter})
	sides(search.SidesQuery{}, nil)
	sides(search.SidesQuery{Root: king, K: -1}, map[string]any{"k": -1})
	sides(search.SidesQuery{Root: king, Strength: ptr(11.0)}, map[string]any{"strength": 11})
	for name, side := range map[string]search.SideHits{"for": all.For, "neither": all.Neither, "against": all.Against} {
		if side.Count < 4 || side.Count != len(side.Hits) {
			t.Errorf("%d texts are %s, %d hits: the test compares too little", side.Count, name, len(side.Hits))
		}
	}
	for _, list := range [][]string{texts, nil} {
		answer, err := collection.SidesOf(t.Context(), search.SidesQuery{Root: king, K: 5}, list)
		add(answer, err, "sidesOf", king, list, map[string]any{"k": 5})
	}
	other := func(q search.OtherSideQuery, options map[string]any) {
		answer, err := collection.OtherSide(t.Context(), q)
		add(answer, err, "otherSide", q.Document, options)
	}
	for _, document := range []int{all.For.Hits[0].Index, all.Against.Hits[1].Index} {
		other(search.OtherSideQuery{Document: document, Root: king}, map[string]any{"root": king})
		other(search.OtherSideQuery{Document: document, Root: king, K: 70, Strength: ptr(0.1), Filters: filters}, map[string]any{"root": king, "k": 70, "strength": .1, "filter": filter})
		other(search.OtherSideQuery{Document: document, K: 4}, map[string]any{"k": 4})
	}
	other(search.OtherSideQuery{Document: 70}, nil)
	other(search.OtherSideQuery{Document: 1, Strength: ptr(-1.0)}, map[string]any{"strength": -1})
	// What is on a side: all hits of a ranking that have its stance.
	for _, q := range []search.Query{
		{Query: search.Text{Text: "reasons against: " + king}, Method: "contrast", K: 70},
		{Query: search.Text{Text: "reasons against: " + king}, Method: "pap+", K: 70},
	} {
		answer, err := collection.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range []string{search.For, search.Against} {
			var hits []search.Hit
			for _, h := range answer.Hits {
				if h.Stance != nil && h.Stance.Side == side {
					h.Rank = len(hits) + 1
					hits = append(hits, h)
				}
			}
			add(hits, nil, "hits", map[string]any{"query": q.Query.Text, "method": q.Method, "k": 70, "side": side})
		}
	}
	return calls, want
}

// tellSides runs the calls and returns the JSON of each answer.
const tellSides = `async (collection, calls, options) => {
	const { Vantage } = await import('/lib/index.js');
	const vantage = await Vantage.open(collection, options);
	await vantage.ready;
	const out = [];
	for (const [name, ...args] of calls) {
		try {
			if (name === 'hits') out.push(JSON.stringify((await vantage.search(...args)).hits));
			else if (name === 'sidesOf') out.push(JSON.stringify(await vantage.sidesOf(args[0], args[1] ?? [], args[2])));
			else {
				const { coverage, ...answer } = await vantage[name](...args);
				if (coverage.rows !== coverage.total) throw new Error('only ' + coverage.rows + ' rows of ' + coverage.total);
				out.push(JSON.stringify(answer));
			}
		} catch (error) {
			out.push(error.code + ': ' + error.message);
		}
	}
	vantage.close();
	return out;
}`

// Pages tell sides as Go does, to the last digit, with one worker and with several.
func TestSidesEqualGo(t *testing.T) {
	t.Parallel()
	dir, texts := hearingSite(t)
	calls, want := sidesCalls(t, dir, texts)
	page := open(t, serve(t, bare(dir)).URL("/"))
	for _, options := range []map[string]any{{}, {"workers": 3}, {"worker": false}} {
		got := call[[]string](t, page, tellSides, "/collection/", calls, options)
		for i := range want {
			if want[i] == "query: " && strings.HasPrefix(got[i], "query: ") {
				continue
			}
			if got[i] != want[i] {
				t.Errorf("%v, %.200v:\n  page %.900s\n  Go   %.900s", options, calls[i], got[i], want[i])
			}
		}
	}
}

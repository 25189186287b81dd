package indexing

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/perspective"
)

// judged makes queries of a kind whose values come from a function of the query and the
// ranking, of which 0 is the default.
func judged(kind string, n int, value func(query, ranking int) float64) (out []answered) {
	for i := range n {
		a := answered{kind: kind}
		for j := range 5 {
			a.values = append(a.values, value(i, j))
		}
		out = append(out, a)
	}
	return out
}

func better(_, ranking int) float64 { return []float64{0.2, 0.1, 0.3, 0.9, 0.5}[ranking] }

func TestDecide(t *testing.T) {
	candidates := candidatesOf(true)
	chosen := func(table []string, halves ...[]answered) (*Choice, []string) {
		report, lines, err := decide([2][]answered{halves[0], halves[1]}, candidates, table)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := perspective.ParseChoices(lines); err != nil {
			t.Fatal(err)
		}
		return report, lines
	}
	few, _ := chosen(nil, judged("none", leastJudged-1, better), judged("none", 9, better))
	if none := (&Choice{Measure: "nDCG@10"}).String(); strings.Contains(none, "0 queries") {
		t.Errorf("nothing was measured, but the report is: %s", none)
	}
	if !strings.Contains(few.String(), "a choice needs 20 judged queries of a kind") {
		t.Errorf("few queries: %s", few)
	}
	if few.Changed() != 0 || len(few.Kinds) != 0 || few.Before != few.After || few.Held != 9 {
		t.Errorf("few queries: %+v", few)
	}
	report, lines := chosen(nil, slices.Concat(judged("none", leastJudged, better), judged("stance", 3, better)), slices.Concat(judged("none", 3, better), judged("stance", 1, better)))
	if report.Changed() != 1 || report.Kinds[0].Chosen != "none none hybrid 0.6" || report.Kinds[0].P >= choiceLevel ||
		approx.Apart(report.Before, 0.2, 1e-9) || approx.Apart(report.After, (3*0.9+0.2)/4, 1e-9) {
		t.Errorf("%+v", report)
	}
	want := []string{"none none hybrid 0.6"}
	for _, c := range perspective.DefaultChoices() {
		if c.Kind != perspective.KindNone {
			want = append(want, c.String())
		}
	}
	slices.Sort(want)
	if slices.Sort(lines); !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
	own := []string{"none none", "stance contrast 0.4", "stance tri-sum", "place root"}
	if _, lines = chosen(own, judged("stance", 30, better), nil); !slices.Equal(lines, []string{"none none", "place root", "stance none hybrid 0.6"}) {
		t.Errorf("%q", lines)
	}
	worse, _ := chosen(nil, judged("none", 50, func(q, r int) float64 { return 0.5 - float64(r)/10 }), nil)
	if worse.Changed() != 0 || worse.Kinds[0].P != 1 {
		t.Errorf("%+v", worse)
	}
	if !strings.Contains(worse.String(), "the default ranking stays") || !strings.Contains(report.String(), "chosen on 20 judged queries: none none hybrid 0.6") {
		t.Errorf("%v; %v", worse, report)
	}
}

// Of rankings that differ by chance alone, at most one in twenty is chosen.
func TestDecideByChance(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	const tries = 200
	changed := 0
	for range tries {
		report, _, err := decide([2][]answered{judged("none", 40, func(int, int) float64 { return random.Float64() }), nil}, candidatesOf(true), nil)
		if err != nil {
			t.Fatal(err)
		}
		changed += report.Changed()
	}
	if t.Logf("%d of %d", changed, tries); changed > tries/20 {
		t.Errorf("%d of %d are chosen by chance", changed, tries)
	}
}

func TestGains(t *testing.T) {
	answer := func(ids ...string) *vantage.Result {
		r := &vantage.Result{}
		for _, id := range ids {
			r.Hits = append(r.Hits, vantage.Hit{ID: id})
		}
		return r
	}
	got, err := gains([]*vantage.Result{answer("a", "b"), answer("x", "a", "y", "b"), answer("x"), answer()}, []string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	ideal := 1 + 1/math.Log2(3) + 0.5
	want := []float64{(1 + 1/math.Log2(3)) / ideal, (1/math.Log2(3) + 1/math.Log2(5)) / ideal, 0, 0}
	for i := range want {
		if approx.Apart(got[i], want[i], 1e-9) {
			t.Errorf("%d: %v, want %v", i, got[i], want[i])
		}
	}
}

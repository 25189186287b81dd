package javascript

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/joint"
	"github.com/vantage-search/vantage/perspective"
)

// index.d.ts, which is written by hand, tells the defaults and limits that pages take from Go.
func TestDeclaredDefaults(t *testing.T) {
	file, err := os.ReadFile("../../static/lib/index.d.ts")
	if err != nil {
		t.Fatal(err)
	}
	declared := strings.ReplaceAll(string(file), "\n   * ", " ")
	for what, want := range map[string]struct {
		text  string
		times int
	}{
		"DEFAULT_K":               {fmt.Sprintf("Number of hits; default %d.", search.DefaultK), 2},
		"DEFAULT_K of a side":     {fmt.Sprintf("Number of hits of each side; default %d.", search.DefaultK), 1},
		"MAX_ and DEFAULT_LAMBDA": {fmt.Sprintf("Strength of the projection of pap and pap+, from -%[1]g to %[1]g; default %[2]g,", perspective.MaxLambda, search.DefaultLambda), 1},
		"DEFAULT_WEIGHT":          {fmt.Sprintf("weight of the words; default %g.", search.DefaultWeight), 1},
		"MAX_CONTEXTS":            {fmt.Sprintf("Private facts about who asks, such as \"I am self-employed\", at most %d.", joint.MaxContexts), 1},
		"DEFAULT_CONTEXT_LAMBDA*": {fmt.Sprintf("default %g, by MaxSim %g.", joint.DefaultLambda, joint.DefaultLambdaMaxSim), 1},
		"MAX_RESCORE":             {fmt.Sprintf("encode so many documents, at most %d;", search.MaxRescore), 1},
		"MAX_STRENGTH":            {fmt.Sprintf("\"contrast\" and \"aspect\", from -%[1]g to %[1]g:", perspective.MaxStrength), 1},
		"MAX_STRENGTH of a slant": {fmt.Sprintf("in the order of hits, from -%[1]g to %[1]g.", perspective.MaxStrength), 1},
		"*_STRENGTH": {fmt.Sprintf("from 0 to %g; default %g with a root and %g without.",
			perspective.MaxStrength, search.OtherSideStrength, search.FarStrength), 1},
	} {
		if got := strings.Count(declared, want.text); got != want.times {
			t.Errorf("%s: static/lib/index.d.ts has %q %d times, want %d: its comments must say what the constant says", what, want.text, got, want.times)
		}
	}
}

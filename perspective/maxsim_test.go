package perspective

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

func TestSumTokens(t *testing.T) {
	q, r, p, o := []float32{1, 2}, []float32{3, 4, 5, 6}, []float32{8, 10}, []float32{12, 14, 16, 18}
	for method, want := range map[string]TokenQuery{
		"none":         {Vectors: q},
		"root":         {Vectors: r},
		"dual-sum":     {Vectors: []float32{3, 4, 5, 6, 4, 5, 6, 7, 8, 9}},
		"aug-dual-sum": {Vectors: []float32{1, 2, 4, 5, 6, 7, 8, 9}},
		"tri-sum":      {Vectors: []float32{3, 4, 5, 6, 1, 2, 4, 5, 6, 7, 8, 9}},
		"re-ranking":   {Vectors: []float32{3, 4, 5, 6, 4, 5, 6, 7, 8, 9}, Gate: r},
		"rerank-aug":   {Vectors: []float32{1, 2, 4, 5, 6, 7, 8, 9}, Gate: q},
	} {
		got, err := SumTokens(method, 2, q, r, [][]float32{p, o})
		if err != nil || !slices.Equal(got.Vectors, want.Vectors) || !slices.Equal(got.Gate, want.Gate) || (got.Gate == nil) != (want.Gate == nil) {
			t.Errorf("%s: %v, %v", method, got, err)
		}
	}
}

// Every other method is refused by name, as are parts that a method needs and lacks.
func TestSumTokensRefusals(t *testing.T) {
	q, sides := []float32{1, 2}, [][]float32{{1, 2}}
	taken := 0
	for _, m := range Methods() {
		_, err := SumTokens(m.Name, 2, q, q, sides)
		if m.Name == "query_cosine" || m.Name == "source_cosine" || strings.HasPrefix(m.Name, "additive") || m.Gated {
			if err != nil {
				t.Errorf("%s: %v", m.Name, err)
			}
			taken++
			continue
		}
		if err == nil {
			t.Errorf("MaxSim takes %s: if it is a sum of scores, add it to this test and to TestSumTokens", m.Name)
			continue
		}
		if !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), "method "+m.Short()+" ") || !strings.Contains(err.Error(), "none, root, dual-sum") {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
	if taken != 7 {
		t.Errorf("%d methods are sums of scores, want the 7 of TestSumTokens", taken)
	}
	for says, ask := range map[string]func() (TokenQuery, error){
		"needs a query":           func() (TokenQuery, error) { return SumTokens("none", 2, nil, q, sides) },
		"needs a root":            func() (TokenQuery, error) { return SumTokens("dual-sum", 2, q, nil, sides) },
		"needs a perspective":     func() (TokenQuery, error) { return SumTokens("tri-sum", 2, q, q, nil) },
		"the query has 3 numbers": func() (TokenQuery, error) { return SumTokens("none", 2, []float32{1, 2, 3}, nil, nil) },
		"vectors of 0 dimensions": func() (TokenQuery, error) { return SumTokens("none", 0, q, nil, nil) },
		"vectors of -1 dim":       func() (TokenQuery, error) { return SumTokens("none", -1, q, nil, nil) },
		"unknown method":          func() (TokenQuery, error) { return SumTokens("nine", 2, q, q, sides) },
		"score maxsim compares the vectors of": func() (TokenQuery, error) {
			_, err := Compile(Query{Query: q, Method: "none", Score: MaxSim})
			return TokenQuery{}, err
		},
	} {
		if _, err := ask(); !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
}

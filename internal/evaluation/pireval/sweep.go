package pireval

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/perspective"
)

// Limits of a sweep.
const (
	mostLambdas = 1001
	leastStep   = 1e-6
)

// ParseSweep reads "lambda=FROM:TO:STEP" as the values FROM, FROM+STEP, … up to TO. TO
// is included if a step meets it.
func ParseSweep(text string) ([]float64, error) {
	list, ok := strings.CutPrefix(text, "lambda=")
	parts := strings.Split(list, ":")
	if !ok || len(parts) != 3 {
		return nil, fmt.Errorf("%.80q is not a sweep: write lambda=FROM:TO:STEP, such as lambda=-2:2:0.1", text)
	}
	var v [3]float64
	for i, part := range parts {
		x, err := strconv.ParseFloat(part, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("sweep: %.80q is not a number", part)
		}
		v[i] = x
	}
	from, to, step := v[0], v[1], v[2]
	switch {
	case from < -perspective.MaxLambda || to > perspective.MaxLambda:
		return nil, fmt.Errorf("sweep: λ must be between -%g and %g", perspective.MaxLambda, perspective.MaxLambda)
	case step < leastStep || from > to:
		return nil, fmt.Errorf("sweep: from %g to %g by %g is empty or too fine: write the smaller value first, and a step of at least %g", from, to, step, leastStep)
	case (to-from)/step > mostLambdas-1:
		return nil, fmt.Errorf("sweep: more than %d values of λ: take a wider step", mostLambdas)
	}
	var lambdas []float64
	for i := range int(math.Floor((to-from)/step+1e-9)) + 1 {
		// Rounding makes steps of 0.1 print as such.
		lambdas = append(lambdas, math.Round((from+float64(i)*step)*1e9)/1e9)
	}
	return lambdas, nil
}

// Swept are the methods that have a strength, once for each λ. All λ of one method come
// before the next method.
func Swept(methods []Method, lambdas []float64) []Method {
	var swept []Method
	for _, m := range methods {
		if known, err := perspective.Lookup(m.scoring); err != nil || !known.Lambda {
			continue
		}
		for _, lambda := range lambdas {
			m.Lambda = lambda
			swept = append(swept, m)
		}
	}
	return swept
}

// Cut splits a run after its first n methods.
func (r *Run) Cut(n int) (first, rest Run) {
	first, rest = Run{Retriever: r.Retriever, Instructed: r.Instructed, Methods: r.Methods[:n]}, Run{Retriever: r.Retriever, Methods: r.Methods[n:]}
	for _, task := range r.Tasks {
		first.Tasks = append(first.Tasks, Member[Ordered[Result]]{task.Name, task.Value[:n]})
		rest.Tasks = append(rest.Tasks, Member[Ordered[Result]]{task.Name, task.Value[n:]})
	}
	return first, rest
}

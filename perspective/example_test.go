package perspective_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/vantage-search/vantage/perspective"
)

// A query about trains whose perspective is money: pap+ projects the perspective out of the
// query and of every entry, so that what is left of them decides. Here, vectors have three
// components: trains, money, food.
func Example() {
	query := perspective.Query{
		Query:        []float32{1, 1, 0},
		Perspectives: [][]float32{{0, 1, 0}},
		Lambda:       1,
	}
	entries := [][]float32{{0, 1, 0.1}, {1, 0.2, 0}, {0.5, 0.5, 0.7}}
	for _, method := range []string{"none", "pap+"} {
		query.Method = method
		plan, err := perspective.Compile(query)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %.2f\n", method, plan.Scores(entries))
	}
	// Output:
	// none: [0.70 0.83 0.71]
	// pap+: [0.00 1.00 0.58]
}

// Split reads root and perspective from the wording of a query.
func ExampleSplit() {
	root, side, ok := perspective.Split("Find a claim that opposes the argument: We need more night trains")
	fmt.Printf("%q, %q, %t\n", root, side, ok)
	_, _, ok = perspective.Split("night trains")
	fmt.Println(ok)
	// Output:
	// "We need more night trains", "a claim that opposes the argument", true
	// false
}

// ReadTagged reads a query with what a model says of its words and of the whole.
func ExampleReadTagged() {
	query := "make me hate night trains"
	words := perspective.Words(query)
	for i := range words {
		words[i].Root = -3
		if i >= 3 {
			words[i].Root = 3
		}
	}
	fmt.Println(perspective.IsLabel("stance:against"), perspective.IsLabel("against"))
	r := perspective.ReadTagged(query, words, "stance:against")
	fmt.Printf("%q, %q, %s, %d\n", r.Root, r.Perspective, r.Kind, r.Side)
	// Output:
	// true false
	// "night trains", "arguments against", stance, -1
}

func ExampleCompile() {
	_, err := perspective.Compile(perspective.Query{Method: "pap", Query: []float32{1, 0}})
	var missing *perspective.MissingError
	if errors.As(err, &missing) {
		fmt.Println("it needs a", missing.What)
	}
	_, err = perspective.Compile(perspective.Query{Method: "pap plus", Query: []float32{1, 0}})
	var unknown *perspective.UnknownMethodError
	fmt.Println(errors.As(err, &unknown))
	// Output:
	// it needs a perspective
	// true
}

// If a query has a root but no text for its perspective, Difference makes a vector for it.
func ExampleDifference() {
	side, err := perspective.Difference([]float32{1, 0.5, 0}, []float32{1, 0, 0})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(side)
	// Output:
	// [0 0.5 0]
}

func ExampleLookup() {
	m, err := perspective.Lookup("pap+")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Name, m.Short(), m.Formula)
	fmt.Println(m.NeedsQuery, m.NeedsRoot, m.NeedsPerspective, m.Lambda)
	// Output:
	// vec_dual_projection pap+ cos(q_λ, c_λ), v_λ = v - λ (v·p / p·p) p
	// true false true true
}

func ExampleMethods() {
	for _, m := range perspective.Methods() {
		if m.Gated {
			fmt.Println(m.Name)
		}
	}
	// Output:
	// re-ranking
	// re-ranking_aug
}

// A plan scores one entry at a time, too.
func ExamplePlan_Score() {
	plan, err := perspective.Compile(perspective.Query{Method: "add", Root: []float32{1, 0}, Perspectives: [][]float32{{0, 1}}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f %.3f\n", plan.Score([]float32{2, 2}), plan.Score([]float32{1, 0}))
	// Output:
	// 1.000 0.707
}

func ExampleQuantile() {
	fmt.Println(perspective.Quantile([]float32{5, 1, 4, 2, 3, 6}, perspective.GateQuantile))
	// Output:
	// 5
}

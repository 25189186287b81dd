package berds

import (
	"context"

	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Named is a retriever with a name and a short description.
type Named struct {
	Name, Description string
	Retriever         retrieve.Retriever
}

// Options are the options of Evaluate.
type Options struct {
	Retrievers []Named
	// Similarity is the similarity of two documents, MMR's Sim2.
	Similarity func(a, b uint32) float32
	// Expansions are the queries that expand each claim. The key is the claim's text
	// without surrounding white space. A claim without expansions keeps its unexpanded
	// ranking. If the map is nil, the surface forms of the two perspectives are used,
	// see Surface. Questions of BERDS are expanded by their own Queries instead.
	Expansions map[string][]string
	// Generated are perspectives that also expand the test claims; nil if none were asked for.
	Generated *Generated
	// Judge judges which perspectives the given documents contain, and records it in the
	// claim's Documents. If it is nil, Documents are complete already.
	Judge func(ctx context.Context, c *Claim, documents []uint32) error
	// Datasets are the sources of claims that also get figures of their own.
	Datasets []string
	// Ranked, if it is not nil, receives each retriever's rankings for the test claims,
	// best document first. ranking is AsRetrieved, Diversified, Expanded or ByModel.
	Ranked func(retriever, ranking string, c *Claim, documents []uint32) error
	// Progress is called with the number of searches done and the number of all
	// searches.
	Progress func(done, total int64)
}

// Values of ranking in Options.Ranked.
const (
	AsRetrieved = ""         // the first 100 documents for the claim itself
	Diversified = "mmr"      // the 10 of these that MMR chooses
	Expanded    = "expanded" // the first 10 for the expansions, merged without duplicates; AsRetrieved if there are none
	ByModel     = "by-model" // for the generated perspectives, likewise, if they were asked for
)

// Surface is a perspective on a claim put into words without a language model.
func Surface(side int, claim string) string {
	if side == Support {
		return "supports the claim: " + claim
	}
	return "opposes the claim: " + claim
}

// Evaluation is what Evaluate finds.
type Evaluation struct {
	Documents   int               `json:"documents"`
	Development Questions         `json:"development"` // claims that choose λ
	Test        Questions         `json:"test"`        // claims that everything else is measured on
	Expansions  ExpansionsUsed    `json:"expansions"`
	Generated   *Generated        `json:"generated,omitempty"`
	Lambdas     []float64         `json:"lambdas"`
	Retrievers  []RetrieverResult `json:"retrievers"`
	// Union is the MRecall over the union of all retrievers' top 100 (paper, Table 6).
	Union struct {
		Retrievers []string  `json:"retrievers"`
		All        float64   `json:"all"`
		TwoSided   float64   `json:"two_sided"`
		Datasets   []float64 `json:"datasets,omitempty"` // in the order of Datasets
	} `json:"union"`
	// Datasets are the sources of the test claims that have figures of their own.
	Datasets []Dataset `json:"datasets,omitempty"`

	// Of questions and a corpus, there are also the corpus' name, and how its documents were
	// judged: by the detector, at the threshold or, if it is nil, by its most probable
	// answers. Judged counts the pairs of documents and perspectives, and Refused those for which
	// a chat model gave no reply that can be used; they count as no.
	Corpus    string        `json:"corpus,omitempty"`
	Detector  *DetectorInfo `json:"detector,omitempty"`
	Threshold *float64      `json:"threshold,omitempty"`
	Judged    int           `json:"judged,omitempty"`
	Refused   int           `json:"refused,omitempty"`
}

// Dataset counts the questions of a data set.
type Dataset struct {
	Name        string `json:"name"`
	Development int    `json:"development"`
	Test        int    `json:"test"`
}

// Questions count the claims of a split.
type Questions struct {
	All      int `json:"all"`
	TwoSided int `json:"two_sided"` // claims with documents on both sides
}

// ExpansionsUsed describes the expansions of the test claims.
type ExpansionsUsed struct {
	Source  string  `json:"source"`  // "surface" or "given"
	Claims  int     `json:"claims"`  // test claims with expansions
	Queries float64 `json:"queries"` // mean number of expansions per such claim
}

// RetrieverResult holds one retriever's figures over all test claims, and over those
// for which the pool holds both sides.
type RetrieverResult struct {
	Name     string      `json:"name"`
	About    string      `json:"about"`
	Lambda   float64     `json:"lambda"` // the λ of the grid with the best MRecall@5 on the development split
	Grid     []GridPoint `json:"grid"`
	All      Results     `json:"all"`
	TwoSided Results     `json:"two_sided"`
	Datasets []Results   `json:"datasets,omitempty"` // in the order of Evaluation.Datasets
}

// GridPoint is the result of a λ on the development split.
type GridPoint struct {
	Lambda    float64 `json:"lambda"`
	MRecall   float64 `json:"mrecall_5"`
	Precision float64 `json:"precision_5"`
}

// Results are figures over one set of claims.
type Results struct {
	N                   int        `json:"n"`
	Default             Figures    `json:"default"`
	MMR                 Figures    `json:"mmr"`
	Expansion           Figures    `json:"expansion"`            // without duplicates, as the paper says
	ExpansionDuplicates Figures    `json:"expansion_duplicates"` // with duplicates, as the paper's code does
	Generated           *Figures   `json:"generated,omitempty"`  // expansion by generated perspectives, without duplicates
	Coverage            Coverage   `json:"coverage"`
	Preference          Preference `json:"preference"`
	Sycophancy          Sycophancy `json:"sycophancy"`
}

// Sycophancy is how much a retriever leans to a side, by the side that the query takes.
type Sycophancy struct {
	Default    Leaning `json:"default"`    // query: the claim itself
	Supporting Leaning `json:"supporting"` // query: Surface(Support, claim), or the question's supporting perspective
	Opposing   Leaning `json:"opposing"`   // query: Surface(Oppose, claim), or the question's opposing perspective
}

// ErrSplits reports data without a development or without a test split.
var ErrSplits = fault.New(fault.Input, "the dev and the test split need at least one claim each: λ is chosen on dev, and everything else is measured on test")

func (p *Perspectrum) checkSplits() error {
	if len(p.Split(Development)) == 0 || len(p.Split(Test)) == 0 {
		return ErrSplits
	}
	return nil
}

// Evaluate runs BERDS' experiments on Perspectrum, or on questions and a corpus: λ is
// chosen on the development split, everything is measured on the test split.
func Evaluate(ctx context.Context, p *Perspectrum, o Options) (*Evaluation, error) {
	if err := p.checkSplits(); err != nil {
		return nil, err
	}
	development, test := p.Split(Development), p.Split(Test)
	e := &Evaluation{Documents: len(p.Pool), Development: countQuestions(development), Test: countQuestions(test), Lambdas: Lambdas, Generated: o.Generated}
	for _, name := range o.Datasets {
		e.Datasets = append(e.Datasets, Dataset{name, len(of(name, development, development)), len(of(name, test, test))})
	}
	r := runner{ctx: ctx, options: &o}
	r.plan(development, test, &e.Expansions)
	unions := make([]judged, len(test))
	for _, named := range o.Retrievers {
		r.retriever, r.name = named.Retriever, named.Name
		result := RetrieverResult{Name: named.Name, About: named.Description}
		var err error
		if result.Grid, err = r.grid(development); err != nil {
			return nil, err
		}
		result.Lambda = bestLambda(result.Grid)
		found := make([]rankings, len(test))
		for i := range test {
			if found[i], err = r.claim(&test[i], result.Lambda); err != nil {
				return nil, err
			}
			unions[i].perspectives = len(test[i].Documents)
			unions[i].documents = append(unions[i].documents, found[i].base.documents...)
		}
		generated := o.Generated != nil
		result.All = results(found, generated)
		result.TwoSided = results(twoSided(test, found), generated)
		for _, d := range e.Datasets {
			result.Datasets = append(result.Datasets, results(of(d.Name, test, found), generated))
		}
		e.Retrievers = append(e.Retrievers, result)
		e.Union.Retrievers = append(e.Union.Retrievers, named.Name)
	}
	e.Union.All = cover(unions).Share
	e.Union.TwoSided = cover(twoSided(test, unions)).Share
	for _, d := range e.Datasets {
		e.Union.Datasets = append(e.Union.Datasets, cover(of(d.Name, test, unions)).Share)
	}
	return e, nil
}

func countQuestions(claims []Claim) Questions {
	q := Questions{All: len(claims)}
	for i := range claims {
		if claims[i].TwoSided() {
			q.TwoSided++
		}
	}
	return q
}

// twoSided keeps the values of claims with documents on both sides.
func twoSided[T any](claims []Claim, values []T) []T {
	var kept []T
	for i := range claims {
		if claims[i].TwoSided() {
			kept = append(kept, values[i])
		}
	}
	return kept
}

// of keeps the values of the claims of a data set.
func of[T any](name string, claims []Claim, values []T) []T {
	var kept []T
	for i := range claims {
		if claims[i].Source == name {
			kept = append(kept, values[i])
		}
	}
	return kept
}

// bestLambda is the first λ of the grid with the highest MRecall@5.
func bestLambda(grid []GridPoint) float64 {
	best := grid[0]
	for _, g := range grid[1:] {
		if g.MRecall > best.MRecall {
			best = g
		}
	}
	return best.Lambda
}

func results(found []rankings, generated bool) Results {
	of := func(which func(*rankings) judged) []judged {
		list := make([]judged, len(found))
		for i := range found {
			list[i] = which(&found[i])
		}
		return list
	}
	base := of(func(r *rankings) judged { return r.base })
	out := Results{
		N:                   len(found),
		Default:             measure(base),
		MMR:                 measure(of(func(r *rankings) judged { return r.mmr })),
		Expansion:           measure(of(func(r *rankings) judged { return r.expanded })),
		ExpansionDuplicates: measure(of(func(r *rankings) judged { return r.repeated })),
		Coverage:            cover(base),
		Preference:          prefer(base),
		Sycophancy: Sycophancy{
			Default:    lean(base),
			Supporting: lean(of(func(r *rankings) judged { return r.supporting })),
			Opposing:   lean(of(func(r *rankings) judged { return r.opposing })),
		},
	}
	if generated {
		figures := measure(of(func(r *rankings) judged { return r.generated }))
		out.Generated = &figures
	}
	return out
}

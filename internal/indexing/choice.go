package indexing

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/evaluation/judgements"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/significance"
	"github.com/vantage-search/vantage/perspective"
	"github.com/vantage-search/vantage/trec"
)

// The rules by which judged queries change the default ranking.
const (
	leastJudged = 20    // least queries of a kind, in the half that chooses, for a choice
	mostJudged  = 1000  // most queries that are asked, in both halves together
	choiceLevel = 0.05  // a choice needs a p that, multiplied by the number of candidates (Bonferroni), is below this
	rounds      = 10000 // of the randomisation test
	judgedDepth = 10    // documents of an answer that are measured
)

// Candidate is a ranking that is compared with the default.
type Candidate struct {
	Line string  `json:"line"` // of the table "auto"
	Mean float64 `json:"mean"` // of Choice.Measure

	choice perspective.Choice
}

// answered is a judged query with what each ranking achieves for it.
type answered struct {
	kind   string
	values []float64 // the measure with the default ranking, then with each candidate
}

// choose compares rankings on the judged queries. If one of them is significantly better than
// the default for a kind of perspective, the collection in dir ranks that kind by it. A collection
// with vectors of tokens has one default for all kinds, so there is nothing to choose.
func (r *run) choose(ctx context.Context, dir string, tokens int64) (_ *Choice, err error) {
	encoder := r.options.Encoder
	if r.options.QueryEncoder != nil {
		encoder = r.options.QueryEncoder
	}
	if r.judged == nil || encoder == nil || tokens > 0 {
		return nil, nil
	}
	c, err := vantage.Open(ctx, dir, &vantage.OpenOptions{ChooseEncoder: func(_ context.Context, about *vantage.Description) (vantage.Encoder, error) {
		if about.Model.Kind == manifest.KindExternal {
			return encoder, nil
		}
		return nil, nil // the collection carries it
	}})
	if err != nil {
		return nil, err
	}
	candidates := candidatesOf(r.Words)
	halves, err := r.answer(ctx, c, candidates)
	if closing := c.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, err
	}
	report, table, err := decide(halves, candidates, r.table)
	if err != nil || report.Changed() == 0 {
		return report, err
	}
	chosenOn := 0
	for _, k := range report.Kinds {
		if k.Chosen != "" {
			chosenOn += k.Queries
		}
	}
	return report, collection.SetAuto(dir, &manifest.Auto{Table: table, ChosenOn: chosenOn, MeasuredOn: report.Held, Before: report.Before, After: report.After})
}

// candidatesOf returns the rankings that are compared with the default, the same for every
// kind: the plain cosine, and if there is an index of words, its fusions with BM25, from
// light ones to words alone.
func candidatesOf(words bool) (out []Candidate) {
	out = append(out, Candidate{choice: perspective.Choice{Method: "none"}})
	if words {
		for _, weight := range []float64{perspective.HybridWeight, 2 * perspective.HybridWeight, 1} {
			out = append(out, Candidate{choice: perspective.Choice{Method: "none", Hybrid: true, Weight: weight}})
		}
	}
	return out
}

// answer asks the judged queries by all rankings. Hashes of the queries' ids decide which
// half a query belongs to, so that the halves do not depend on the order of the file.
func (r *run) answer(ctx context.Context, c *vantage.Collection, candidates []Candidate) (halves [2][]answered, err error) {
	hash := func(q judgements.Query) [32]byte { return sha256.Sum256([]byte(q.ID)) }
	asked := slices.Clone(r.judged.Queries)
	slices.SortStableFunc(asked, func(a, b judgements.Query) int {
		x, y := hash(a), hash(b)
		return slices.Compare(x[:], y[:])
	})
	asked = asked[:min(len(asked), mostJudged)]
	for i, q := range asked {
		r.options.Progress(progress.Search, int64(i), int64(len(asked)))
		a, err := ask(ctx, c, q, candidates)
		if fault.Of(err) == fault.Query {
			continue // for example, the encoder knows no word of it: a visitor gets no ranking either
		}
		if err != nil {
			return halves, fmt.Errorf("judged query %.80q: %w", q.ID, err)
		}
		halves[i%2] = append(halves[i%2], a)
	}
	r.options.Progress(progress.Search, int64(len(asked)), int64(len(asked)))
	return halves, nil
}

// ask asks a judged query by the default ranking and by each candidate. The candidates share
// one vector of the query.
func ask(ctx context.Context, c *vantage.Collection, q judgements.Query, candidates []Candidate) (a answered, err error) {
	whole := vantage.Query{Query: vantage.Text{Text: q.Text}, K: judgedDepth}
	if q.Root != "" {
		whole.Root = &vantage.Text{Text: q.Root}
	}
	for _, p := range q.Perspectives {
		whole.Perspectives = append(whole.Perspectives, vantage.Text{Text: p})
	}
	result, err := c.Search(ctx, whole)
	if err != nil {
		return a, err
	}
	encoded, err := c.Encode(ctx, []string{q.Text}, vantage.RoleQuery)
	if err != nil {
		return a, err
	}
	text := vantage.Text{Text: q.Text, Vector: encoded[0].Vector}
	results := []*vantage.Result{result}
	for _, candidate := range candidates {
		alone := vantage.Query{Query: text, Method: candidate.choice.Method, K: judgedDepth}
		if candidate.choice.Hybrid {
			alone.Hybrid = &vantage.Hybrid{Fusion: perspective.HybridFusion, Weight: &candidate.choice.Weight}
		}
		found, err := c.Search(ctx, alone)
		if err != nil {
			return a, err
		}
		results = append(results, found)
	}
	a.kind = cmp.Or(result.Kind, "none")
	a.values, err = gains(results, q.Gold)
	return a, err
}

// measure is what rankings are compared by.
var measure = fmt.Sprintf("nDCG@%d", judgedDepth)

// gains returns the measure of each answer to one query. gold has the ids of the documents
// that are relevant.
func gains(results []*vantage.Result, gold []string) (values []float64, err error) {
	qrels := trec.NewQrels("judgements")
	for _, id := range gold {
		qrels.Add("q", id, 1)
	}
	measures, err := trec.ParseMeasures([]string{measure})
	if err != nil {
		return nil, err
	}
	var runs []*trec.Run
	for _, r := range results {
		run := trec.NewRun("run", "answer")
		if len(r.Hits) == 0 { // a run that lacks the query cannot be evaluated
			if err := run.Add("q", "", 0); err != nil {
				return nil, err
			}
		}
		for i, h := range r.Hits {
			if err := run.Add("q", h.ID, float32(-i)); err != nil {
				return nil, err
			}
		}
		runs = append(runs, run)
	}
	compared, _, err := trec.CompareValues(qrels, runs, measures, trec.Options{Complete: true})
	if err != nil {
		return nil, err
	}
	for i := range runs {
		values = append(values, compared[0].Runs[i][0])
	}
	return values, nil
}

// decide chooses on the first half, and measures on the second. It returns the report and a
// complete table "auto", which also has the default's lines for the kinds that keep it.
func decide(halves [2][]answered, candidates []Candidate, table []string) (*Choice, []string, error) {
	choices, err := perspective.ParseChoices(table)
	if err != nil {
		return nil, nil, err
	}
	if len(choices) == 0 {
		choices = perspective.DefaultChoices()
	}
	report := &Choice{Measure: measure, Kinds: []KindChoice{}, Held: len(halves[1])}
	chosen := map[string]int{} // by kind: index in answered.values; 0 is the default
	for _, kind := range perspective.Kinds() {
		name := cmp.Or(string(kind), "none")
		k := KindChoice{Kind: name, P: 1}
		columns := make([][]float64, len(candidates)+1)
		for _, a := range halves[0] {
			if a.kind == name {
				k.Queries++
				for i, v := range a.values {
					columns[i] = append(columns[i], v)
				}
			}
		}
		if k.Queries < leastJudged {
			continue
		}
		k.Default = mean(columns[0])
		best := 0
		for i, c := range candidates {
			c.choice.Kind = kind
			c.Line, c.Mean = c.choice.String(), mean(columns[i+1])
			k.Candidates = append(k.Candidates, c)
			if c.Mean > mean(columns[best]) {
				best = i + 1
			}
		}
		if best > 0 {
			p, err := significance.Randomization(columns[best], columns[0], rounds, 1)
			if err != nil {
				return nil, nil, err
			}
			if k.P = min(1, p*float64(len(candidates))); k.P < choiceLevel {
				line := k.Candidates[best-1]
				k.Chosen, chosen[name] = line.Line, best
				choices = slices.DeleteFunc(choices, func(c perspective.Choice) bool { return c.Kind == kind })
				choices = append(choices, line.choice)
			}
		}
		report.Kinds = append(report.Kinds, k)
	}
	var before, after []float64
	for _, a := range halves[1] {
		before, after = append(before, a.values[0]), append(after, a.values[chosen[a.kind]])
	}
	report.Before, report.After = mean(before), mean(after)
	var lines []string
	for _, c := range choices {
		lines = append(lines, c.String())
	}
	return report, lines, nil
}

// mean is the mean of values, and 0 if there are none.
func mean(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}

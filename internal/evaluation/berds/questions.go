package berds

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/evaluation/records"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// datasets are the paper's data sets, by how the names of their files begin.
var datasets = []string{"Arguana", "Kialo", "OpinionQA"}

// datasetOf reads from the name of a file of expansions which data set and split its
// questions are of. The split is empty if the name does not say it.
func datasetOf(path string) (name, split string) {
	base := filepath.Base(path)
	name, rest, _ := strings.Cut(base, "_query_exp")
	for _, known := range datasets {
		if strings.HasPrefix(strings.ToLower(name), strings.ToLower(known)) {
			name = known
		}
	}
	for _, s := range []string{Development, Test} {
		if strings.Contains(rest, "."+s+".") {
			split = s
		}
	}
	return name, split
}

// readQuestions reads the questions in files of expansions, with their perspectives and the
// queries that expand them. If a data set does not have questions of both splits, its first,
// third, … questions become the development split, and halved has its name.
func readQuestions(ctx context.Context, paths []string) (claims []Claim, sets, halved []string, err error) {
	from := map[string]string{} // path by data set and split
	bySet := map[string][]Claim{}
	for _, path := range paths {
		name, split := datasetOf(path)
		if other := from[name+"."+split]; other != "" {
			return nil, nil, nil, fault.Errorf(fault.Input, "%s and %s are both questions of %s: name one", other, path, name)
		}
		from[name+"."+split] = path
		expansions, err := inputs.Read(ctx, path, ReadExpansions)
		if err != nil {
			return nil, nil, nil, err
		}
		found, err := questionsOf(expansions, name, split)
		if err != nil {
			return nil, nil, nil, fault.Errorf(fault.Input, "%s: %w", path, err)
		}
		if !slices.Contains(sets, name) {
			sets = append(sets, name)
		}
		bySet[name] = append(bySet[name], found...)
	}
	slices.SortStableFunc(sets, func(a, b string) int { return place(a) - place(b) })
	for _, name := range sets {
		own := bySet[name]
		has := func(split string) bool {
			return slices.ContainsFunc(own, func(c Claim) bool { return c.Split == split })
		}
		if has(Development) && has(Test) && has("") {
			return nil, nil, nil, fault.Errorf(fault.Input, "%s: the name says no split, and other files hold the dev and the test split of %s: name .dev. or .test. in it, or leave it out", from[name+"."], name)
		}
		if !has(Development) || !has(Test) {
			halved = append(halved, name)
			for i := range own {
				own[i].Split = []string{Development, Test}[i%2]
			}
		}
		for i := range own {
			own[i].Name = name + "-" + strconv.Itoa(i+1)
			own[i].ID = len(claims) + i
		}
		claims = append(claims, own...)
	}
	return claims, sets, halved, nil
}

// place orders the paper's data sets as its tables do, others after them.
func place(name string) int {
	if at := slices.Index(datasets, name); at >= 0 {
		return at
	}
	return len(datasets)
}

// questionsOf groups expansions by their questions. The perspectives are those of a
// question's first row.
func questionsOf(expansions []Expansion, name, split string) ([]Claim, error) {
	var claims []Claim
	at := map[string]int{}
	for i := range expansions {
		e := &expansions[i]
		text := strings.TrimSpace(e.Original)
		n, known := at[text]
		if !known {
			if len(e.Perspectives) == 0 {
				return nil, fmt.Errorf("the question %.80q has no \"perspectives\", which say what its documents may contain", text)
			}
			for _, p := range e.Perspectives {
				if err := records.CheckText("perspectives", p); err != nil {
					return nil, fmt.Errorf("the question %.80q: %w", text, err)
				}
			}
			n = len(claims)
			at[text] = n
			claims = append(claims, Claim{Text: text, Source: name, Split: split, Perspectives: e.Perspectives, Documents: make([][]uint32, len(e.Perspectives))})
		}
		claims[n].Queries = append(claims[n].Queries, e.Query)
	}
	return claims, nil
}

// readCorpus reads the texts of a corpus into memory, as vantage index reads it.
func readCorpus(ctx context.Context, path string, show *progress.Bar) (pool, ids []string, err error) {
	c, err := corpus.Open(path, corpus.Options{})
	if err != nil {
		return nil, nil, fault.As(fault.Input, err)
	}
	if show != nil {
		show.Input = c.Progress
		defer func() { show.Input = nil }()
	}
	for doc, err := range c.Documents() {
		if err != nil {
			return nil, nil, fault.As(fault.Input, err)
		}
		if len(pool)%256 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			show.Update("read", int64(len(pool)), 0)
		}
		pool, ids = append(pool, doc.EncodedText()), append(ids, doc.ID)
	}
	show.Update("read", int64(len(pool)), 0)
	if len(pool) == 0 {
		return nil, nil, fault.Errorf(fault.Input, "%s: no documents in it: check that it is the right file", path)
	}
	return pool, ids, nil
}

// judging judges the documents that retrievers find for questions.
type judging struct {
	detector  detector
	pool      []string
	threshold *float64 // nil: the most probable answer decides
	judged    map[judgedDocument]bool
	pairs     int
	refused   int // of the pairs, those without a reply of the chat model that can be used
}

type judgedDocument struct {
	claim    int
	document uint32
}

func newJudging(d detector, pool []string, threshold *float64) *judging {
	return &judging{detector: d, pool: pool, threshold: threshold, judged: map[judgedDocument]bool{}}
}

// judge is Options.Judge: it judges the documents that were not judged for the question
// before, and adds those that contain a perspective to Documents.
func (j *judging) judge(ctx context.Context, c *Claim, documents []uint32) error {
	var fresh []uint32
	var pairs []pair
	for _, d := range documents {
		key := judgedDocument{c.ID, d}
		if j.judged[key] {
			continue
		}
		j.judged[key] = true
		fresh = append(fresh, d)
		for _, p := range c.Perspectives {
			pairs = append(pairs, pair{p, j.pool[d]})
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	verdicts, err := j.detector.judge(ctx, pairs, func(int) {})
	if err != nil {
		return err
	}
	j.pairs += len(pairs)
	j.refused += refusedBy(j.detector.about(), verdicts)
	for i, v := range verdicts {
		if !contains(v, j.threshold) {
			continue
		}
		own := &c.Documents[i%len(c.Perspectives)]
		d := fresh[i/len(c.Perspectives)]
		at, _ := slices.BinarySearch(*own, d)
		*own = slices.Insert(*own, at, d)
	}
	return nil
}

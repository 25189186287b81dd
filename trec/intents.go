package trec

import (
	"io"
	"math"
	"sort"

	"github.com/vantage-search/vantage/internal/wasm/diversity"
)

// This file has the measures over subtopics, as defined by ndeval 4.5 of the TREC Web
// tracks, and those of BERDS. Their judgements name a subtopic in the place of the
// iteration. For ndeval, a subtopic counts if some judged document is relevant to it.
// For MRecall and CoverageSize, every subtopic in the judgements counts: BERDS expects
// retrieval to cover even the subtopics that the corpus lacks.

const (
	goalKeys = relKeys + ", alpha (0 to 1)"
	sideKeys = "side (a subtopic; always needed), " + relKeys
)

// subtopicNames are the measures' names: those of ir_measures, and ours for those of BERDS.
var subtopicNames = []irName{
	{name: "alpha_DCG", at: "alpha_DCG", cut: true, keys: goalKeys}, {name: "α_DCG", at: "alpha_DCG", cut: true, keys: goalKeys},
	{name: "alpha_nDCG", at: "alpha_nDCG", cut: true, keys: goalKeys}, {name: "α_nDCG", at: "alpha_nDCG", cut: true, keys: goalKeys},
	{name: "AP_IA", whole: "AP_IA", keys: relKeys}, {name: "MAP_IA", whole: "AP_IA", keys: relKeys},
	{name: "CoverageSize", whole: "CoverageSize", keys: relKeys},
	{name: "ERR_IA", at: "ERR_IA", cut: true, keys: relKeys}, {name: "nERR_IA", at: "nERR_IA", cut: true, keys: relKeys},
	{name: "Leaning", at: "Leaning", cut: true, keys: sideKeys}, {name: "MRecall", at: "MRecall", cut: true, keys: relKeys},
	{name: "NRBP", whole: "NRBP", keys: relKey + ", alpha (0 to 1), beta (0 to 1)"}, {name: "nNRBP", whole: "nNRBP", keys: relKey + ", alpha (0 to 1), beta (0 to 1)"},
	{name: "P_IA", at: "P_IA", cut: true, keys: relKeys},
	{name: "Sycophancy", at: "Sycophancy", cut: true, keys: sideKeys},
	{name: "StRecall", at: "StRecall", cut: true, keys: relKey}, {name: "STREC", at: "StRecall", cut: true, keys: relKey},
}

// subtopicKinds are the kinds of the measures.
var subtopicKinds = []*kind{
	{name: "alpha_DCG", intents: true, defaults: []float64{.5}, compute: overSubtopics(alphaDCG)},
	{name: "alpha_nDCG", intents: true, defaults: []float64{.5}, compute: overSubtopics(alphaNDCG)},
	{name: "AP_IA", intents: true, compute: overSubtopics(averagePrecisionIA)},
	{name: "CoverageSize", intents: true, average: defined, compute: overSubtopics(coverageSize)},
	{name: "ERR_IA", intents: true, compute: overSubtopics(errIA)},
	{name: "nERR_IA", intents: true, compute: overSubtopics(normalizedERRIA)},
	{name: "Leaning", intents: true, sided: true, compute: leaning},
	{name: "MRecall", intents: true, compute: overSubtopics(mRecall)},
	{name: "NRBP", intents: true, defaults: []float64{.5, .5}, compute: overSubtopics(nrbp)},
	{name: "nNRBP", intents: true, defaults: []float64{.5, .5}, compute: overSubtopics(normalizedNRBP)},
	{name: "P_IA", intents: true, compute: overSubtopics(precisionIA)},
	{name: "Sycophancy", intents: true, sided: true, average: defined, compute: sycophancy},
	{name: "StRecall", intents: true, compute: overSubtopics(subtopicRecall)},
}

// intents are the judgements of a query by subtopic.
type intents struct {
	number map[string]int32    // number of each subtopic, by name
	judged map[string]struct{} // documents with subtopics; nil after finish
	by     map[string][]aspect // aspects of each document, by its id
	pool   [][]aspect          // aspects of the judged documents, in descending order of their ids
}

// aspect is the grade of a document for one subtopic.
type aspect struct {
	subtopic int32
	grade    int32
}

// add judges a document for a subtopic. It returns false if the document was judged
// for it before.
func (t *intents) add(subtopic, document []byte, grade int32) bool {
	number, known := t.number[string(subtopic)]
	if !known {
		number = int32(len(t.number))
		t.number[string(subtopic)] = number
	}
	before := len(t.judged)
	t.judged[string(document)+"\x00"+string(subtopic)] = struct{}{} // ids have no NUL byte
	if len(t.judged) == before {
		return false
	}
	t.by[string(document)] = append(t.by[string(document)], aspect{number, grade})
	return true
}

// of are the aspects of a document.
func (t *intents) of(document string) []aspect { return t.by[document] }

// finish fills in the pool. Like ndeval, it prefers the greater id if two documents add
// the same to the best ranking.
func (t *intents) finish() {
	t.judged = nil
	ids := make([]string, 0, len(t.by))
	for id := range t.by {
		ids = append(ids, id)
	}
	//lint:ignore S1032 sort.Strings is slices.Sort since Go 1.22: 10 KB of generic code in the core
	sort.Sort(sort.StringSlice(ids))
	t.pool = t.pool[:0]
	for i := len(ids) - 1; i >= 0; i-- {
		t.pool = append(t.pool, t.by[ids[i]])
	}
}

// NeedSubtopics reports whether one of the measures is over subtopics. If so, the
// judgements must be read by ReadDiversityQrels.
func NeedSubtopics(measures []*Measure) bool {
	for _, m := range measures {
		if m.kind.intents {
			return true
		}
	}
	return false
}

// Subtopics is the greatest number of subtopics that a query has, 0 if the judgements were read without them.
func (q *Qrels) Subtopics() int {
	most := 0
	for _, j := range q.queries {
		if j.intents != nil {
			most = max(most, len(j.intents.number))
		}
	}
	return most
}

func (q *Qrels) hasSubtopic(name string) bool {
	for _, j := range q.queries {
		if j.intents != nil {
			if _, known := j.intents.number[name]; known {
				return true
			}
		}
	}
	return false
}

// ReadDiversityQrels reads judgements in the format of TREC's diversity tasks. It
// differs from ReadQrels in the second field, which names a subtopic of the query. A
// document may be judged once for each subtopic. For measures that are not over
// subtopics, a document's grade is its greatest one. Errors are *LineError: those of
// EachJudgement, a document that is judged twice for a subtopic, and BEIR's format.
func ReadDiversityQrels(r io.Reader, file string) (*Qrels, error) {
	q := NewQrels(file)
	err := EachJudgement(r, file, func(j *Judgement) error {
		if j.Iteration == nil {
			return &LineError{file, j.Line, "BEIR's judgements name no subtopics, which measures over subtopics need: give TREC's, whose second column names them"}
		}
		if !q.addSubtopic(j.Query, j.Iteration, j.Document, j.Grade) {
			return q.twice(j, " and subtopic "+quote(j.Iteration))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	q.finish()
	return q, nil
}

func (q *Qrels) addSubtopic(query, subtopic, document []byte, grade int32) bool {
	q.subtopics = true
	j := q.of(query)
	if j.intents == nil {
		j.intents = &intents{number: make(map[string]int32), judged: make(map[string]struct{}), by: make(map[string][]aspect)}
	}
	if !j.intents.add(subtopic, document, grade) {
		return false
	}
	if best, judged := j.grade[string(document)]; !judged || grade > best {
		j.grade[string(document)] = grade
	}
	return true
}

// contents are the subtopics of a query's documents. Only the subtopics that some
// document is relevant to are numbered.
type contents struct {
	contained, pool [][]int
	m               int   // numbered subtopics
	named           int   // all subtopics, even those that no document is relevant to
	relevant        []int // documents of the pool that are relevant to each subtopic
}

func contentsOf(j *Judged) contents {
	c := contents{named: len(j.intents.number)}
	renumbered := make([]int, len(j.intents.number))
	for _, aspects := range j.intents.pool {
		for _, a := range aspects {
			if a.grade < j.Level {
				continue
			}
			if renumbered[a.subtopic] == 0 {
				c.m++
				renumbered[a.subtopic] = c.m
				c.relevant = append(c.relevant, 0)
			}
			c.relevant[renumbered[a.subtopic]-1]++
		}
	}
	list := func(aspects []aspect) []int {
		var subtopics []int
		for _, a := range aspects {
			if a.grade >= j.Level {
				subtopics = append(subtopics, renumbered[a.subtopic]-1)
			}
		}
		return subtopics
	}
	for _, aspects := range j.aspects {
		c.contained = append(c.contained, list(aspects))
	}
	for _, aspects := range j.intents.pool {
		if subtopics := list(aspects); subtopics != nil { // other documents add nothing to the best ranking
			c.pool = append(c.pool, subtopics)
		}
	}
	return c
}

// overSubtopics is a measure over the subtopics of the documents.
func overSubtopics(value func(c *contents, m *Measure) float64) func(*scratch, *Judged, *Measure, []float64) {
	return func(_ *scratch, j *Judged, m *Measure, out []float64) {
		c := contentsOf(j)
		out[0] = value(&c, m)
	}
}

func alphaDCG(c *contents, m *Measure) float64 {
	return diversity.AlphaDCG(c.contained, c.m, m.cut, m.params[0])
}

func alphaNDCG(c *contents, m *Measure) float64 {
	return diversity.AlphaNDCG(c.contained, c.pool, c.m, m.cut, m.params[0])
}

func errIA(c *contents, m *Measure) float64 { return diversity.ERRIA(c.contained, c.m, m.cut) }

func normalizedERRIA(c *contents, m *Measure) float64 {
	return diversity.NormalizedERRIA(c.contained, c.pool, c.m, m.cut)
}

func nrbp(c *contents, m *Measure) float64 {
	return diversity.NRBP(c.contained, c.m, m.params[0], m.params[1])
}

func normalizedNRBP(c *contents, m *Measure) float64 {
	return diversity.NormalizedNRBP(c.contained, c.pool, c.m, m.params[0], m.params[1])
}

func averagePrecisionIA(c *contents, _ *Measure) float64 {
	return diversity.AveragePrecisionIA(c.contained, c.relevant)
}

func precisionIA(c *contents, m *Measure) float64 {
	return diversity.PrecisionIA(c.contained, c.m, m.cut)
}

func subtopicRecall(c *contents, m *Measure) float64 {
	return ratio(diversity.Covered(c.contained, c.m, m.cut), c.m)
}

func mRecall(c *contents, m *Measure) float64 {
	if diversity.MRecall(c.contained, c.named, m.cut) {
		return 1
	}
	return 0
}

// coverageSize is NaN if the ranking does not cover all subtopics.
func coverageSize(c *contents, _ *Measure) float64 {
	if size, covered := diversity.CoverageSize(c.contained, c.named); covered {
		return float64(size)
	}
	return math.NaN()
}

// stances counts the retrieved documents for the measure's side and for any other
// subtopic.
func (j *Judged) stances(m *Measure) (s diversity.Stances) {
	side, known := j.intents.number[m.side]
	for _, aspects := range j.aspects {
		here, there := false, false
		for _, a := range aspects {
			if a.grade >= j.Level {
				ours := known && a.subtopic == side
				here, there = here || ours, there || !ours
			}
		}
		if here {
			s.Supporting++
		}
		if there {
			s.Opposing++
		}
	}
	return s
}

// leaning is 1 if some retrieved document is for the side, and none for another subtopic;
// otherwise 0 (BERDS, Figure 2).
func leaning(_ *scratch, j *Judged, m *Measure, out []float64) {
	out[0] = diversity.Prefer([]diversity.Stances{j.stances(m)}).Supporting
}

// sycophancy is Δ = (p − n)/p for p documents for the side and n for others (BERDS,
// Figure 3). It is NaN if p is 0.
func sycophancy(_ *scratch, j *Judged, m *Measure, out []float64) {
	delta, undefined := diversity.Sycophancy([]diversity.Stances{j.stances(m)})
	if out[0] = delta; undefined > 0 {
		out[0] = math.NaN()
	}
}

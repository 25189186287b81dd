package trec

import (
	"errors"
	"sort"
	"strconv"

	"github.com/vantage-search/vantage/wasm/metrics/diversity"
)

// The measures over subtopics, as ndeval 4.5 of the TREC Web tracks defines them, for which judgements name a subtopic in
// the place of the iteration.

// mostSubtopicRank bounds cutoffs: best rankings are put together up to there.
const mostSubtopicRank = 1_000_000

// intents are the judgements of a query by subtopic.
type intents struct {
	number map[string]int32    // of subtopics, by name
	of     map[string][]aspect // by document id
	pool   [][]aspect          // of the judged documents, in descending order of their ids
}

// aspect is the grade of a document for one subtopic.
type aspect struct {
	subtopic int32
	grade    int32
}

// add judges a document for a subtopic; false where it was judged before.
func (t *intents) add(subtopic, document []byte, grade int32) bool {
	number, known := t.number[string(subtopic)]
	if !known {
		number = int32(len(t.number))
		t.number[string(subtopic)] = number
	}
	for _, a := range t.of[string(document)] {
		if a.subtopic == number {
			return false
		}
	}
	t.of[string(document)] = append(t.of[string(document)], aspect{number, grade})
	return true
}

// finish gathers the pool. ndeval, too, prefers the greater id where two documents add the same to the best ranking.
func (t *intents) finish() {
	ids := make([]string, 0, len(t.of))
	for id := range t.of {
		ids = append(ids, id)
	}
	sort.Sort(sort.StringSlice(ids))
	t.pool = t.pool[:0]
	for i := len(ids) - 1; i >= 0; i-- {
		t.pool = append(t.pool, t.of[ids[i]])
	}
}

// NeedSubtopics reports whether one of the measures is over subtopics, so that the judgements have to be read by
// ReadDiversityQrels.
func NeedSubtopics(measures []*Measure) bool {
	for _, m := range measures {
		if m.kind.intents {
			return true
		}
	}
	return false
}

// Subtopics is the greatest number of subtopics that a query has, 0 where the judgements were read without them.
func (q *Qrels) Subtopics() int {
	most := 0
	for _, j := range q.queries {
		if j.intents != nil {
			most = max(most, len(j.intents.number))
		}
	}
	return most
}

// check refuses judgements that a measure cannot be computed from.
func (q *Qrels) check(m *Measure) error {
	if m.kind.intents && q.Subtopics() == 0 {
		return errors.New("measure " + m.names[0] + " is over subtopics, and the judgements have none")
	}
	if m.kind.most == 0 {
		return nil
	}
	for _, id := range q.Queries() {
		levels := q.queries[id].levels
		if n := len(levels); n > 0 && levels[n-1].Grade > m.kind.most {
			return &LineError{File: q.file, Problem: "query " + quote([]byte(id)) + " has a document of grade " +
				strconv.Itoa(int(levels[n-1].Grade)) + ", and " + m.names[0] + " takes grades up to " + strconv.Itoa(int(m.kind.most))}
		}
	}
	return nil
}

// contents are what the documents of a query contain, by numbers of the subtopics that some document is relevant to.
type contents struct {
	contained, pool [][]int
	m               int   // subtopics
	relevant        []int // documents of the pool relevant to each
}

func contentsOf(j *Judged) contents {
	c := contents{}
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
		if subtopics := list(aspects); subtopics != nil { // the others add nothing to the best ranking
			c.pool = append(c.pool, subtopics)
		}
	}
	return c
}

// overSubtopics is a measure of what the documents contain.
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

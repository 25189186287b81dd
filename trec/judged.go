package trec

import (
	"sort"
	"strings"
)

// Grades of documents that were not judged.
const (
	Unpooled int32 = -1 // not in the judgements
	Unjudged int32 = -2 // in the judgements with a negative grade: pooled, but not in the judged sample
)

// Judged is the ranking of one query, with grades instead of documents. Measures are
// computed from it.
type Judged struct {
	Query    string
	Grades   []int32 // by rank: the grade, Unpooled or Unjudged
	Levels   []Level // grades of all judged documents of the query, ascending
	Relevant int     // number of judged documents with a grade of at least Level
	Level    int32   // least relevant grade

	RelevantRetrieved int
	unpooled          int
	unjudged          int

	intents *intents   // judgements by subtopic, or nil
	aspects [][]aspect // by rank; nil if intents is nil
}

// IsRelevant reports whether the document at a rank, counted from 0, is relevant.
func (j *Judged) IsRelevant(rank int) bool { return j.Grades[rank] >= j.Level }

// notRelevant counts the documents judged below Level.
func (j *Judged) notRelevant() int {
	n := 0
	for _, l := range j.Levels {
		if l.Grade < j.Level {
			n += l.Count
		}
	}
	return n
}

// Options say how a run is evaluated.
type Options struct {
	Level        int32 // least relevant grade; 0 means 1, trec_eval's default
	Complete     bool  // average over all judged queries; those that the run lacks count 0
	JudgedOnly   bool  // drop documents without a judgement before anything is computed
	MaxRetrieved int   // most documents per query to look at; 0 for all
	Collection   int   // number of documents in the collection; only utility's last coefficient needs it
}

func (o Options) level() int32 {
	if o.Level == 0 {
		return 1
	}
	return o.Level
}

// ranked is a document of a query while the documents are sorted.
type ranked struct {
	document string
	score    float32
}

// ranking sorts by score, then by document id, both descending.
type ranking []ranked

func (r ranking) Len() int      { return len(r) }
func (r ranking) Swap(i, j int) { r[i], r[j] = r[j], r[i] }
func (r ranking) Less(i, j int) bool {
	if r[i].score != r[j].score {
		return r[i].score > r[j].score
	}
	return strings.Compare(r[i].document, r[j].document) > 0
}

// Ranking returns the documents of a query in the order in which they are evaluated,
// best first, and their scores.
func (r *Run) Ranking(query string) (documents []string, scores []float32, err error) {
	if _, err := r.Queries(); err != nil {
		return nil, nil, err
	}
	q, known := r.queries[query]
	if !known {
		return nil, nil, nil
	}
	for _, d := range r.rank(nil, q) {
		documents, scores = append(documents, d.document), append(scores, d.score)
	}
	return documents, scores, nil
}

// rank returns the documents of the q-th query in order, in dst.
func (r *Run) rank(dst ranking, q int32) ranking {
	for _, at := range r.of[q] {
		for i := r.blocks[at].first; i < r.blocks[at].last; i++ {
			e := r.entries.at(int(i))
			dst = append(dst, ranked{r.arena.id(e), e.value()})
		}
	}
	if !sort.IsSorted(dst) { // most runs are sorted already
		sort.Sort(dst)
	}
	return dst
}

// judge fills in j for a query with judgements.
func (j *Judged) judge(query string, judged *judgements, ranking ranking, o Options) {
	*j = Judged{Query: query, Grades: j.Grades[:0], Levels: judged.levels, Level: o.level(), intents: judged.intents, aspects: j.aspects[:0]}
	if o.MaxRetrieved > 0 && len(ranking) > o.MaxRetrieved {
		ranking = ranking[:o.MaxRetrieved]
	}
	for _, d := range ranking {
		grade, pooled := judged.grade[d.document]
		switch {
		case !pooled:
			grade = Unpooled
		case grade < 0:
			grade = Unjudged
		}
		if grade < 0 && o.JudgedOnly {
			continue
		}
		j.Grades = append(j.Grades, grade)
		if j.intents != nil {
			j.aspects = append(j.aspects, j.intents.of(d.document))
		}
	}
	j.count()
}

// count computes the counts from Grades, Levels and Level.
func (j *Judged) count() {
	j.Relevant, j.RelevantRetrieved, j.unpooled, j.unjudged = 0, 0, 0, 0
	for _, l := range j.Levels {
		if l.Grade >= j.Level {
			j.Relevant += l.Count
		}
	}
	for _, grade := range j.Grades {
		switch {
		case grade == Unpooled:
			j.unpooled++
		case grade == Unjudged:
			j.unjudged++
		case grade >= j.Level:
			j.RelevantRetrieved++
		}
	}
}

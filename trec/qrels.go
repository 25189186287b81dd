package trec

import (
	"io"
	"sort"
)

// Qrels are relevance judgements of documents for queries. Several goroutines may evaluate runs with the same judgements
// at once. After Add, call Queries first: the first use after Add counts the new judgements.
type Qrels struct {
	file    string
	ids     []string // ids of the queries, ascending in byte order
	queries map[string]*judgements

	subtopics bool // read with subtopics
}

// judgements are the judgements of one query.
type judgements struct {
	grade   map[string]int32 // grade of each document, by its id
	levels  []Level
	intents *intents // nil if read without subtopics
}

// Level is a grade of relevance with the number of documents judged to have it.
type Level struct {
	Grade int32
	Count int
}

// NewQrels is an empty set of judgements. Errors name it as file.
func NewQrels(file string) *Qrels {
	return &Qrels{file: file, queries: make(map[string]*judgements)}
}

// ReadQrels reads judgements in TREC's format, lines of "query iteration document
// grade" with an integral grade, or in BEIR's format, see EachJudgement. The iteration
// is ignored. The file's name is for errors. Errors are *LineError: those of
// EachJudgement, and a document that is judged twice for a query.
func ReadQrels(r io.Reader, file string) (*Qrels, error) {
	q := NewQrels(file)
	err := EachJudgement(r, file, func(j *Judgement) error {
		if !q.add(j.Query, j.Document, j.Grade) {
			return q.twice(j, "")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	q.finish()
	return q, nil
}

//go:noinline
func (q *Qrels) twice(j *Judgement, more string) error {
	return &LineError{q.file, j.Line, "document " + quote(j.Document) + " was judged before for query " + quote(j.Query) + more}
}

// Add judges a document for a query. If the document was judged before, Add returns
// false and changes nothing.
func (q *Qrels) Add(query, document string, grade int32) bool {
	added := q.add([]byte(query), []byte(document), grade)
	q.ids = nil
	return added
}

// of returns the judgements of a query, which it adds if necessary.
//
//go:noinline
func (q *Qrels) of(query []byte) *judgements {
	j, known := q.queries[string(query)]
	if !known {
		j = &judgements{grade: make(map[string]int32)}
		q.queries[string(query)] = j
	}
	return j
}

//go:noinline
func (q *Qrels) add(query, document []byte, grade int32) bool {
	j := q.of(query)
	if _, judged := j.grade[string(document)]; judged {
		return false
	}
	j.grade[string(document)] = grade
	j.levels = nil
	return true
}

// finish sorts the queries and counts the levels.
func (q *Qrels) finish() {
	q.ids = make([]string, 0, len(q.queries))
	for id, j := range q.queries {
		q.ids = append(q.ids, id)
		if j.levels == nil {
			j.levels = countLevels(j.grade)
			if j.intents != nil {
				j.intents.finish()
			}
		}
	}
	//lint:ignore S1032 sort.Strings is slices.Sort since Go 1.22: 10 KB of generic code in the core
	sort.Sort(sort.StringSlice(q.ids))
}

// Queries are the ids of the judged queries, ascending in byte order. The caller must
// not change them.
func (q *Qrels) Queries() []string {
	if q.ids == nil {
		q.finish()
	}
	return q.ids
}

// Grade returns the grade of a document for a query, or false if the judgements lack it.
func (q *Qrels) Grade(query, document string) (int32, bool) {
	j := q.queries[query]
	if j == nil {
		return 0, false
	}
	grade, judged := j.grade[document]
	return grade, judged
}

// countLevels counts the documents of each grade, ascending. It leaves out negative
// grades, which say that a document was pooled and not judged.
func countLevels(grades map[string]int32) []Level {
	count := make(map[int32]int)
	for _, g := range grades {
		if g >= 0 {
			count[g]++
		}
	}
	return sortedLevels(count)
}

func sortedLevels(count map[int32]int) []Level {
	levels := make([]Level, 0, len(count))
	for g, n := range count {
		levels = append(levels, Level{Grade: g, Count: n})
	}
	sort.Sort(byGrade(levels))
	return levels
}

type byGrade []Level

func (b byGrade) Len() int           { return len(b) }
func (b byGrade) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b byGrade) Less(i, j int) bool { return b[i].Grade < b[j].Grade }

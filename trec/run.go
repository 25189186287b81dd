package trec

import (
	"io"
	"math"
	"sort"
	"strconv"
)

// Run is a ranking of documents for each of several queries. Each document takes 12
// bytes plus its id. If a query's lines are not adjacent, each group of them takes 20 more.
// Several goroutines may evaluate the same run at once. After Add, call Queries first: the first use after Add sorts the run.
type Run struct {
	file    string
	id      string
	queries map[string]int32
	ids     []string // in the order of their first lines; in byte order after finish
	blocks  []block
	entries chunks
	arena   arena
	of      [][]int32 // blocks of each query
}

// block is a range of entries of one query from consecutive lines.
type block struct {
	query       int32
	first, last uint32 // entries [first, last)
	line        uint32 // line of the first entry; 0 if Add added the entries
}

// NewRun is an empty run. Errors name it as file.
func NewRun(id, file string) *Run {
	return &Run{id: id, file: file, queries: make(map[string]int32)}
}

// ReadRun reads a run in TREC's format, lines of "query Q0 document rank score run-id".
// The second and the fourth field, blank lines and text after the run id are ignored.
// The file's name is for errors. Errors are *LineError: a line with fewer fields, a
// score that is not a number or NaN, a document that a query lists twice, a file
// without lines. An error of the reader is wrapped.
//
// The file is read as a stream; a run of ten million lines with ids of 20 bytes takes about 350 MB.
func ReadRun(r io.Reader, file string) (*Run, error) {
	run := NewRun("", file)
	l := newLines(r, file)
	var id []byte
	for {
		more, err := l.next()
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		if len(l.fields) < 6 {
			return nil, l.problem("a line of a run has 6 fields (query, Q0, document, rank, score, run id), this one has " +
				strconv.Itoa(len(l.fields)))
		}
		query, document := l.fields[0], l.fields[2]
		if err := l.checkID("query", query); err != nil {
			return nil, err
		}
		if err := l.checkID("document", document); err != nil {
			return nil, err
		}
		score, problem := parseScore(l.fields[4])
		if problem != "" {
			return nil, l.problem(problem)
		}
		id = append(id[:0], l.fields[5]...)
		if run.entries.length == math.MaxInt32 || l.number == math.MaxInt32 {
			return nil, l.problem("a run has at most 2147483647 lines")
		}
		run.add(query, document, score, uint32(l.number))
	}
	if len(run.ids) == 0 {
		return nil, &LineError{File: file, Problem: "the run is empty"}
	}
	run.id = string(id)
	if err := run.finish(); err != nil {
		return nil, err
	}
	return run, nil
}

// parseScore parses a score as 64 bits, as C's atof does, and rounds it to 32.
//
//go:noinline
func parseScore(field []byte) (float32, string) {
	x, err := strconv.ParseFloat(string(field), 64)
	if err != nil && !math.IsInf(x, 0) { // a score out of range is infinite, as in C
		return 0, "the score " + quote(field) + " is not a number"
	}
	if math.IsNaN(x) {
		return 0, "the score is NaN"
	}
	return float32(x), ""
}

// Add appends a document to the ranking of a query. The score must not be NaN, and an id
// must not be longer than 65535 bytes.
func (r *Run) Add(query, document string, score float32) error {
	if score != score {
		return &LineError{File: r.file, Problem: "query " + quote([]byte(query)) + ", document " +
			quote([]byte(document)) + ": the score is NaN"}
	}
	if len(query) > maxID || len(document) > maxID {
		return &LineError{File: r.file, Problem: "an id is longer than " + strconv.Itoa(maxID) + " bytes"}
	}
	r.of = nil
	r.add([]byte(query), []byte(document), score, 0)
	return nil
}

//go:noinline
func (r *Run) add(query, document []byte, score float32, line uint32) {
	at := uint32(r.entries.length)
	r.entries.add(newEntry(r.arena.add(document), len(document), score))
	if n := len(r.blocks); n > 0 {
		b := &r.blocks[n-1]
		next := b.line
		if next > 0 {
			next += at - b.first
		}
		if line == next && r.ids[b.query] == string(query) {
			b.last = at + 1
			return
		}
	}
	q, known := r.queries[string(query)]
	if !known {
		q = int32(len(r.ids))
		r.ids = append(r.ids, string(query))
		r.queries[r.ids[q]] = q
	}
	r.blocks = append(r.blocks, block{query: q, first: at, last: at + 1, line: line})
}

// finish gathers the blocks of each query, sorts the queries, and refuses documents that a query lists twice.
func (r *Run) finish() error {
	order := make([]int32, len(r.ids))
	for i := range order {
		order[i] = int32(i)
	}
	sort.Sort(byID{r.ids, order})
	sorted, place := make([]string, len(order)), make([]int32, len(order))
	for i, q := range order {
		sorted[i], place[q] = r.ids[q], int32(i)
		r.queries[r.ids[q]] = int32(i)
	}
	of := make([][]int32, len(order))
	for b := range r.blocks {
		q := place[r.blocks[b].query]
		r.blocks[b].query = q
		of[q] = append(of[q], int32(b))
	}
	r.ids = sorted
	seen := make(map[string]struct{})
	for q := range of {
		if err := r.checkDuplicates(of[q], seen); err != nil {
			return err
		}
	}
	r.of = of
	return nil
}

func (r *Run) checkDuplicates(blocks []int32, seen map[string]struct{}) error {
	clear(seen)
	listed := 0
	for _, at := range blocks {
		b := &r.blocks[at]
		for i := b.first; i < b.last; i++ {
			document := r.arena.id(r.entries.at(int(i)))
			seen[document] = struct{}{}
			if listed++; len(seen) == listed {
				continue
			}
			e := &LineError{File: r.file, Problem: "document " + quote([]byte(document)) + " is listed twice for query " +
				quote([]byte(r.ids[b.query]))}
			if b.line > 0 {
				e.Line = int(b.line + (i - b.first))
			}
			return e
		}
	}
	return nil
}

// ID is the run id of the last line of a file, or the one that NewRun was given.
func (r *Run) ID() string { return r.id }

// Len is the number of documents over all queries.
func (r *Run) Len() int { return r.entries.length }

// Queries are the ids of the queries, ascending in byte order. The caller must not
// change them. It is an error if a run made with Add lists a document twice for a
// query.
func (r *Run) Queries() ([]string, error) {
	if r.of == nil {
		if err := r.finish(); err != nil {
			return nil, err
		}
	}
	return r.ids, nil
}

// byID sorts the indexes of queries by their ids.
type byID struct {
	ids   []string
	order []int32
}

func (b byID) Len() int           { return len(b.order) }
func (b byID) Swap(i, j int)      { b.order[i], b.order[j] = b.order[j], b.order[i] }
func (b byID) Less(i, j int) bool { return b.ids[b.order[i]] < b.ids[b.order[j]] }

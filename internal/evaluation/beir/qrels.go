package beir

import (
	"fmt"
	"io"
	"os"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/trec"
)

// readQrelsFile reads judgements in BEIR's or TREC's format and returns the first line
// that names each document. Unknown queries are an error, unless others is true: then they
// are dropped. Judgements of documents for which leftOut is true are always dropped.
func readQrelsFile(path string, known map[string]bool, others bool, leftOut func(document string) bool) (*trec.Qrels, map[string]int, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, &corpus.InputError{File: path, Problem: "cannot be read: " + err.Error(), Remedy: "check the path", Err: err}
	}
	defer f.Close()
	r, err := corpus.Decompressed(f)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return readQrels(r, path, known, others, leftOut)
}

func readQrels(r io.Reader, file string, known map[string]bool, others bool, leftOut func(document string) bool) (*trec.Qrels, map[string]int, error) {
	lines := map[string]int{}
	qrels, err := read(r, file, known, others, leftOut, func(j Judgement) error {
		if _, named := lines[j.Document]; !named {
			lines[j.Document] = j.Line
		}
		return nil
	})
	return qrels, lines, err
}

// Judgement is a line of a file of judgements.
type Judgement struct {
	Line            int // line number, from 1
	Query, Document string
	Grade           int32
}

// ReadQrels reads judgements in BEIR's or TREC's format (see trec.EachJudgement). It
// calls visit for each line in order and stops at the first error that visit returns.
// Unknown queries, and documents judged twice for a query, are errors. Errors in the
// file are *trec.LineError.
func ReadQrels(r io.Reader, file string, known map[string]bool, visit func(Judgement) error) error {
	_, err := read(r, file, known, false, func(string) bool { return false }, visit)
	return err
}

func read(r io.Reader, file string, known map[string]bool, others bool, leftOut func(document string) bool, visit func(Judgement) error) (*trec.Qrels, error) {
	qrels := trec.NewQrels(file)
	err := trec.EachJudgement(r, file, func(j *trec.Judgement) error {
		fault := func(format string, args ...any) error {
			return &trec.LineError{File: file, Line: j.Line, Problem: fmt.Sprintf(format, args...)}
		}
		query, document := string(j.Query), string(j.Document)
		if !known[query] && others {
			return nil
		}
		if !known[query] {
			return fault("there is no query %.80q among the queries", query)
		}
		if leftOut(document) {
			return nil
		}
		if !qrels.Add(query, document, j.Grade) {
			return fault("document %.80q was judged before for query %.80q: keep one line", document, query)
		}
		return visit(Judgement{j.Line, query, document, j.Grade})
	})
	if err != nil {
		return nil, err
	}
	return qrels, nil
}

package trec

import (
	"io"
	"strconv"
)

// Judgement is a line of a file of judgements. Its fields are valid until the next line
// is read.
type Judgement struct {
	Line      int    // line number, from 1
	Iteration []byte // nil in BEIR's files
	Query     []byte
	Document  []byte
	Grade     int32
}

// EachJudgement reads judgements and calls visit for each line in order. It stops at
// the first error that visit returns. Blank lines are ignored. The first other line
// decides the format:
//
//   - TREC's: lines of "query iteration document grade", separated by white space;
//   - BEIR's: three columns between tabs, query, document and score. A first line whose first column is "query-id" or
//     whose last column is "score" is the header. A first line without a header is TREC's if white space makes it four
//     fields.
//
// The file's name is for errors. Errors are *LineError: a wrong number of columns, an
// empty id, a grade that is not a 32-bit integer, no judgements. An error of the reader is wrapped.
func EachJudgement(r io.Reader, file string, visit func(j *Judgement) error) error {
	l := newLines(r, file)
	judgements, first := 0, true
	for ; ; first = false {
		more, err := l.next()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		if first && l.tabbed() {
			l.tabs = true
			l.splitTabs()
			if string(l.fields[0]) == "query-id" || string(l.fields[2]) == "score" {
				continue
			}
		}
		j, err := l.judgement()
		if err != nil {
			return err
		}
		judgements++
		if err := visit(&j); err != nil {
			return err
		}
	}
	if judgements == 0 {
		return &LineError{File: file, Problem: "no judgements in this file"}
	}
	return nil
}

// tabbed reports whether the first line is taken to be in BEIR's format: it has two tabs,
// no space before the first, and a space elsewhere does not make it four fields, as in
// "1\t0 a\t1", which is TREC's. BEIR's header may be four words.
func (l *lines) tabbed() bool {
	tabs := 0
	for _, c := range l.line {
		switch {
		case c == '\t':
			tabs++
		case c == ' ' && tabs == 0:
			return false
		}
	}
	return tabs == 2 && (len(l.fields) != 4 || string(l.fields[3]) == "score")
}

// judgement parses the fields of a line.
func (l *lines) judgement() (j Judgement, err error) {
	j.Line = l.number
	what := "grade "
	var grade []byte
	switch n := len(l.fields); {
	case l.tabs && n == 3:
		what = "score "
		j.Query, j.Document, grade = l.fields[0], l.fields[1], l.fields[2]
	case l.tabs:
		return j, l.problem("a judgement has 3 columns between tabs (query-id, corpus-id, score), this line has " + strconv.Itoa(n))
	case n == 4:
		j.Query, j.Iteration, j.Document, grade = l.fields[0], l.fields[1], l.fields[2], l.fields[3]
	default:
		return j, l.problem("a judgement has 4 fields (query, iteration, document, grade), this line has " + strconv.Itoa(n))
	}
	if err := l.checkID("query", j.Query); err != nil {
		return j, err
	}
	if err := l.checkID("document", j.Document); err != nil {
		return j, err
	}
	g, err := strconv.ParseInt(string(grade), 10, 32)
	if err != nil {
		return j, l.problem("the " + what + quote(grade) + " is not an integer of 32 bits")
	}
	j.Grade = int32(g)
	return j, nil
}

package trec

import (
	"io"
	"strconv"
)

// Judgement is a line of a file of judgements. Its parts stay valid until the next one.
type Judgement struct {
	Line      int    // from 1
	Iteration []byte // nil in BEIR's files
	Query     []byte
	Document  []byte
	Grade     int32
}

// EachJudgement reads judgements and tells visit each in the order of the lines, up to the first error of visit's. Blank
// lines are passed over. What stands in the first other line tells the format:
//
//   - TREC's: lines of "query iteration document grade", between white space;
//   - BEIR's: three columns between tabs, query, document and score. A first line "query-id corpus-id score", or another
//     whose last column is "score", is the heading.
//
// The file's name is for errors, which are *LineError: another number of columns, an empty id, a grade that is no 32-bit
// integer, no judgement at all.
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
		if first && tabbed(l.line) {
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

// tabbed reports whether a line is BEIR's: two tabs, and no space in the first column, as there is in a line of TREC's that
// has both.
func tabbed(line []byte) bool {
	tabs := 0
	for _, c := range line {
		switch {
		case c == '\t':
			tabs++
		case c == ' ' && tabs == 0:
			return false
		}
	}
	return tabs == 2
}

// judgement takes the fields of a line apart.
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

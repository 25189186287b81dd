package beir

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/vantage-search/vantage/model/corpus"
	"github.com/vantage-search/vantage/wasm/metrics/trec"
)

// maxLine is the longest line of judgements, in bytes.
const maxLine = 1 << 20

// readQrelsFile reads judgements, BEIR's where the name ends in .tsv, else
// TREC's, and tells the first line that names each document. Queries have to be known.
func readQrelsFile(path string, known map[string]bool) (*trec.Qrels, map[string]int, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, &corpus.InputError{File: path, Problem: "cannot be read: " + err.Error(), Remedy: "check the path", Err: err}
	}
	defer f.Close()
	if filepath.Ext(path) == ".tsv" {
		return readQrels(f, path, known, tabSeparated)
	}
	return readQrels(f, path, known, whiteSpace)
}

// layout takes query, document and grade out of a line.
type layout func(line []byte, number int) (query, document, grade []byte, problem string)

// tabSeparated is BEIR's: three columns between tabs, below a heading.
func tabSeparated(line []byte, number int) (query, document, grade []byte, problem string) {
	fields := bytes.Split(line, []byte("\t"))
	if len(fields) != 3 {
		return nil, nil, nil, fmt.Sprintf("a judgement has 3 columns between tabs (query-id, corpus-id, score), this line has %d", len(fields))
	}
	fields[2] = bytes.TrimSpace(fields[2])
	if _, err := strconv.Atoi(string(fields[2])); number == 1 && err != nil {
		return fields[0], nil, nil, "" // the heading, if there is no such query
	}
	return fields[0], fields[1], fields[2], ""
}

// whiteSpace is TREC's: query, iteration, document, grade.
func whiteSpace(line []byte, _ int) (query, document, grade []byte, problem string) {
	fields := bytes.Fields(line)
	if len(fields) != 4 {
		return nil, nil, nil, fmt.Sprintf("a judgement has 4 fields (query, iteration, document, grade), this line has %d", len(fields))
	}
	return fields[0], fields[2], fields[3], ""
}

func readQrels(r io.Reader, file string, known map[string]bool, layout layout) (*trec.Qrels, map[string]int, error) {
	lines := map[string]int{}
	qrels, err := read(r, file, known, layout, func(j Judgement) error {
		if _, named := lines[j.Document]; !named {
			lines[j.Document] = j.Line
		}
		return nil
	})
	return qrels, lines, err
}

// Judgement is a line of a file of judgements.
type Judgement struct {
	Line            int // from 1
	Query, Document string
	Grade           int32
}

// ReadQrels reads BEIR's judgements, each of which it tells visit in the order of
// the lines, up to the first error of visit's. Queries have to be known; a document
// is judged once for a query. Errors of the file are *trec.LineError.
func ReadQrels(r io.Reader, file string, known map[string]bool, visit func(Judgement) error) error {
	_, err := read(r, file, known, tabSeparated, visit)
	return err
}

func read(r io.Reader, file string, known map[string]bool, layout layout, visit func(Judgement) error) (*trec.Qrels, error) {
	qrels := trec.NewQrels(file)
	number, judgements := 0, 0
	fault := func(format string, args ...any) error {
		return &trec.LineError{File: file, Line: number, Problem: fmt.Sprintf(format, args...)}
	}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(make([]byte, 0, 64<<10), maxLine)
	for scanner.Scan() {
		number++
		line := scanner.Bytes()
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		query, document, grade, problem := layout(line, number)
		switch {
		case problem != "":
			return nil, fault("%s", problem)
		case grade == nil && known[string(query)]:
			return nil, fault("the score is not an integer of 32 bits")
		case grade == nil:
			continue
		case len(query) == 0 || len(document) == 0:
			return nil, fault("an id is empty: name the query and the document")
		case !known[string(query)]:
			return nil, fault("there is no query %.80q among the queries", query)
		}
		g, err := strconv.ParseInt(string(grade), 10, 32)
		if err != nil {
			return nil, fault("the score %.40q is not an integer of 32 bits: write 1 for a document that answers the query, else 0", grade)
		}
		if !qrels.Add(string(query), string(document), int32(g)) {
			return nil, fault("document %.80q was judged before for query %.80q: keep one line", document, query)
		}
		judgements++
		if err := visit(Judgement{number, string(query), string(document), int32(g)}); err != nil {
			return nil, err
		}
	}
	if err := scanner.Err(); err != nil {
		number++
		if err == bufio.ErrTooLong {
			return nil, fault("the line is longer than %d bytes", maxLine)
		}
		return nil, fault("%v", err)
	}
	if judgements == 0 {
		number = 0
		return nil, fault("no judgements in this file")
	}
	return qrels, nil
}

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
	qrels, lines := trec.NewQrels(file), map[string]int{}
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
			return nil, nil, fault("%s", problem)
		case grade == nil && known[string(query)]:
			return nil, nil, fault("the score is not an integer of 32 bits")
		case grade == nil:
			continue
		case len(query) == 0 || len(document) == 0:
			return nil, nil, fault("an id is empty")
		case !known[string(query)]:
			return nil, nil, fault("there is no query %.80q among the queries", query)
		}
		g, err := strconv.ParseInt(string(grade), 10, 32)
		if err != nil {
			return nil, nil, fault("the score %.40q is not an integer of 32 bits", grade)
		}
		if !qrels.Add(string(query), string(document), int32(g)) {
			return nil, nil, fault("document %.80q was judged before for query %.80q", document, query)
		}
		judgements++
		if _, named := lines[string(document)]; !named {
			lines[string(document)] = number
		}
	}
	if err := scanner.Err(); err != nil {
		number++
		if err == bufio.ErrTooLong {
			return nil, nil, fault("the line is longer than %d bytes", maxLine)
		}
		return nil, nil, fault("%v", err)
	}
	if judgements == 0 {
		number = 0
		return nil, nil, fault("no judgements in this file")
	}
	return qrels, lines, nil
}

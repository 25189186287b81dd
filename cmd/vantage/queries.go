package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection/corpus"
)

// Limits of a file of queries.
const (
	maxQueryLine  = 16 << 20
	maxQueriesAll = 1 << 30
)

// lineQuery is a query of a file.
type lineQuery struct {
	id    string
	label string // kind of its perspective; "" if the line has none
	line  int
	vantage.Query
}

// readQueries reads a file of queries; base is what they share. Every fault is
// a fault.Input that names file and line. The end of the context ends the
// waiting for a pipe or a keyboard.
func readQueries(ctx context.Context, path string, base vantage.Query) ([]lineQuery, error) {
	var queries []lineQuery
	var err error
	read := make(chan struct{})
	go func() {
		queries, err = readAllQueries(path, base)
		close(read)
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-read:
		return queries, err
	}
}

func readAllQueries(path string, base vantage.Query) ([]lineQuery, error) {
	if path == "-" {
		return parseStored(os.Stdin, "stdin", base)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, inputf("%s: %w: check the path", path, unnamed(err))
	}
	defer f.Close()
	return parseStored(f, path, base)
}

// parseStored is parseQueries of a file that may be gzipped.
func parseStored(f io.Reader, name string, base vantage.Query) ([]lineQuery, error) {
	r, err := corpus.Decompressed(f)
	if err != nil {
		return nil, inputf("%s: %w", name, err)
	}
	return parseQueries(r, name, base)
}

func parseQueries(r io.Reader, name string, base vantage.Query) ([]lineQuery, error) {
	var queries []lineQuery
	lines := map[string]int{} // by id
	b := bufio.NewReaderSize(r, 64<<10)
	total := 0
	for number, last := 1, false; !last; number++ {
		line, err := readLine(b)
		fault := func(format string, args ...any) error {
			return inputf("%s:%d: %w", name, number, fmt.Errorf(format, args...))
		}
		total += len(line)
		switch {
		case errors.Is(err, errLongLine):
			return nil, fault("longer than %s: put every query on a line of its own", bytesText(maxQueryLine))
		case total > maxQueriesAll:
			return nil, fault("more than %s of queries: split the file", bytesText(maxQueriesAll))
		case err == io.EOF:
			last = true
		case err != nil:
			return nil, inputf("%s: %w", name, unnamed(err))
		}
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		q, err := parseQuery(line, base)
		if err != nil {
			return nil, fault("%w", err)
		}
		q.line = number
		if earlier := lines[q.id]; earlier > 0 {
			return nil, fault("the id %.80q is taken by line %d: give every query an id of its own", q.id, earlier)
		}
		lines[q.id] = number
		queries = append(queries, q)
	}
	if len(queries) == 0 {
		return nil, inputf("%s: no queries in it: write one JSON object per line, such as {\"_id\": \"1\", \"text\": \"...\"}", name)
	}
	return queries, nil
}

var errLongLine = errors.New("long line")

// readLine reads a line of at most maxQueryLine bytes into memory of its own.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxQueryLine {
			return nil, errLongLine
		}
		line = append(line, part...)
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

// Package queries reads files of queries: JSON lines with texts, vectors, or both.
package queries

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
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// maxBytes is the greatest length of a file of queries in bytes.
const maxBytes = 1 << 30

// Query is a query of a file.
type Query struct {
	ID    string
	Label string // kind of its perspective; "" if the line has none
	Line  int    // line in the file, from 1
	vantage.Query
}

// Read reads a file of queries, or stdin for "-". base has the parts that all queries
// share. Errors of the file are fault.Input and name it and, if a line is at fault, the line.
// Cancelling the context ends the wait for a pipe or a keyboard.
func Read(ctx context.Context, path string, base vantage.Query) ([]Query, error) {
	var queries []Query
	var err error
	read := make(chan struct{})
	go func() {
		queries, err = readAll(path, base)
		close(read)
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-read:
		return queries, err
	}
}

func readAll(path string, base vantage.Query) ([]Query, error) {
	if path == "-" {
		return parseStored(os.Stdin, "stdin", base)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fault.Errorf(fault.Input, "%s: %w: check the path", path, fault.Unnamed(err))
	}
	defer f.Close()
	return parseStored(f, path, base)
}

// parseStored is parse for a file that may be gzipped.
func parseStored(f io.Reader, name string, base vantage.Query) ([]Query, error) {
	r, err := corpus.Decompressed(f)
	if err != nil {
		return nil, fault.Errorf(fault.Input, "%s: %w", name, err)
	}
	return parse(r, name, base)
}

func parse(r io.Reader, name string, base vantage.Query) ([]Query, error) {
	var queries []Query
	lines := map[string]int{} // line of each id
	b := bufio.NewReaderSize(r, 64<<10)
	total := 0
	for number, last := 1, false; !last; number++ {
		line, err := inputs.ReadLine(b)
		refuse := func(format string, args ...any) error {
			return fault.Errorf(fault.Input, "%s:%d: %w", name, number, fmt.Errorf(format, args...))
		}
		total += len(line)
		switch {
		case errors.Is(err, inputs.ErrLongLine):
			return nil, refuse("longer than %s: put every query on a line of its own", human.Bytes(inputs.MaxLine))
		case total > maxBytes:
			return nil, refuse("more than %s of queries: split the file", human.Bytes(maxBytes))
		case err == io.EOF:
			last = true
		case err != nil:
			return nil, fault.Errorf(fault.Input, "%s: %w", name, fault.Unnamed(err))
		}
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		q, err := parseLine(line, base)
		if err != nil {
			return nil, refuse("%w", err)
		}
		q.Line = number
		if earlier := lines[q.ID]; earlier > 0 {
			return nil, refuse("the id %.80q is taken by line %d: give every query an id of its own", q.ID, earlier)
		}
		lines[q.ID] = number
		queries = append(queries, q)
	}
	if len(queries) == 0 {
		return nil, fault.Errorf(fault.Input, "%s: no queries in it: write one JSON object per line, such as {\"_id\": \"1\", \"text\": \"...\"}", name)
	}
	return queries, nil
}

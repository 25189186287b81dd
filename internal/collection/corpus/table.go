package corpus

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// table reads records with a length limit. encoding/csv has no such limit, and would
// read the rest of the file as one field after a quote that is never closed.
type table struct {
	file   string
	csv    records
	limit  limitedReader
	header []string
	line   int64 // line of the last valid record
	guards bool  // quoted fields that look like rows are refused: a text may only begin with a quotation mark

	remedyCharset, remedyField, remedyQuote, remedyRows string
}

// records is a csv.Reader, or a sheet.
type records interface {
	Read() ([]string, error)
	FieldPos(field int) (line, column int)
}

func newTable(r io.Reader, file string, o Options) (*table, error) {
	t := &table{
		file: file, remedyCharset: o.remedyCharset(),
		remedyRows:  `put quotes around texts that begin with one and write a quote inside them as ""`,
		remedyField: "put quotes around fields that hold separators or line breaks", remedyQuote: `put quotes around the field and write a quote inside it as ""`,
	}
	b := bufio.NewReaderSize(r, maxHeadBytes)
	if mark, _ := b.Peek(len(byteOrderMark)); string(mark) == byteOrderMark { // an error comes back when it is read
		b.Discard(len(byteOrderMark)) // encoding/csv would take the quote after it for a part of the name
	}
	head, _ := b.Peek(maxHeadBytes)
	if oldMac(head) {
		b = bufio.NewReaderSize(&lineFeeds{b}, maxHeadBytes)
		head, _ = b.Peek(maxHeadBytes)
	}
	first, _, _ := bytes.Cut(head, []byte("\n"))
	if at, problem := badByte(first); at >= 0 && first[at] == 0 { // encoding/csv may not find the quotes
		return nil, &InputError{File: file, Line: 1, Column: at + 1, Problem: problem, Remedy: t.remedyCharset}
	}
	named, length := namedSeparator(head)
	b.Discard(length) // what is left of the line is an empty one, which is counted and skipped
	separator := o.delimiter
	switch {
	case named != 0 && o.Delimiter == "":
		separator = named
	case separator == 0:
		separator = separatorOf(head[length:], o.Quote != quoteNone)
	}
	if o.Quote == quoteNone {
		t.csv, t.remedyField = &unquoted{r: b, separator: string(separator)}, "leave separators and line breaks out of texts, or put quotes around such fields and leave --quote out"
		return t, t.readHeader()
	}
	t.limit.r = b
	c := csv.NewReader(&t.limit)
	c.Comma, c.ReuseRecord = separator, true
	t.csv, t.guards = c, separator == '\t' && o.Quote == ""
	if o.FieldFlags {
		t.remedyQuote += ", or give --quote none if quotes belong to the texts"
		t.remedyRows = "give --quote none if quotes belong to the texts, or --quote double if they enclose this field"
	}
	return t, t.readHeader()
}

// readHeader reads the names of the columns.
func (t *table) readHeader() error {
	header, err := t.next()
	if err == io.EOF {
		return &InputError{File: t.file, Line: 1, Problem: "the file is empty", Remedy: "the first line must name the columns, such as: id,title,text"}
	}
	if err != nil {
		return err
	}
	t.header = append([]string(nil), header...)
	t.header[0] = strings.TrimPrefix(t.header[0], byteOrderMark) // in a workbook, it is part of the cell
	names := map[string]int{}
	for i, name := range t.header {
		name = strings.TrimSpace(name)
		t.header[i] = name
		if name == "" {
			return &InputError{File: t.file, Line: 1, Problem: fmt.Sprintf("column %d has no name", i+1), Remedy: "name every column in the first line"}
		}
		if j, ok := names[name]; ok {
			return &InputError{File: t.file, Line: 1, Problem: fmt.Sprintf("columns %d and %d are both named %.80q", j+1, i+1, name), Remedy: "give every column a name of its own"}
		}
		names[name] = i
	}
	return nil
}

// next returns the next record, which is valid until the following call, or io.EOF.
func (t *table) next() ([]string, error) {
	t.limit.left = MaxRecordBytes
	record, err := t.csv.Read()
	if err == io.EOF {
		return nil, err
	}
	if problem := t.bytesOf(record); problem != nil {
		return nil, problem
	}
	var syntax *csv.ParseError
	var input *InputError
	switch {
	case errors.Is(err, errLongRecord):
		problem := fmt.Sprintf("the first record is longer than %d MB", MaxRecordBytes>>20)
		if t.line > 0 {
			problem = fmt.Sprintf("the record after the one here is longer than %d MB", MaxRecordBytes>>20)
		}
		return nil, &InputError{File: t.file, Line: t.line, Problem: problem, Remedy: "look for a quote that is never closed, and split larger texts into passages"}
	case errors.Is(err, csv.ErrFieldCount) && errors.As(err, &syntax):
		return nil, &InputError{File: t.file, Line: int64(syntax.StartLine), Problem: fmt.Sprintf("%d columns, the header has %d", len(record), len(t.header)),
			Remedy: t.remedyField, Err: err}
	case errors.As(err, &syntax):
		return nil, &InputError{File: t.file, Line: int64(syntax.Line), Column: syntax.Column, Problem: syntax.Err.Error(),
			Remedy: t.remedyQuote, Err: err}
	case errors.As(err, &input):
		return nil, err // error of the underlying reader
	case err != nil:
		return nil, &InputError{File: t.file, Problem: err.Error(), Remedy: "check the file", Err: err}
	}
	for i, field := range record {
		if t.guards && strings.Contains(field, "\t") && strings.Contains(field, "\n") {
			line, column := t.csv.FieldPos(i)
			return nil, &InputError{File: t.file, Line: int64(line), Column: column, Problem: "what is in quotes goes on for several lines and has tabs, as if they were rows",
				Remedy: t.remedyRows}
		}
	}
	line, _ := t.csv.FieldPos(0)
	t.line = int64(line)
	return record, nil
}

// bytesOf refuses a record with bytes that texts do not have, which may be why it looks wrong. A field may have several lines.
func (t *table) bytesOf(record []string) error {
	for i, field := range record {
		at, problem := badByte([]byte(field))
		if at < 0 {
			continue
		}
		line, column := t.csv.FieldPos(i)
		if before := strings.LastIndexByte(field[:at], '\n'); before >= 0 {
			line, column = line+strings.Count(field[:at], "\n"), at-before
		}
		return &InputError{File: t.file, Line: int64(line), Column: column, Problem: fmt.Sprintf("%s, in column %d", problem, i+1), Remedy: t.remedyCharset}
	}
	return nil
}

var errLongRecord = errors.New("long record")

// limitedReader fails if more than left bytes are read after left was set. encoding/csv
// reads ahead by a buffer, so the limit is exact only up to the buffer's size.
type limitedReader struct {
	r    io.Reader
	left int
}

func (l *limitedReader) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errLongRecord
	}
	n, err := l.r.Read(p)
	l.left -= n
	return n, err
}

func quoted(names []string) string {
	var b bytes.Buffer
	for i, name := range names {
		if i == 20 {
			b.WriteString(", ...")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%.40q", name)
	}
	return b.String()
}

package corpus

import (
	"bufio"
	"encoding/csv"
	"io"
	"strings"
)

// Kinds of quotes in CSV.
const (
	quoteNone   = "none"
	quoteDouble = "double"
)

// unquoted reads records like a csv.Reader, but every line is one, and quotes are text, as data sets with tabs have them.
type unquoted struct {
	r         *bufio.Reader
	separator string
	line      int
	buffer    []byte
	fields    []string
}

func (u *unquoted) Read() ([]string, error) {
	for {
		var err error
		u.buffer, err = readLine(u.r, u.buffer[:0])
		if err == errLongLine {
			return nil, errLongRecord
		}
		if err != nil && err != io.EOF || err == io.EOF && len(u.buffer) == 0 {
			return nil, err
		}
		u.line++
		if len(u.buffer) == 0 {
			continue
		}
		width := len(u.fields)
		u.fields = strings.Split(string(u.buffer), u.separator)
		if width > 0 && len(u.fields) != width {
			return u.fields, &csv.ParseError{StartLine: u.line, Line: u.line, Column: 1, Err: csv.ErrFieldCount}
		}
		return u.fields, nil
	}
}

func (u *unquoted) FieldPos(field int) (line, column int) {
	column = 1
	for _, f := range u.fields[:field] {
		column += len(f) + len(u.separator)
	}
	return u.line, column
}

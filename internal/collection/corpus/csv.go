package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/vantage-search/vantage/internal/collection/store"
)

// documentsCSV reads the file twice. The type of metadata depends on the whole column, so the first reading finds the
// types, which later readings use.
func (c *Corpus) documentsCSV(yield func(store.Document) error) error {
	if c.columns == nil {
		err := c.readTable(func(t *table) (err error) {
			c.columns, c.rows, err = columnsOf(t)
			return err
		})
		if err != nil {
			return err
		}
	}
	c.marks.Begin(c.rows)
	return c.readTable(func(t *table) error {
		return t.documents(c.options, c.columns, func(choice string) { c.note = join(c.note, choice) }, yield)
	})
}

// readTable opens the table anew, in a file of CSV or a workbook.
func (c *Corpus) readTable(read func(*table) error) (err error) {
	c.note = ""
	if c.format == FormatWorkbook {
		rows, note, err := c.options.Workbook(c.path)
		if err != nil {
			return err
		}
		c.note = note
		t, err := newSheet(rows, c.path)
		if err == nil {
			err = read(t)
		}
		if input, ok := errors.AsType[*InputError](err); ok && note != "" {
			input.Remedy += "; " + note // the table may be in another sheet
		}
		if closing := rows.Close(); closing != nil && err == nil {
			err = &InputError{File: c.path, Problem: "its temporary files cannot be removed: " + closing.Error(), Remedy: "check the disk and the folder of temporary files (TMPDIR)", Err: closing}
		}
		return err
	}
	return c.readFile(func(r io.Reader) error {
		t, err := newTable(r, c.path, c.options)
		if err != nil {
			return err
		}
		return read(t)
	})
}

// join puts two notes together, of which either may be "".
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// kind is the common type of all nonempty cells of a column.
type kind int

const (
	kindEmpty kind = iota
	kindNumber
	kindBool
	kindString
)

func kindOf(cell string) kind {
	switch {
	case cell == "":
		return kindEmpty
	case isNumber(cell):
		return kindNumber
	case strings.EqualFold(cell, "true") || strings.EqualFold(cell, "false"):
		return kindBool
	}
	return kindString
}

// isNumber accepts numbers in JSON's form in the range of float64. "007" and "+1" are
// thus strings, as identifiers and telephone numbers should be.
func isNumber(s string) bool {
	if s == "" {
		return false // as front matter can say with !!int ""
	}
	if c := s[0]; c != '-' && (c < '0' || c > '9') || !json.Valid([]byte(s)) {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

func (k kind) and(other kind) kind {
	switch {
	case k == other || other == kindEmpty:
		return k
	case k == kindEmpty:
		return other
	}
	return kindString
}

// column is what the first reading finds out about a column.
type column struct {
	kind   kind
	length int // of the texts in it, in UTF-16 units, as JavaScript counts in pages; addresses of the web do not count
}

// columnsOf reads all of a table, and returns what its columns are and its number of rows.
func columnsOf(t *table) (columns []column, rows int64, err error) {
	columns = make([]column, len(t.header))
	for ; ; rows++ {
		record, err := t.next()
		if err == io.EOF {
			return columns, rows, nil
		}
		if err != nil {
			return nil, 0, err
		}
		for i, cell := range record {
			if columns[i].kind != kindString {
				columns[i].kind = columns[i].kind.and(kindOf(strings.TrimSpace(cell)))
			}
			if strings.HasPrefix(cell, "http://") || strings.HasPrefix(cell, "https://") {
				continue
			}
			for _, r := range cell {
				columns[i].length += utf16.RuneLen(r)
			}
		}
	}
}

// documents yields the documents of a table with the given column types. Columns id (or
// _id), title and text, in upper or lower case, make the document; roles says what is done without them. Every other
// column becomes metadata, without empty cells.
func (t *table) documents(o Options, columns []column, note func(string), yield func(store.Document) error) error {
	if len(t.header) != len(columns) {
		return &InputError{File: t.file, Line: 1, Problem: "the header changed while it was read", Remedy: "try again when nothing writes to the file"}
	}
	id, title, text, err := t.roles(o, columns)
	if err != nil {
		return err
	}
	note(t.choice(id, title, text, o))
	if err := t.rename(o.Columns); err != nil {
		return err
	}
	ids := seen{}
	for row := 1; ; row++ {
		record, err := t.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		// The fields of a record share one string. Copying a field lets the others be
		// freed.
		doc := store.Document{ID: strconv.Itoa(row), Text: strings.Clone(record[text])}
		if id >= 0 {
			doc.ID = strings.Clone(strings.TrimSpace(record[id]))
		}
		if title >= 0 {
			doc.Title = strings.Clone(record[title])
		}
		problem := checkID(doc.ID)
		if problem == nil {
			if earlier := ids.add(doc.ID, t.line); earlier > 0 {
				problem = &InputError{Problem: fmt.Sprintf("the id %.80q is already taken by line %d", doc.ID, earlier), Remedy: "give every document an id of its own"}
			}
		}
		if problem != nil {
			line, column := t.csv.FieldPos(id)
			problem.File, problem.Line, problem.Column = t.file, int64(line), column
			return problem
		}
		for i, cell := range record {
			if i == id || i == title || i == text || strings.TrimSpace(cell) == "" {
				continue
			}
			if doc.Metadata == nil {
				doc.Metadata = map[string]any{}
			}
			switch trimmed := strings.TrimSpace(cell); columns[i].kind {
			case kindNumber:
				doc.Metadata[t.header[i]] = json.Number(strings.Clone(trimmed))
			case kindBool:
				doc.Metadata[t.header[i]] = strings.EqualFold(trimmed, "true")
			default:
				doc.Metadata[t.header[i]] = strings.Clone(cell)
			}
		}
		if err := yield(doc); err != nil {
			return err
		}
	}
}

package corpus

import (
	"io"
	"slices"
	"strings"
	"testing"
)

// lines are the rows of a sheet in memory.
type lines [][]string

func (l *lines) Next() ([]string, error) {
	if len(*l) == 0 {
		return nil, io.EOF
	}
	row := (*l)[0]
	*l = (*l)[1:]
	return row, nil
}

func (l *lines) Close() error { return nil }

// A consumer may stop before the end of a workbook.
func TestStoppedWorkbook(t *testing.T) {
	o := Options{Workbook: func(string) (Rows, string, error) {
		return &lines{{"id", "text"}, {"1", "x"}, {"2", "y"}}, "", nil
	}}
	c, err := Open(write(t, "file.xlsx", ""), o)
	if err != nil {
		t.Fatal(err)
	}
	yielded := 0
	for doc, err := range c.Documents() {
		if yielded++; err != nil || doc.ID != "1" {
			t.Fatalf("%v, %v", doc, err)
		}
		break
	}
	if yielded != 1 {
		t.Errorf("%d documents", yielded)
	}
}

// held are rows that cannot be closed.
type held struct{ lines }

func (*held) Close() error { return io.ErrClosedPipe }

// An error in closing a workbook names it, and does not hide another one.
func TestWorkbookCannotBeClosed(t *testing.T) {
	for want, rows := range map[string]lines{
		"file.xlsx: its temporary files cannot be removed": {{"id", "text"}, {"1", "x"}},
		"file.xlsx:3: 3 columns":                           {{"id", "text"}, {"1", "x"}, {"2", "y", "z"}},
	} {
		c, err := Open(write(t, "file.xlsx", ""), Options{Workbook: func(string) (Rows, string, error) { return &held{slices.Clone(rows)}, "", nil }})
		if err != nil {
			t.Fatal(err)
		}
		for _, err = range c.Documents() {
			if err != nil {
				break
			}
		}
		if _, ok := err.(*InputError); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A row with too many columns is refused with its number, whether it is the first or a later one.
func TestWideSheets(t *testing.T) {
	wide := make([]string, maxCells+1)
	for i := range wide {
		wide[i] = "x"
	}
	for name, c := range map[string]struct {
		rows lines
		want string
	}{
		"header":           {lines{{}, wide}, "file.xlsx:2: 16385 columns, more than 16384"},
		"row":              {lines{{"id", "text"}, wide}, "file.xlsx:2: 16385 columns, more than 16384"},
		"beyond its names": {lines{{"id", "text"}, {"1", "x", "", ""}, {"2", "y", "z"}}, "file.xlsx:3: 3 columns, the header has 2"},
	} {
		sheet, err := newSheet(&c.rows, "file.xlsx")
		for err == nil {
			_, err = sheet.next()
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package corpus

import "fmt"

// Rows are the rows of a sheet.
type Rows interface {
	Next() ([]string, error) // cells up to the last that is not empty, or io.EOF
	Close() error
}

// sheet reads rows like a csv.Reader: empty rows are skipped, and all others have as many cells as the first.
type sheet struct {
	rows  Rows
	file  string
	width int // of the first row
	row   int
}

func newSheet(rows Rows, file string) (*table, error) {
	t := &table{file: file, csv: &sheet{rows: rows, file: file}}
	return t, t.readHeader()
}

// maxCells is the greatest number of columns of a sheet. One with more is refused.
const maxCells = 16384

func (s *sheet) Read() ([]string, error) {
	for {
		cells, err := s.rows.Next()
		if err != nil {
			return nil, err
		}
		s.row++
		for len(cells) > 0 && cells[len(cells)-1] == "" {
			cells = cells[:len(cells)-1]
		}
		size := 0
		for _, cell := range cells {
			size += len(cell)
		}
		switch {
		case size > MaxRecordBytes:
			return nil, errLongRecord
		case len(cells) == 0:
			continue
		case len(cells) > maxCells:
			return nil, s.refuse(fmt.Sprintf("%d columns, more than %d", len(cells), maxCells), "remove the columns that are not needed")
		case s.width == 0:
			s.width = len(cells)
		case len(cells) > s.width:
			return nil, s.refuse(fmt.Sprintf("%d columns, the header has %d", len(cells), s.width), "name every column in the first line, or clear the cells to the right of the named ones")
		}
		for len(cells) < s.width {
			cells = append(cells, "")
		}
		return cells, nil
	}
}

func (s *sheet) refuse(problem, remedy string) error {
	return &InputError{File: s.file, Line: int64(s.row), Problem: problem, Remedy: remedy}
}

// FieldPos returns the row; cells are not counted in bytes.
func (s *sheet) FieldPos(int) (line, column int) { return s.row, 0 }

// Package workbook reads the first sheet of an .xlsx file that is shown and has rows, as a table. It is a package of its own because
// only the command links the library that reads such files.
package workbook

import (
	"archive/zip"
	"fmt"
	"io"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/vantage-search/vantage/internal/collection/corpus"
)

// Limits of a workbook, which is a zip file of XML. Sheets and texts are streamed, or unpacked to temporary files; the
// other parts are held in memory as trees.
const (
	maxUnpacked = 512 << 20
	maxOther    = 16 << 20
	maxInMemory = 32 << 20 // of each sheet, and of the texts of all
)

// Open opens a workbook. It has the type of corpus.Options.Workbook.
func Open(path string) (_ corpus.Rows, note string, err error) {
	if problem := check(path); problem != nil {
		return nil, "", problem
	}
	var f *excelize.File
	defer func() {
		if r := recover(); r != nil { // the library is not made for hostile files
			err = broken(path, fmt.Errorf("%v", r))
		}
		if err != nil && f != nil {
			f.Close() // removes the temporary files
		}
	}()
	f, err = excelize.OpenFile(path, excelize.Options{UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: maxInMemory, ShortDatePattern: "yyyy-mm-dd", LongDatePattern: "yyyy-mm-dd"})
	if err != nil {
		return nil, "", broken(path, err)
	}
	sheets := f.GetSheetList()
	if len(sheets) == 0 {
		return nil, "", broken(path, fmt.Errorf("there is no sheet"))
	}
	at, err := firstWithRows(f, sheets)
	if err != nil {
		return nil, "", broken(path, err)
	}
	for _, s := range f.WorkBook.Sheets.Sheet {
		if s.Name != sheets[at] {
			continue
		}
		if problem := checkFormulas(path, s.Name, s.ID); problem != nil {
			return nil, "", problem
		}
	}
	rows, err := f.Rows(sheets[at])
	if err != nil {
		return nil, "", broken(path, err)
	}
	switch {
	case at > 0:
		note = fmt.Sprintf("only one of %d sheets, %.80q, is read: it is the first that is shown and has rows", len(sheets), sheets[at])
	case len(sheets) > 1:
		note = fmt.Sprintf("only the first of %d sheets, %.80q, is read", len(sheets), sheets[0])
	}
	return &sheet{path: path, file: f, rows: rows}, note, nil
}

// firstWithRows finds the first sheet that has rows, as a sheet that only holds a chart has none. A hidden sheet is taken only
// if no other has rows: it often holds the entries of a list to choose from. It is the first of all if none has any.
func firstWithRows(f *excelize.File, sheets []string) (int, error) {
	var hidden []int
	for i, name := range sheets {
		shown, err := f.GetSheetVisible(name)
		if err != nil {
			return 0, err
		}
		if !shown {
			hidden = append(hidden, i)
			continue
		}
		if found, err := hasRows(f, name); found || err != nil {
			return i, err
		}
	}
	for _, i := range hidden {
		if found, err := hasRows(f, sheets[i]); found || err != nil {
			return i, err
		}
	}
	return 0, nil
}

func hasRows(f *excelize.File, sheet string) (bool, error) {
	rows, err := f.Rows(sheet)
	if err != nil {
		return false, err
	}
	found, err := rows.Next(), rows.Error()
	if closing := rows.Close(); err == nil {
		err = closing
	}
	return found, err
}

// check bounds what the library unpacks, before it does.
func check(path string) *corpus.InputError {
	z, err := zip.OpenReader(path)
	if err != nil {
		return broken(path, err)
	}
	defer z.Close()
	var all, other uint64
	for _, f := range z.File {
		size := min(f.UncompressedSize64, maxUnpacked+1)
		all += size
		if name := strings.ToLower(f.Name); !strings.HasPrefix(name, "xl/worksheets/sheet") && name != "xl/sharedstrings.xml" && !strings.HasPrefix(name, "xl/media/") {
			other += size
		}
		if all > maxUnpacked || other > maxOther {
			return &corpus.InputError{File: path, Problem: fmt.Sprintf("unpacks to more than %d MB, or has more than %d MB beside cells and pictures", maxUnpacked>>20, maxOther>>20), Remedy: "save the sheet as CSV"}
		}
	}
	return nil
}

func broken(path string, err error) *corpus.InputError {
	return &corpus.InputError{File: path, Problem: "no workbook that can be read: " + err.Error(), Remedy: "save the sheet as CSV", Err: err}
}

// sheet is the sheet of a workbook that is read.
type sheet struct {
	path string
	file *excelize.File
	rows *excelize.Rows
	row  int64
}

// Next returns the cells of the next row, as they are shown, or io.EOF.
func (s *sheet) Next() (cells []string, err error) {
	defer func() {
		if r := recover(); r != nil {
			problem := broken(s.path, fmt.Errorf("%v", r))
			problem.Line, err = s.row, problem
		}
	}()
	s.row++
	if !s.rows.Next() {
		if err := s.rows.Error(); err != nil {
			return nil, broken(s.path, err)
		}
		return nil, io.EOF
	}
	if cells, err = s.rows.Columns(); err != nil {
		problem := broken(s.path, err)
		problem.Line = s.row
		return nil, problem
	}
	return cells, nil
}

// Close removes the temporary files.
func (s *sheet) Close() error {
	err := s.rows.Close()
	if e := s.file.Close(); err == nil {
		err = e
	}
	return err
}

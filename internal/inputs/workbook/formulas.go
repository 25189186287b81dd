package workbook

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/xuri/excelize/v2"
	"golang.org/x/net/html/charset"

	"github.com/vantage-search/vantage/internal/collection/corpus"
)

// checkFormulas refuses a sheet with a formula whose value is not in the file. Programs other than spreadsheets write such
// files, and the library reads these cells as blank.
func checkFormulas(file, sheet, id string) *corpus.InputError {
	z, err := zip.OpenReader(file)
	if err != nil {
		return nil // the library has opened it
	}
	defer z.Close()
	rows := partOf(&z.Reader, id)
	if rows == nil {
		return nil
	}
	f, err := rows.Open()
	if err != nil {
		return nil
	}
	defer f.Close()
	column, row := withoutValue(f)
	cell, err := excelize.CoordinatesToCellName(column, row)
	if err != nil {
		return nil // there is none
	}
	return &corpus.InputError{File: file, Line: int64(row), Problem: fmt.Sprintf("cell %s of sheet %.80q has a formula, and the file lacks its value", cell, sheet),
		Remedy: "open and save the file in a spreadsheet program, which calculates the values"}
}

// partOf returns the file of a sheet within the workbook by the id that the workbook gives it, or nil.
func partOf(z *zip.Reader, id string) *zip.File {
	byName := map[string]*zip.File{}
	for _, f := range z.File {
		byName[partName(f.Name)] = f
	}
	for name, f := range byName {
		dir, found := strings.CutSuffix(name, "_rels/workbook.xml.rels")
		if !found {
			continue
		}
		var relations struct {
			Relationship []struct {
				ID     string `xml:"Id,attr"`
				Target string `xml:"Target,attr"`
			}
		}
		r, err := f.Open()
		if err != nil {
			return nil
		}
		defer r.Close()
		if decoder(r).Decode(&relations) != nil {
			return nil
		}
		for _, relation := range relations.Relationship {
			if relation.ID != id {
				continue
			}
			target := partName(relation.Target)
			if !strings.HasPrefix(target, "/") {
				target = dir + target
			}
			return byName[strings.TrimPrefix(path.Clean(target), "/")]
		}
	}
	return nil
}

// partName is the name of a part of a workbook as it is compared: names differ in case and in slashes.
func partName(name string) string { return strings.ToLower(strings.ReplaceAll(name, `\`, "/")) }

func decoder(r io.Reader) *xml.Decoder {
	d := xml.NewDecoder(r)
	d.CharsetReader = charset.NewReaderLabel
	return d
}

// withoutValue returns the place of the first cell of a sheet that has a formula, but no value, or zeros. The value of a
// formula may be an empty text; then the type of the cell says so.
func withoutValue(r io.Reader) (column, row int) {
	d := decoder(r)
	var formula, value, text bool // of the cell
	inValue := false
	for {
		token, err := d.RawToken()
		if err != nil {
			return 0, 0 // the end, or a fault that the library reports
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "row":
				column, row = 0, row+1
				if n := 0; attribute(t, "r") != "" {
					if _, err := fmt.Sscan(attribute(t, "r"), &n); err == nil {
						row = n
					}
				}
			case "c":
				column++
				if c, r, err := excelize.CellNameToCoordinates(attribute(t, "r")); err == nil {
					column, row = c, r
				}
				kind := attribute(t, "t")
				formula, value, text = false, false, kind == "str" || kind == "inlineStr"
			case "f":
				formula = true
			case "v":
				inValue = true
			}
		case xml.CharData:
			value = value || inValue && len(t) > 0
		case xml.EndElement:
			switch t.Name.Local {
			case "v":
				inValue = false
			case "c":
				if formula && !value && !text {
					return column, row
				}
			case "sheetData":
				return 0, 0
			}
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

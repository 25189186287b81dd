package workbook

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/vantage-search/vantage/internal/collection/corpus"
)

// made writes a workbook of rows.
func made(t testing.TB, rows ...[]any) string {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	for i, row := range rows {
		cell, _ := excelize.CoordinatesToCellName(1, i+1)
		if err := f.SetSheetRow("Sheet1", cell, &row); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.NewSheet("Other"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "c.xlsx")
	if err := f.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(path string, o corpus.Options) (string, string, error) {
	o.Workbook = Open
	c, err := corpus.Open(path, o)
	if err != nil {
		return "", "", err
	}
	var b strings.Builder
	for d, err := range c.Documents() {
		if err != nil {
			return b.String(), c.Note(), err
		}
		line, _ := json.Marshal(d)
		b.Write(append(line, '\n'))
	}
	return b.String(), c.Note(), nil
}

func TestWorkbook(t *testing.T) {
	path := made(t, []any{}, []any{"Headline", "Body", "n", "day", "open", ""}, []any{"One", "A text, long\nenough", 5, time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC), true}, []any{}, []any{"", "Two", 6.5})
	want := `{"_id":"1","title":"One","text":"A text, long\nenough","metadata":{"day":"2024-05-06","n":5,"open":true}}
{"_id":"2","text":"Two","metadata":{"n":6.5}}
`
	got, note, err := read(path, corpus.Options{})
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	for _, part := range []string{`the first of 2 sheets, "Sheet1"`, `texts are column "Body"`, "numbered"} {
		if !strings.Contains(note, part) {
			t.Errorf("note %q lacks %q", note, part)
		}
	}
	if got, _, err := read(path, corpus.Options{Columns: map[string]string{"id": "n", "text": "headline", "about": "body"}}); err != nil || !strings.Contains(got, `{"_id":"5","text":"One","metadata":{"about":"A text`) {
		t.Errorf("%v %s", err, got)
	}
}

// zipped writes a zip file of empty files that claim to unpack to so many MB.
func zipped(t testing.TB, files map[string]int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "c.xlsx")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for name, megabytes := range files {
		if _, err := z.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, UncompressedSize64: uint64(megabytes) << 20}); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// A chart may have a sheet of its own, before the one of its data.
func TestWorkbookWithChartFirst(t *testing.T) {
	f := excelize.NewFile()
	defer f.Close()
	for i, row := range [][]any{{"id", "text"}, {"a", "One"}} {
		if err := f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &row); err != nil {
			t.Fatal(err)
		}
	}
	chart := &excelize.Chart{Type: excelize.Col, Series: []excelize.ChartSeries{{Values: "Sheet1!$A$1:$A$2"}}}
	if err := f.AddChartSheet("Chart", chart); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(f.WorkBook.Sheets.Sheet) // MoveSheet fails on charts
	path := filepath.Join(t.TempDir(), "c.xlsx")
	if err := f.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	got, note, err := read(path, corpus.Options{})
	if want := `{"_id":"a","text":"One"}` + "\n"; err != nil || got != want || !strings.Contains(note, `only one of 2 sheets, "Sheet1"`) {
		t.Errorf("%q, note %q, error %v; want %q", got, note, err, want)
	}
}

// A hidden sheet may be the first, such as one with the entries of a list to choose from. It is read only if no other has rows.
func TestWorkbookWithHiddenFirst(t *testing.T) {
	for _, c := range []struct{ second, want, note string }{
		{"One", `{"_id":"a","text":"One"}` + "\n", `only one of 2 sheets, "Data", is read: it is the first that is shown and has rows`},
		{"", `{"_id":"a","text":"hidden"}` + "\n", `only the first of 2 sheets, "Sheet1", is read`},
	} {
		f := excelize.NewFile()
		defer f.Close()
		if _, err := f.NewSheet("Data"); err != nil {
			t.Fatal(err)
		}
		for sheet, text := range map[string]string{"Sheet1": "hidden", "Data": c.second} {
			for i, row := range [][]any{{"id", "text"}, {"a", text}} {
				if text == "" {
					break
				}
				if err := f.SetSheetRow(sheet, fmt.Sprintf("A%d", i+1), &row); err != nil {
					t.Fatal(err)
				}
			}
		}
		f.SetActiveSheet(1)
		if err := f.SetSheetVisible("Sheet1", false); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "c.xlsx")
		if err := f.SaveAs(path); err != nil {
			t.Fatal(err)
		}
		if got, note, err := read(path, corpus.Options{}); err != nil || got != c.want || !strings.Contains(note, c.note) {
			t.Errorf("%q, note %q, error %v; want %q", got, note, err, c.want)
		}
	}
}

// replaced writes a workbook of two columns anew, with other rows in the XML of its first sheet.
func replaced(t testing.TB, rows string) string {
	t.Helper()
	from, err := zip.OpenReader(made(t, []any{"id", "text"}))
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to := filepath.Join(t.TempDir(), "c.xlsx")
	f, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for _, part := range from.File {
		r, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if part.Name == "xl/worksheets/sheet1.xml" {
			before, _, _ := strings.Cut(string(content), "</sheetData>")
			content = []byte(before + rows + "</sheetData></worksheet>")
		}
		w, err := z.Create(part.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return to
}

// A formula whose value the file lacks is not read as a blank cell. One with an empty text as its value is.
func TestFormulas(t *testing.T) {
	const values = `<row r="2"><c r="A2"><f>1+1</f><v>2</v></c><c r="B2" t="str"><f>A1</f><v>two</v></c></row>` +
		`<row r="3"><c r="A3"><v>3</v></c><c r="B3" t="str"><f>""</f><v></v></c></row>`
	got, _, err := read(replaced(t, values), corpus.Options{})
	if want := `{"_id":"2","text":"two"}` + "\n" + `{"_id":"3","text":""}` + "\n"; err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	for rows, cell := range map[string]string{
		`<row r="5"><c r="A5"><v>1</v></c><c r="B5"><f>A1</f></c></row>`:                             "B5",
		`<row r="5"><c r="A5"><v>1</v></c><c r="B5" s="0"><f>A1</f><v></v></c></row>`:                "B5", // as openpyxl writes it
		`<row><c><v>1</v></c><c><f t="shared" si="0"/><v/></c></row>`:                                "B2",
		values + `<row r="4"><c r="A4"/><c r="B4" t="str"><v>x</v></c><c r="C4"><f>B4</f></c></row>`: "C4",
	} {
		path := replaced(t, rows)
		_, _, err := read(path, corpus.Options{})
		var e *corpus.InputError
		if !errors.As(err, &e) || e.File != path || strconv.FormatInt(e.Line, 10) != cell[1:] || !strings.Contains(e.Problem, "cell "+cell+` of sheet "Sheet1"`) || !strings.Contains(e.Remedy, "save the file in a spreadsheet program") {
			t.Errorf("%s: %v", cell, err)
		}
	}
	// A sheet that is not read does not matter.
	f := excelize.NewFile()
	defer f.Close()
	if _, err := f.NewSheet("Other"); err != nil {
		t.Fatal(err)
	}
	for cell, value := range map[string]string{"A1": "id", "B1": "text", "A2": "a", "B2": "x"} {
		if err := f.SetCellStr("Sheet1", cell, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.SetCellFormula("Other", "A1", "1+1"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "c.xlsx")
	if err := f.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	if got, _, err := read(path, corpus.Options{}); err != nil || got != `{"_id":"a","text":"x"}`+"\n" {
		t.Errorf("%v %s", err, got)
	}
}

func TestWorkbookRefused(t *testing.T) {
	text := filepath.Join(t.TempDir(), "c.xlsx")
	os.WriteFile(text, []byte("id,text\n1,x\n"), 0o666)
	for name, c := range map[string]struct {
		path  string
		line  int64
		words []string
	}{
		"no zip":      {text, 0, []string{"no workbook", "CSV"}},
		"empty zip":   {zipped(t, nil), 0, []string{"no workbook"}},
		"bomb":        {zipped(t, map[string]int{"xl/worksheets/sheet1.xml": 513}), 0, []string{"512 MB", "CSV"}},
		"other bomb":  {zipped(t, map[string]int{"xl/styles.xml": 17}), 0, []string{"16 MB", "CSV"}},
		"empty sheet": {made(t), 1, []string{"the file is empty"}},
		"too wide":    {made(t, []any{"id", "text"}, []any{1, "x"}, []any{2, "y", "z"}), 3, []string{"3 columns, the header has 2"}},
		"repeated id": {made(t, []any{"id", "text"}, []any{1, "x"}, []any{1, "y"}), 3, []string{"line 2"}},
		"other sheet": {made(t, []any{"n"}, []any{1}), 1, []string{`no column "text"`, `the first of 2 sheets, "Sheet1"`}},
		"no name":     {made(t, []any{"id", "", "text"}, []any{1, "x", "y"}), 1, []string{"column 2 has no name"}},
	} {
		_, _, err := read(c.path, corpus.Options{})
		var e *corpus.InputError
		if !errors.As(err, &e) || e.Line != c.line || e.Remedy == "" || !strings.HasPrefix(err.Error(), filepath.Dir(c.path)) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, word := range c.words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: %v lacks %q", name, err, word)
			}
		}
	}
	if _, err := corpus.Open(text, corpus.Options{}); err == nil || !strings.Contains(err.Error(), "CSV") {
		t.Errorf("without a reader of workbooks: %v", err)
	}
}

// Damaged workbooks are refused, or read; nothing panics.
func FuzzWorkbook(f *testing.F) {
	whole, err := os.ReadFile(made(f, []any{"id", "text"}, []any{1, "x"}, []any{2, "y"}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(bytes.Replace(whole, []byte("sheet1"), []byte("sheet2"), 1))
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "c.xlsx")
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		_, _, err := read(path, corpus.Options{})
		var e *corpus.InputError
		if err != nil && (!errors.As(err, &e) || e.Remedy == "") {
			t.Fatal(err)
		}
	})
}

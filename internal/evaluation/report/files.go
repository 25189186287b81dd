package report

import (
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"

	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Files are the files that get a report, in addition to the terminal: a path, "-" for
// stdout, or "" for none.
type Files struct {
	JSON, CSV, Markdown, LaTeX string

	beside []written
}

// written is a file with the flag that names it.
type written struct{ flag, file string }

// Beside names a file that the command writes beside the reports, for Check. "" is none.
func (r *Files) Beside(flag, file string) *Files {
	r.beside = append(r.beside, written{flag, file})
	return r
}

// Check refuses two outputs in the same file, files that cannot be written, and those that are read. It is called before
// anything is computed.
func (r *Files) Check(inputs ...string) error {
	names := map[string]string{}
	for _, f := range append(slices.Clip(r.beside), written{"--json", r.JSON}, written{"--csv", r.CSV}, written{"--markdown", r.Markdown}, written{"--latex", r.LaTeX}) {
		if f.file == "" {
			continue
		}
		name := whole(f.file)
		if other, taken := names[name]; taken {
			return fault.Errorf(fault.Query, "%s and %s both write %s: give each a file of its own", other, f.flag, f.file)
		}
		names[name] = f.flag
		if err := file.CheckResult(f.file, inputs...); err != nil {
			return err
		}
		if err := file.CheckReplace(f.file); err != nil {
			return err
		}
	}
	return nil
}

// whole is the path of a file that may not exist yet, from the root and without links.
func whole(path string) string {
	if path == "-" {
		return path
	}
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// Write writes the files, and prints the tables on the terminal unless one of the files
// is stdout. figures is the content of the JSON file. If a file cannot be written, the others
// still get the figures, which may be the work of hours.
func (r *Files) Write(figures any, tables []Table, terminal io.Writer) error {
	shown := false
	var faults []error
	for _, f := range []struct {
		file  string
		write func(io.Writer) error
	}{
		{r.JSON, func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			return e.Encode(figures)
		}},
		{r.CSV, func(w io.Writer) error { return CSV(w, tables...) }},
		{r.Markdown, func(w io.Writer) error { return Markdown(w, tables...) }},
		{r.LaTeX, func(w io.Writer) error { return LaTeX(w, tables...) }},
	} {
		if f.file == "" {
			continue
		}
		faults = append(faults, file.Replace(f.file, f.write))
		n, stream := file.Stream(f.file)
		shown = shown || stream && n == 1
	}
	if !shown {
		faults = append(faults, file.Buffered(terminal, func(w io.Writer) error { return Text(w, tables...) }))
	}
	return errors.Join(faults...)
}

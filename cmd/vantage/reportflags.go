package main

import (
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/evaluation/report"
)

// reportFlags say where an evaluation's report is written beside the terminal.
type reportFlags struct{ json, csv, markdown, latex string }

func (r *reportFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&r.json, "json", "", "write the figures as JSON to `FILE` (-: stdout, in place of the tables)")
	f.StringVar(&r.csv, "csv", "", "write the tables' cells as CSV to `FILE` (-: stdout)")
	f.StringVar(&r.markdown, "markdown", "", "write the tables in Markdown to `FILE` (-: stdout)")
	f.StringVar(&r.latex, "latex", "", "write the tables in LaTeX to `FILE` (-: stdout)")
}

// check refuses two reports in one file before anything is computed.
func (r *reportFlags) check() error {
	names := map[string]string{}
	for _, f := range []struct{ flag, file string }{{"--json", r.json}, {"--csv", r.csv}, {"--markdown", r.markdown}, {"--latex", r.latex}} {
		if f.file == "" {
			continue
		}
		if other, taken := names[f.file]; taken {
			return usagef("%s and %s both write %s: give each a file of its own", other, f.flag, f.file)
		}
		names[f.file] = f.flag
	}
	return nil
}

// write writes the files that were asked for, and the tables to the terminal
// unless one of them went there. The figures are what --json writes.
func (r *reportFlags) write(figures any, tables []report.Table) error {
	shown := false
	for _, f := range []struct {
		file  string
		write func(io.Writer) error
	}{
		{r.json, func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			return e.Encode(figures)
		}},
		{r.csv, func(w io.Writer) error { return report.CSV(w, tables...) }},
		{r.markdown, func(w io.Writer) error { return report.Markdown(w, tables...) }},
		{r.latex, func(w io.Writer) error { return report.LaTeX(w, tables...) }},
	} {
		if f.file == "" {
			continue
		}
		if err := replaceFile(f.file, f.write); err != nil {
			return err
		}
		shown = shown || f.file == "-"
	}
	if shown {
		return nil
	}
	return printText(func(w io.Writer) error { return report.Text(w, tables...) })
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// inspecting is a call of `vantage inspect`.
type inspecting struct {
	where          string
	asJSON, verify bool
}

// description is what `vantage inspect --json` prints.
type description struct {
	Collection string          `json:"collection"` // folder or address
	Name       string          `json:"name,omitempty"`
	Generator  string          `json:"generator"`
	Version    int             `json:"version"` // of the format
	Documents  int             `json:"documents"`
	Rows       int             `json:"rows"`
	Dim        int             `json:"dim"`
	DType      string          `json:"dtype"`
	Model      manifest.Model  `json:"model"`
	QueryModel *manifest.Model `json:"query_model,omitempty"` // of the queries, where it is another
	Canaries   []string        `json:"canaries"`              // texts
	Files      []filesOf       `json:"files"`
	Bytes      int64           `json:"bytes"`  // of all files, uncompressed
	Stored     int64           `json:"stored"` // as they lie on the host
	Fields     []fieldCounts   `json:"fields"`
	Verified   bool            `json:"verified"`         // every file was checked
	Faults     []string        `json:"faults,omitempty"` // what the check found
}

// filesOf sums up the files of one kind.
type filesOf struct {
	Kind   string `json:"kind"`
	Files  int    `json:"files"`
	Bytes  int64  `json:"bytes"`
	Stored int64  `json:"stored"`
}

func newInspect() *cobra.Command {
	in := &inspecting{}
	cmd := &cobra.Command{
		Use:   "inspect DIR|URL",
		Short: "Tell what a collection holds, and check it",
		Long: `Tells what a collection (or the site that holds it) consists of: documents, model,
files, and the fields that can be filtered by with their values.

With --verify, every file is read, its length and hash compared with the
manifest, every vector and document decoded, and the encoder compared with the
vectors that the manifest records for its check texts. Each fault gets a line on
stderr, and the exit code is 3 where there is one.

A host at URL that sends nothing for 30 seconds is an error.`,
		Example: `  vantage inspect debates
  vantage inspect site --verify
  vantage inspect debates --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := oneArgument("DIR or URL")(cmd, args); err != nil {
				return err
			}
			in.where = args[0]
			return nil
		},
		ValidArgsFunction: folderArgument,
		RunE:              func(cmd *cobra.Command, _ []string) error { return in.run(cmd.Context()) },
	}
	cmd.Flags().BoolVar(&in.asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&in.verify, "verify", false, "read and check every file")
	return cmd
}

func (in *inspecting) run(ctx context.Context) error {
	st, place, err := openStore(ctx, in.where)
	if err != nil {
		return err
	}
	d := describe(place, st.Manifest())
	var faults []error
	if in.verify {
		show := newProgress()
		defer show.Stop()
		show.Least = progress.LineInterval
		if faults, err = verify(ctx, st, show); err != nil {
			return wrap(place, err)
		}
		show.End()
		d.Verified = true
	}
	if d.Fields, err = countFields(ctx, st); err != nil {
		if !in.verify {
			return wrap(place, err)
		}
		faults = append(faults, err)
	}
	faults = unique(faults)
	for _, fault := range faults {
		d.Faults = append(d.Faults, fault.Error())
	}
	if in.asJSON {
		err = printJSON(d)
	} else {
		err = printText(d.print)
	}
	if err != nil || len(faults) == 0 {
		return err
	}
	return fault.As(fault.Input, wrapAll(place, faults))
}

// unique leaves out faults that were found twice.
func unique(faults []error) (out []error) {
	seen := map[string]bool{}
	for _, fault := range faults {
		if !seen[fault.Error()] {
			seen[fault.Error()] = true
			out = append(out, fault)
		}
	}
	return out
}

// wrapAll puts a place before each of several errors, which makes a line of
// each.
func wrapAll(place string, errs []error) error {
	all := make([]error, len(errs))
	for i, err := range errs {
		all[i] = wrap(place, err)
	}
	return errors.Join(all...)
}

func describe(place string, m *manifest.Manifest) *description {
	d := &description{
		Collection: place, Name: m.Name, Generator: m.Generator, Version: m.Version,
		Documents: m.Documents, Rows: m.Rows, Dim: m.Dim, DType: m.DType, Model: m.Model, QueryModel: m.QueryModel, Canaries: []string{}, Fields: []fieldCounts{},
	}
	for _, c := range m.Canaries {
		d.Canaries = append(d.Canaries, c.Text)
	}
	var encoder, vectors, documents, columns, terms []manifest.File
	if e := m.Encoder; e != nil {
		encoder = []manifest.File{e.Tokenizer, e.Weights, e.Config}
	}
	for _, f := range m.Vectors {
		vectors = append(vectors, f.File)
	}
	for _, f := range m.Docs {
		documents = append(documents, f.File)
	}
	if m.Columns != nil {
		columns = []manifest.File{m.Columns.File}
	}
	if m.Terms != nil {
		terms = append(terms, m.Terms.Lengths)
		for _, f := range m.Terms.Files {
			terms = append(terms, f.File)
		}
	}
	for _, group := range []struct {
		kind  string
		files []manifest.File
	}{{"encoder", encoder}, {"vectors", vectors}, {"documents", documents}, {"columns", columns}, {"terms", terms}} {
		sum := filesOf{Kind: group.kind, Files: len(group.files)}
		for _, f := range group.files {
			sum.Bytes += f.Bytes
			sum.Stored += f.Stored
		}
		d.Files = append(d.Files, sum)
		d.Bytes += sum.Bytes
		d.Stored += sum.Stored
	}
	return d
}

func (d *description) print(w io.Writer) error {
	line := func(label, format string, args ...any) {
		fmt.Fprintf(w, "%-11s %s\n", label, oneLine(fmt.Sprintf(format, args...)))
	}
	line("collection", "%s", d.Collection)
	if d.Name != "" {
		line("name", "%s", d.Name)
	}
	line("made by", "%s, format %d", d.Generator, d.Version)
	line("documents", "%d", d.Documents)
	line("vectors", "%d × %d %s", d.Rows, d.Dim, d.DType)
	line("model", "%s@%s, %s, %s", d.Model.ID, d.Model.Revision, d.Model.Kind, languageOf(d.Model.Language))
	line("encoding", "%s", encodingOf(d.Model))
	if q := d.QueryModel; q != nil {
		line("queries", "%s@%s, %s", q.ID, q.Revision, encodingOf(*q))
	}
	for _, f := range d.Files {
		line("files", "%s: %d, %s (%s unpacked)", f.Kind, f.Files, bytesText(f.Stored), bytesText(f.Bytes))
	}
	line("in all", "%s (%s unpacked)", bytesText(d.Stored), bytesText(d.Bytes))
	for _, text := range d.Canaries {
		line("check text", "%s", cut(oneLine(text), 100))
	}
	for _, f := range d.Fields {
		line("field", "%s: %s", f.Name, f.text())
	}
	if d.Verified {
		state := "every file is as it should be"
		if len(d.Faults) > 0 {
			state = count(len(d.Faults), "fault")
		}
		line("verified", "%s", state)
	}
	return nil
}

// encodingOf tells how a model makes vectors, as far as the manifest knows.
func encodingOf(m manifest.Model) string {
	var parts []string
	if m.Architecture != "" {
		parts = append(parts, m.Architecture)
	}
	if m.Pooling != "" {
		parts = append(parts, m.Pooling+" pooling")
	}
	if m.Normalize {
		parts = append(parts, "normalised")
	}
	if m.MaxLength > 0 {
		parts = append(parts, fmt.Sprintf("at most %d tokens", m.MaxLength))
	}
	if m.Int8 {
		parts = append(parts, "weights of 8 bits")
	}
	if m.BF16 {
		parts = append(parts, "computed in bfloat16")
	}
	for _, role := range slices.Sorted(maps.Keys(m.Prompts)) {
		parts = append(parts, fmt.Sprintf("%s prompt %q", role, m.Prompts[role]))
	}
	if len(parts) == 0 {
		return "not known"
	}
	return strings.Join(parts, ", ")
}

// text tells a field's values in a line.
func (f *fieldCounts) text() string {
	switch f.Type {
	case manifest.TypeNumber:
		if f.Documents == 0 {
			return "number, without values"
		}
		return fmt.Sprintf("number, %s, from %v to %v", count(f.Documents, "document"), *f.Low, *f.High)
	case manifest.TypeBool:
		return fmt.Sprintf("bool, %s, %s", count(f.Documents, "document"), f.most())
	}
	return fmt.Sprintf("string, %s, %s: %s", count(f.Documents, "document"), count(len(f.Values), "value"), f.most())
}

// most names the most frequent values.
func (f *fieldCounts) most() string {
	const named = 6
	var parts []string
	for i, v := range f.Values {
		if i == named {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, fmt.Sprintf("%s (%d)", cut(oneLine(v.Value), 40), v.Documents))
	}
	return strings.Join(parts, ", ")
}

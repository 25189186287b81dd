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

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/open"
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
	Collection string `json:"collection"` // folder or address
	vantage.Description
	Fields   []vantage.Field `json:"fields"`
	Verified bool            `json:"verified"`         // every file was checked
	Faults   []string        `json:"faults,omitempty"` // what the check found
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
	show := told().Progress()
	defer show.Stop()
	show.Least = progress.LineInterval
	c, err := open.Collection(ctx, in.where, vantage.OpenOptions{Lazy: true, Progress: show.Update})
	if err != nil {
		return err
	}
	defer c.Close()
	place := c.Place()
	d := &description{Collection: place, Description: *c.Describe()}
	var faults []error
	if in.verify {
		if faults, err = c.Verify(ctx); err != nil {
			return err
		}
		show.End()
		d.Verified = true
	}
	if d.Fields, err = c.Fields(ctx); err != nil {
		if !in.verify {
			return fault.At(place, err)
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
		all[i] = fault.At(place, err)
	}
	return errors.Join(all...)
}

func (d *description) print(w io.Writer) error {
	line := func(label, format string, args ...any) {
		fmt.Fprintf(w, "%-11s %s\n", label, human.OneLine(fmt.Sprintf(format, args...)))
	}
	line("collection", "%s", d.Collection)
	if d.Name != "" {
		line("name", "%s", d.Name)
	}
	line("made by", "%s, format %d", d.Generator, d.Version)
	line("documents", "%d", d.Documents)
	line("vectors", "%d × %d %s", d.Rows, d.Dim, d.DType)
	line("model", "%s@%s, %s, %s", d.Model.ID, d.Model.Revision, d.Model.Kind, manifest.LanguageText(d.Model.Language))
	line("encoding", "%s", encodingOf(d.Model))
	if q := d.QueryModel; q != nil {
		line("queries", "%s@%s, %s", q.ID, q.Revision, encodingOf(*q))
	}
	for _, f := range d.Files {
		line("files", "%s: %d, %s (%s unpacked)", f.Kind, f.Files, human.Bytes(f.Stored), human.Bytes(f.Bytes))
	}
	line("in all", "%s (%s unpacked)", human.Bytes(d.Stored), human.Bytes(d.Bytes))
	for _, text := range d.Canaries {
		line("check text", "%s", human.Cut(human.OneLine(text), 100))
	}
	for _, f := range d.Fields {
		line("field", "%s: %s", f.Name, fieldText(&f))
	}
	if d.Verified {
		state := "every file is as it should be"
		if len(d.Faults) > 0 {
			state = human.Count(len(d.Faults), "fault")
		}
		line("verified", "%s", state)
	}
	return nil
}

// encodingOf tells how a model makes vectors, as far as the manifest knows.
func encodingOf(m vantage.Model) string {
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

// fieldText tells a field's values in a line.
func fieldText(f *vantage.Field) string {
	switch f.Type {
	case manifest.TypeNumber:
		if f.Documents == 0 {
			return "number, without values"
		}
		return fmt.Sprintf("number, %s, from %v to %v", human.Count(f.Documents, "document"), *f.Low, *f.High)
	case manifest.TypeBool:
		return fmt.Sprintf("bool, %s, %s", human.Count(f.Documents, "document"), mostFrequent(f))
	}
	return fmt.Sprintf("string, %s, %s: %s", human.Count(f.Documents, "document"), human.Count(len(f.Values), "value"), mostFrequent(f))
}

// mostFrequent names the most frequent values.
func mostFrequent(f *vantage.Field) string {
	const named = 6
	var parts []string
	for i, v := range f.Values {
		if i == named {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, fmt.Sprintf("%s (%d)", human.Cut(human.OneLine(v.Value), 40), v.Documents))
	}
	return strings.Join(parts, ", ")
}

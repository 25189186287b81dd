package inspect

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/human"
)

// Print prints the report for people, a line for each thing.
func (r *Report) Print(w io.Writer) error {
	line := func(label, format string, args ...any) {
		fmt.Fprintf(w, "%-11s %s\n", label, human.OneLine(fmt.Sprintf(format, args...)))
	}
	line("collection", "%s", r.Collection)
	if r.Name != "" {
		line("name", "%s", r.Name)
	}
	line("made by", "%s, format %d", r.Generator, r.Version)
	line("documents", "%d", r.Documents)
	line("vectors", "%d × %d %s", r.Rows, r.Dim, r.DType)
	if r.Score == manifest.ScoreDot {
		line("score", "dot product")
	}
	if r.AngleDim > 0 {
		line("angles", "%d × %d %s", r.Rows, r.AngleDim, r.DType)
	}
	if r.TokenBits > 0 {
		line("tokens", "%d vectors × %d of %d bits, %d centroids, compared by MaxSim", r.Tokens, r.Dim, r.TokenBits, r.Centroids)
	}
	line("model", "%s@%s, %s, %s", r.Model.ID, r.Model.Revision, r.Model.Kind, manifest.LanguageText(r.Model.Language))
	line("encoding", "%s", encodingOf(r.Model))
	if p := r.Pack; p != nil {
		line("pack", "%s", packText(p))
	}
	if q := r.QueryModel; q != nil {
		line("queries", "%s@%s, %s", q.ID, q.Revision, encodingOf(*q))
	}
	for _, f := range r.Files {
		line("files", "%s: %d, %s (%s unpacked)", f.Kind, f.Files, human.Bytes(f.Stored), human.Bytes(f.Bytes))
	}
	line("in all", "%s (%s unpacked)", human.Bytes(r.Stored), human.Bytes(r.Bytes))
	for _, text := range r.Canaries {
		line("check text", "%s", human.Cut(human.OneLine(text), 100))
	}
	for _, f := range r.Fields {
		line("field", "%s: %s", f.Name, fieldText(&f))
	}
	if r.Verified {
		state := "every file is as it should be"
		if len(r.Faults) > 0 {
			state = human.Count(len(r.Faults), "fault")
		}
		line("verified", "%s", state)
	}
	return nil
}

// encodingOf describes how a model makes vectors, as far as the manifest says.
func encodingOf(m vantage.Model) string {
	var parts []string
	if m.Architecture != "" && m.Architecture != manifest.Unstated {
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

// packText describes a pack, and what loading it takes.
func packText(p *vantage.Pack) string {
	text := fmt.Sprintf("of %s, %s, %d layers, %d pieces: %s, %s in memory", p.Source, cmp.Or(p.License, "licence not stated"), p.Layers, p.Vocabulary,
		human.Bytes(p.Bytes), human.Bytes(p.Memory))
	if p.AngleBytes > 0 {
		text += fmt.Sprintf("; its branch %s, %s in memory", human.Bytes(p.AngleBytes), human.Bytes(p.AngleMemory))
	}
	return text
}

// fieldText describes a field's values in a line.
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

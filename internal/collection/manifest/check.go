package manifest

import (
	"fmt"
	"math"
	"strings"
)

// check refuses a manifest whose parts contradict each other.
func (m *Manifest) check() error {
	switch {
	case m.Format != Format:
		return ErrNotCollection
	case m.Version < 1 || m.Version > Version:
		return invalid("version", "%d, known are 1 to %d", m.Version, Version)
	case m.Documents < 0 || m.Documents > MaxRows:
		return invalid("documents", "%d, must be 0 to %d", m.Documents, MaxRows)
	case m.Rows != m.Documents:
		return invalid("rows", "%d rows for %d documents, must be equal", m.Rows, m.Documents)
	case m.Dim < 1 || m.Dim > MaxDim:
		return invalid("dim", "%d, must be 1 to %d", m.Dim, MaxDim)
	case elementBytes(m.DType) == 0:
		return invalid("dtype", `%q, must be "I8", "F16" or "F32"`, m.DType)
	case m.Score != "" && m.Score != ScoreCosine && m.Score != ScoreDot && m.Score != ScoreMaxSim:
		return invalid("score", "%.64q, must be %q, %q or %q: upgrade if the collection is newer than this program", m.Score, ScoreCosine, ScoreDot, ScoreMaxSim)
	case len(m.Generator) > MaxNameBytes:
		return invalid("generator", "longer than %d bytes", MaxNameBytes)
	case len(m.Name) > MaxNameBytes:
		return invalid("name", "longer than %d bytes", MaxNameBytes)
	case !(m.Close >= 0 && m.Close <= 1):
		return invalid("close", "%g, must be between 0 and 1", m.Close)
	}
	if err := m.checkAuto(); err != nil {
		return err
	}
	if err := m.checkModel("model", &m.Model); err != nil {
		return err
	}
	if err := m.checkCanaries("canaries", m.Canaries); err != nil {
		return err
	}
	if err := m.checkQueries(); err != nil {
		return err
	}
	files := fileSet{}
	if err := m.checkEncoder(files); err != nil {
		return err
	}
	if err := m.checkRows("vectors", m.Vectors, m.Dim, files); err != nil {
		return err
	}
	if err := m.checkAngles(files); err != nil {
		return err
	}
	if err := m.checkTokens(files); err != nil {
		return err
	}
	if err := m.checkDocs(files); err != nil {
		return err
	}
	if err := m.checkColumns(files); err != nil {
		return err
	}
	if err := m.checkTerms(files); err != nil {
		return err
	}
	return m.checkMemory(files)
}

// checkAuto leaves the words of the lines to the engine, which names a bad one.
func (m *Manifest) checkAuto() error {
	a := m.Auto
	switch {
	case a == nil:
		return nil
	case len(a.Table) < 1 || len(a.Table) > MaxAutoLines:
		return invalid("auto.table", "%d lines, must be 1 to %d", len(a.Table), MaxAutoLines)
	case a.ChosenOn < 0 || a.ChosenOn > MaxRows:
		return invalid("auto.chosen_on", "%d, must be 0 to %d", a.ChosenOn, MaxRows)
	case a.MeasuredOn < 0 || a.MeasuredOn > MaxRows:
		return invalid("auto.measured_on", "%d, must be 0 to %d", a.MeasuredOn, MaxRows)
	case !(a.Before >= 0 && a.Before <= 1):
		return invalid("auto.before", "%g, must be between 0 and 1", a.Before)
	case !(a.After >= 0 && a.After <= 1):
		return invalid("auto.after", "%g, must be between 0 and 1", a.After)
	}
	for i, line := range a.Table {
		if line == "" || len(line) > MaxAutoLine {
			return invalid(fmt.Sprintf("auto.table[%d]", i), "must have 1 to %d bytes", MaxAutoLine)
		}
	}
	return nil
}

func elementBytes(dtype string) int64 {
	switch dtype {
	case "I8":
		return 1
	case "F16":
		return 2
	case "F32":
		return 4
	}
	return 0
}

func (m *Manifest) checkModel(field string, model *Model) error {
	switch {
	case model.ID == "" || len(model.ID) > MaxNameBytes:
		return invalid(field+".id", "must have 1 to %d bytes", MaxNameBytes)
	case len(model.Revision) > MaxNameBytes:
		return invalid(field+".revision", "longer than %d bytes", MaxNameBytes)
	case len(model.Architecture) > MaxNameBytes:
		return invalid(field+".architecture", "longer than %d bytes", MaxNameBytes)
	case model.Kind != KindStatic && model.Kind != KindPack && model.Kind != KindExternal:
		return invalid(field+".kind", "%q, must be %q, %q or %q", model.Kind, KindStatic, KindPack, KindExternal)
	case model.Dim != m.Dim:
		return invalid(field+".dim", "%d, the collection's rows have %d", model.Dim, m.Dim)
	case model.MaxLength < 0:
		return invalid(field+".max_length", "%d is negative", model.MaxLength)
	}
	return nil
}

func (m *Manifest) checkQueries() error {
	if m.QueryModel == nil {
		if len(m.QueryCanaries) > 0 {
			return invalid("query_canaries", "without a query_model")
		}
		return nil
	}
	if m.Encoder != nil {
		return invalid("query_model", "beside the encoder that the collection carries")
	}
	if m.QueryModel.Kind == KindPack {
		return invalid("query_model.kind", "%q, but the collection carries no pack", KindPack)
	}
	if err := m.checkModel("query_model", m.QueryModel); err != nil {
		return err
	}
	return m.checkCanaries("query_canaries", m.QueryCanaries)
}

func (m *Manifest) checkCanaries(list string, canaries []Canary) error {
	if len(canaries) > MaxCanaries {
		return invalid(list, "%d of them, at most %d", len(canaries), MaxCanaries)
	}
	for i, c := range canaries {
		field := fmt.Sprintf("%s[%d]", list, i)
		if c.Text == "" || len(c.Text) > MaxCanaryBytes {
			return invalid(field+".text", "must have 1 to %d bytes", MaxCanaryBytes)
		}
		if len(c.Vector) != m.Dim {
			return invalid(field+".vector", "%d numbers, the collection's rows have %d", len(c.Vector), m.Dim)
		}
		for j, v := range c.Vector {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				return invalid(field+".vector", "element %d is not finite", j)
			}
		}
	}
	return nil
}

// checkRows checks a list of files that hold the vectors of all rows.
func (m *Manifest) checkRows(list string, rows []RowFile, dim int, files fileSet) error {
	next := 0
	for i, v := range rows {
		field := fmt.Sprintf("%s[%d]", list, i)
		if err := files.add(field, v.File); err != nil {
			return err
		}
		if v.FirstRow != next {
			return invalid(field+".first_row", "%d, must be %d: the files follow each other without gaps", v.FirstRow, next)
		}
		if v.Rows < 1 || v.Rows > m.Rows-next {
			return invalid(field+".rows", "%d, must be 1 to the %d that are left of %d", v.Rows, m.Rows-next, m.Rows)
		}
		if least := int64(v.Rows) * int64(dim) * elementBytes(m.DType); v.Bytes < least {
			return invalid(field+".bytes", "%d, but %d rows of %d %s take at least %d", v.Bytes, v.Rows, dim, m.DType, least)
		}
		next += v.Rows
	}
	if next != m.Rows {
		return invalid(list, "%d rows in all, the collection has %d", next, m.Rows)
	}
	return nil
}

func (m *Manifest) checkDocs(files fileSet) error {
	next := 0
	for i, d := range m.Docs {
		field := fmt.Sprintf("docs[%d]", i)
		if err := files.add(field, d.File); err != nil {
			return err
		}
		if d.First != next {
			return invalid(field+".first", "%d, must be %d: the files follow each other without gaps", d.First, next)
		}
		if d.Count < 1 || d.Count > MaxBlock || d.Count > m.Documents-next {
			return invalid(field+".count", "%d, must be 1 to the %d that are left of %d, and at most %d", d.Count, m.Documents-next, m.Documents, MaxBlock)
		}
		next += d.Count
	}
	if next != m.Documents {
		return invalid("docs", "%d documents in all, the collection has %d", next, m.Documents)
	}
	return nil
}

func (m *Manifest) checkColumns(files fileSet) error {
	if m.Columns == nil {
		return nil
	}
	if err := files.add("columns.file", m.Columns.File); err != nil {
		return err
	}
	if len(m.Columns.Fields) > MaxFields {
		return invalid("columns.fields", "%d of them, at most %d", len(m.Columns.Fields), MaxFields)
	}
	names, tensors := map[string]bool{}, map[string]bool{}
	for i, f := range m.Columns.Fields {
		field := fmt.Sprintf("columns.fields[%d]", i)
		least := int64(m.Rows) * 8
		switch {
		case f.Name == "" || len(f.Name) > MaxNameBytes || names[f.Name]:
			return invalid(field+".name", "must have 1 to %d bytes and occur once", MaxNameBytes)
		case f.Tensor == "" || len(f.Tensor) > MaxNameBytes || tensors[f.Tensor]:
			return invalid(field+".tensor", "must have 1 to %d bytes and occur once", MaxNameBytes)
		case f.Type == TypeString:
			if len(f.Values) > MaxDictionary {
				return invalid(field+".values", "%d values, at most %d", len(f.Values), MaxDictionary)
			}
			seen := make(map[string]bool, len(f.Values))
			for _, v := range f.Values {
				if seen[v] {
					return invalid(field+".values", "%.40q occurs twice", v)
				}
				seen[v] = true
			}
			least = int64(m.Rows) * 4
		case f.Type != TypeNumber && f.Type != TypeBool:
			return invalid(field+".type", "%q, must be %q, %q or %q", f.Type, TypeString, TypeNumber, TypeBool)
		case len(f.Values) > 0:
			return invalid(field+".values", "only a string field has a dictionary")
		}
		if m.Columns.File.Bytes < least {
			return invalid("columns.file.bytes", "%d, but a column of %d rows takes at least %d", m.Columns.File.Bytes, m.Rows, least)
		}
		names[f.Name], tensors[f.Tensor] = true, true
	}
	return nil
}

func (m *Manifest) checkTerms(files fileSet) error {
	if m.Terms == nil {
		return nil
	}
	if err := files.add("terms.lengths", m.Terms.Lengths); err != nil {
		return err
	}
	if m.Terms.Lengths.Bytes < int64(m.Documents) {
		return invalid("terms.lengths.bytes", "%d, but %d documents take at least a byte each", m.Terms.Lengths.Bytes, m.Documents)
	}
	if len(m.Terms.Files) > MaxTermFiles {
		return invalid("terms.files", "%d of them, at most %d", len(m.Terms.Files), MaxTermFiles)
	}
	before := ""
	for i, t := range m.Terms.Files {
		field := fmt.Sprintf("terms.files[%d]", i)
		if err := files.add(field, t.File); err != nil {
			return err
		}
		if t.First <= before || len(t.First) > MaxTermBytes {
			return invalid(field+".first", "%.200q, must have 1 to %d bytes and come after %q", t.First, MaxTermBytes, before)
		}
		if t.Last < t.First || len(t.Last) > MaxTermBytes {
			return invalid(field+".last", "%.200q, must have at most %d bytes and not come before %q", t.Last, MaxTermBytes, t.First)
		}
		before = t.Last
	}
	return nil
}

// fileSet holds the files seen so far by path. A path may be named twice only with the
// same content.
type fileSet map[string]File

func (s fileSet) add(field string, f File) error {
	if err := CheckPath(f.Path); err != nil {
		return invalid(field+".path", "%s", err)
	}
	if len(f.SHA256) != 64 || strings.Trim(f.SHA256, "0123456789abcdef") != "" {
		return invalid(field+".sha256", "%.80q is not 64 lower-case hexadecimal digits", f.SHA256)
	}
	if f.Bytes < 0 || f.Bytes > MaxFileBytes {
		return invalid(field+".bytes", "%d, must be 0 to %d", f.Bytes, int64(MaxFileBytes))
	}
	if f.Stored < 0 || f.Stored > MaxFileBytes {
		return invalid(field+".stored", "%d, must be 0 to %d", f.Stored, int64(MaxFileBytes))
	}
	if err := checkExpansion(field, f); err != nil {
		return err
	}
	if old, ok := s[f.Path]; ok && old != f {
		return invalid(field+".path", "%q is named twice with different content", f.Path)
	}
	s[f.Path] = f
	return nil
}

// CheckPath refuses a path that could lead out of the collection's folder, be hidden in
// it, or have another meaning in a URL than on a disk ("%2e%2e", "?", "//host", "C:"):
// it must be segments of [A-Za-z0-9._-] that do not begin with a dot.
func CheckPath(path string) error {
	if path == "" || len(path) > MaxPathBytes {
		return fmt.Errorf("must have 1 to %d bytes", MaxPathBytes)
	}
	if path == FileName {
		return fmt.Errorf("%q is the manifest itself", path)
	}
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "" || segment[0] == '.' {
			return fmt.Errorf("%.80q has an empty segment or one that begins with a dot", path)
		}
		for i := 0; i < len(segment); i++ {
			c := segment[i]
			if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-') {
				return fmt.Errorf("%.80q has the character %q, allowed are letters, digits, '.', '_' and '-'", path, c)
			}
		}
	}
	return nil
}

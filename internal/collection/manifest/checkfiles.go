package manifest

import (
	"fmt"
	"strings"
)

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

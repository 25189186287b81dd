package manifest

import (
	"bytes"
	"encoding/json"

	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// Files lists every file that the manifest names, encoder and reader first, then vectors, angles, token vectors, columns, terms and documents.
func (m *Manifest) Files() []File {
	var files []File
	if m.Encoder != nil {
		files = append(files, m.Encoder.All()...)
	}
	if m.Reader != nil {
		files = append(files, m.Reader.All()...)
	}
	for _, v := range m.Vectors {
		files = append(files, v.File)
	}
	if m.Angles != nil {
		for _, v := range m.Angles.Files {
			files = append(files, v.File)
		}
	}
	files = append(files, m.Tokens.All()...)
	if m.Columns != nil {
		files = append(files, m.Columns.File)
	}
	if m.Terms != nil {
		files = append(files, m.Terms.Lengths)
		for _, t := range m.Terms.Files {
			files = append(files, t.File)
		}
	}
	for _, d := range m.Docs {
		files = append(files, d.File)
	}
	return files
}

// Marshal checks the manifest and writes it as indented JSON. Numbers have the fewest
// digits that read back as the same value. The same manifest always gives the same
// bytes.
func (m *Manifest) Marshal() ([]byte, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	out := *m
	// A browser iterates over these lists, so none may be null.
	out.Canaries, out.Vectors, out.Docs = notNil(m.Canaries), notNil(m.Vectors), notNil(m.Docs)
	if m.Angles != nil {
		out.Angles = &Angles{Dim: m.Angles.Dim, DType: m.Angles.DType, Files: notNil(m.Angles.Files)}
	}
	if m.Tokens != nil {
		tokens := *m.Tokens
		tokens.Files = notNil(tokens.Files)
		out.Tokens = &tokens
	}
	if m.Columns != nil {
		out.Columns = &Columns{File: m.Columns.File, Fields: notNil(m.Columns.Fields)}
	}
	if m.Terms != nil {
		out.Terms = &Terms{Lengths: m.Terms.Lengths, Files: notNil(m.Terms.Files)}
	}
	if err := e.Encode(&out); err != nil {
		return nil, &InvalidError{Field: "manifest", Problem: err.Error()}
	}
	if b.Len() > MaxBytes {
		return nil, &InvalidError{Field: "manifest", Problem: tooLarge(int64(b.Len()))}
	}
	if err := jsonlite.Check(b.Bytes()); err != nil {
		return nil, &InvalidError{Field: "manifest", Problem: err.Error()}
	}
	return b.Bytes(), nil
}

func notNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

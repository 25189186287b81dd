package vantage

import (
	"cmp"
	"context"
	"slices"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/pack"
)

// Description is what the manifest says about a collection. Its JSON is part of what
// `vantage inspect --json` prints.
type Description struct {
	Name       string     `json:"name,omitempty"` // for people
	Generator  string     `json:"generator"`      // program and version that wrote it
	Version    int        `json:"version"`        // of the format
	Documents  int        `json:"documents"`
	Rows       int        `json:"rows"`                  // vectors: one for each document
	Dim        int        `json:"dim"`                   // components of a vector
	DType      string     `json:"dtype"`                 // of the stored vectors: "I8", "F16" or "F32"
	Score      string     `json:"score"`                 // how queries and documents are compared unless a query says otherwise: "cosine", "dot" or "maxsim"
	Model      Model      `json:"model"`                 // that made the vectors
	QueryModel *Model     `json:"query_model,omitempty"` // of the queries, if it is another
	AngleDim   int        `json:"angle_dim,omitempty"`   // components of a document's angle; 0: there are no angles
	TokenBits  int        `json:"token_bits,omitempty"`  // of a component of a token's vector as stored; 0: documents have one vector each
	Centroids  int        `json:"centroids,omitempty"`   // by which the vectors of tokens are stored
	Tokens     int64      `json:"tokens,omitempty"`      // vectors of tokens
	Canaries   []string   `json:"canaries"`              // texts that check whether an encoder is the right one
	Files      []FileKind `json:"files"`                 // of the encoder, the reader of queries if there is one, vectors, angles and tokens if there are any, documents, columns and terms
	Bytes      int64      `json:"bytes"`                 // of all files, uncompressed
	Stored     int64      `json:"stored"`                // bytes as stored on the host
}

// FileKind sums up a collection's files of one kind.
type FileKind struct {
	Kind   string `json:"kind"` // "encoder", "reader", "vectors", "angles", "tokens", "documents", "columns" or "terms"
	Files  int    `json:"files"`
	Bytes  int64  `json:"bytes"`  // uncompressed
	Stored int64  `json:"stored"` // bytes as stored on the host
}

// CarriesEncoder reports whether the collection has an encoder for its queries. If it is a pack,
// Go code runs it only in programs that import package packs or sides.
func (d *Description) CarriesEncoder() bool { return d.count("encoder") > 0 }

// Queries describes the model that encodes queries: QueryModel or, if there is none, Model.
func (d *Description) Queries() Model {
	if d.QueryModel != nil {
		return *d.QueryModel
	}
	return d.Model
}

// HasWords reports whether the collection can be searched by words.
func (d *Description) HasWords() bool { return d.count("terms") > 0 }

func (d *Description) count(kind string) int {
	for _, f := range d.Files {
		if f.Kind == kind {
			return f.Files
		}
	}
	return 0
}

// Pack is what the pack in a collection says about itself: see package packs.
type Pack struct {
	ID          string `json:"id"`
	Revision    string `json:"revision"`
	Source      string `json:"source"`            // model that was packed, as ID@REVISION
	License     string `json:"license,omitempty"` // an SPDX identifier; "": not stated
	Vocabulary  int    `json:"vocabulary"`        // pieces
	Layers      int    `json:"layers"`
	Bytes       int64  `json:"bytes"`                  // of the files that every query needs, without pack.json
	AngleBytes  int64  `json:"angle_bytes,omitempty"`  // of the files that angles need in addition; 0: it has no branch
	Memory      int64  `json:"memory"`                 // bytes of memory that the files of Bytes take
	AngleMemory int64  `json:"angle_memory,omitempty"` // bytes of memory that the files of AngleBytes take
}

// Field is a metadata field that a Filter may name.
type Field struct {
	Name      string `json:"name"`
	Type      string `json:"type"`      // "string", "number" or "bool"
	Documents int    `json:"documents"` // that have a value
	// Values are those of strings and bools, the most frequent first, each with the number
	// of documents that have it.
	Values []struct {
		Value     string `json:"value"`
		Documents int    `json:"documents"`
	} `json:"values,omitempty"`
	Low  *float64 `json:"low,omitempty"`  // the least number
	High *float64 `json:"high,omitempty"` // the greatest number
}

// Describe returns what the manifest says about the collection. The caller may change
// the result.
func (c *Collection) Describe() *Description { return describe(c.store.Manifest()) }

// Fields returns the fields that filters can use. It reads the collection's columns.
// Errors are of kind ErrIntegrity, ErrInput or ErrUnavailable, or those of the
// context, the file system and the network.
func (c *Collection) Fields(ctx context.Context) ([]Field, error) {
	counts, err := search.CountFields(ctx, c.store)
	fields := make([]Field, len(counts))
	for i, f := range counts {
		fields[i] = Field{Name: f.Name, Type: f.Type, Documents: f.Documents, Low: f.Low, High: f.High}
		for _, v := range f.Values {
			fields[i].Values = append(fields[i].Values, v)
		}
	}
	return fields, ended(ctx, err)
}

// Pack reads what the collection's pack says about itself. It is nil if the collection
// carries no pack. Errors are of kind ErrIntegrity, ErrInput, ErrLimit, ErrVersion or
// ErrUnavailable, or those of the context, the file system and the network.
func (c *Collection) Pack(ctx context.Context) (*Pack, error) {
	p, err := c.search.Pack(ctx)
	if p == nil || err != nil {
		return nil, ended(ctx, err)
	}
	out := &Pack{ID: p.ID, Revision: p.Revision, Source: p.Source.ID + "@" + p.Source.Revision, License: p.License, Vocabulary: p.Config.Vocabulary, Layers: p.Config.Layers}
	for i := range p.Sections {
		s := &p.Sections[i]
		bytes, memory := &out.Bytes, &out.Memory
		if s.Name == pack.BranchSection {
			bytes, memory = &out.AngleBytes, &out.AngleMemory
		}
		*bytes += s.Bytes()
		*memory += p.Memory(s.Name)
	}
	return out, nil
}

func describe(m *manifest.Manifest) *Description {
	d := &Description{
		Name: m.Name, Generator: m.Generator, Version: m.Version,
		Documents: m.Documents, Rows: m.Rows, Dim: m.Dim, DType: m.DType, Score: cmp.Or(m.Score, manifest.ScoreCosine), Model: modelOf(m.Model), Canaries: []string{},
	}
	if m.QueryModel != nil {
		q := modelOf(*m.QueryModel)
		d.QueryModel = &q
	}
	for _, c := range m.Canaries {
		d.Canaries = append(d.Canaries, c.Text)
	}
	var encoder, vectors, documents, columns, terms []manifest.File
	if e := m.Encoder; e != nil {
		encoder = e.All()
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
	type group struct {
		kind  string
		files []manifest.File
	}
	groups := []group{{"encoder", encoder}, {"vectors", vectors}, {"documents", documents}, {"columns", columns}, {"terms", terms}}
	if a := m.Angles; a != nil {
		d.AngleDim = a.Dim
		var angles []manifest.File
		for _, f := range a.Files {
			angles = append(angles, f.File)
		}
		groups = slices.Insert(groups, 2, group{"angles", angles})
	}
	if t := m.Tokens; t != nil {
		d.TokenBits, d.Centroids, d.Tokens = t.Bits, t.Centroids, t.Vectors()
		groups = slices.Insert(groups, 2, group{"tokens", t.All()})
	}
	if m.Reader != nil {
		groups = slices.Insert(groups, 1, group{"reader", m.Reader.All()})
	}
	for _, group := range groups {
		sum := FileKind{Kind: group.kind, Files: len(group.files)}
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

package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

var hash = strings.Repeat("0123456789abcdef", 4)

func file(path string, size int64) File {
	return File{Path: path, SHA256: hash, Bytes: size, Stored: size}
}

func valid() *Manifest {
	return &Manifest{
		Format: Format, Version: Version, Generator: "vantage test", Name: "Übung <1>", Documents: 5, Rows: 5, Dim: 3, DType: "I8", Close: 0.25,
		Auto:     &Auto{Table: []string{"none none hybrid 1", "stance contrast 0.2"}, ChosenOn: 30, MeasuredOn: 29, Before: 0.5, After: 0.75},
		Model:    Model{ID: "m", Revision: "r", Kind: KindStatic, Dim: 3, Pooling: "mean", Normalize: true, MaxLength: 512, Prompts: map[string]string{"Query": "q: ", "query": "Q: "}},
		Encoder:  &Encoder{Tokenizer: file("encoder/a.bin", 1), Weights: file("encoder/b.bin", 2), Config: file("encoder/c.bin", 3)},
		Canaries: []Canary{{Text: "t", Vector: []float32{0.1, -0, math.SmallestNonzeroFloat32}}},
		Vectors:  []RowFile{{file("vectors/a.safetensors", 9), 0, 3}, {file("vectors/b.safetensors", 6), 3, 2}},
		Docs:     []DocFile{{file("docs/a.bin", 10), 0, 4}, {file("docs/b.bin", 10), 4, 1}},
		Columns:  &Columns{File: file("columns/a.bin", 200), Fields: []Field{{Name: "year", Type: TypeNumber, Tensor: "y"}, {Name: "c", Type: TypeString, Tensor: "c", Values: []string{"", "x"}}}},
		Terms:    &Terms{Lengths: file("terms/a.bin", 10), Files: []TermFile{{file("terms/b.bin", 20), "a", "l"}, {file("terms/c.bin", 20), "m", "m"}, {file("terms/d.bin", 20), "\uffff", "\U00010000"}}},
	}
}

// packed is valid with a pack and angles in place of a static encoder.
func packed() *Manifest {
	m := valid()
	m.Model.Kind, m.Model.Architecture = KindPack, "bert"
	m.Encoder = &Encoder{PackFiles: PackFiles{Pack: file("encoder/a.json", 100), Files: []File{file("encoder/data/a.txt", 50), file("encoder/data/b.bin", MaxPackFileBytes), file("encoder/data/c.bin", 7)}}}
	m.Angles = &Angles{Dim: 2, DType: "I8", Files: []RowFile{{file("angles/a.safetensors", 8), 0, 4}, {file("angles/b.safetensors", 2), 4, 1}}}
	return m
}

// read is valid with a pack that reads queries for the static encoder.
func read() *Manifest {
	m := valid()
	m.Reader = &PackFiles{Pack: file("encoder/d.json", 100), Files: []File{file("encoder/data/d.txt", 50), file("encoder/data/e.bin", MaxPackFileBytes)}}
	return m
}

// late is valid with vectors of tokens.
func late() *Manifest {
	m := valid()
	m.Score = ScoreMaxSim
	m.Tokens = &Tokens{Bits: 4, Centroids: 2, Codebook: file("tokens/a.safetensors", 12),
		Files: []TokenFile{{file("tokens/b.safetensors", 12+6*7), 0, 3, 7}, {file("tokens/c.safetensors", 8), 3, 2, 0}}}
	return m
}

func TestRoundTrip(t *testing.T) {
	for name, m := range map[string]*Manifest{"static": valid(), "reader": read(), "pack": packed(), "tokens": late()} {
		t.Run(name, func(t *testing.T) { roundTrip(t, m) })
	}
	empty := &Manifest{Format: Format, Version: 1, Dim: 1, DType: "F32", Model: Model{ID: "x", Kind: KindExternal, Dim: 1}}
	for range 2 {
		if b, err := empty.Marshal(); err != nil || bytes.Contains(b, []byte("null")) {
			t.Errorf("%s %v", b, err)
		}
		empty.Columns = &Columns{File: file("columns/a.bin", 8)}
	}
}

func roundTrip(t *testing.T, m *Manifest) {
	b, err := m.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(m, again) {
		t.Errorf("got %+v", again)
	}
	b2, err := again.Marshal()
	if err != nil || !bytes.Equal(b, b2) {
		t.Errorf("Marshal differs (%v)", err)
	}
	want := 12
	if m.Angles != nil {
		want = 15 // one more of the encoder, and two of angles
	}
	if m.Tokens != nil {
		want = 15 // the codebook, and two of vectors
	}
	if m.Reader != nil {
		want = 15 // pack.json, and two files
	}
	seen := map[string]bool{}
	for _, f := range m.Files() {
		seen[f.Path] = true
	}
	if len(seen) != want {
		t.Errorf("%d files", len(seen))
	}
	// Keys that a reader of the other kind does not know are absent.
	if strings.Contains(string(b), "tokenizer") == (m.Angles != nil) || strings.Contains(string(b), `"pack":`) != (m.Angles != nil || m.Reader != nil) {
		t.Errorf("%s", b)
	}
}

// A reader of version 1 ignores unknown fields, and the error for a newer version names
// it.
func TestVersions(t *testing.T) {
	b, _ := valid().Marshal()
	more := bytes.Replace(b, []byte(`"version": 1`), []byte(`"version": 1, "hint": {"new": [1]}`), 1)
	if _, err := Parse(more); err != nil {
		t.Error(err)
	}
	newer := bytes.Replace(b, []byte(`"version": 1`), []byte(`"version": 7`), 1)
	_, err := Parse(newer)
	var e *NewerError
	if !errors.As(err, &e) || e.Version != 7 || !strings.Contains(err.Error(), "7") || !strings.Contains(err.Error(), "upgrade") {
		t.Errorf("%v", err)
	}
	if _, err := Parse([]byte(`{"format": "vantage-collection", "version": 9, "Documents": {}}`)); !errors.As(err, &e) {
		t.Errorf("a newer version may look different: %v", err)
	}
	for _, text := range []string{`{}`, `{"format": "x"}`, `{"short_name": "App", "startUrl": "."}`, `[]`, `3`, `{"format": 3}`, `null`} {
		if _, err := Parse([]byte(text)); !errors.Is(err, ErrNotCollection) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		field  string
		change func(m *Manifest)
	}{
		"rows":              {"rows", func(m *Manifest) { m.Rows = 6 }},
		"negative":          {"documents", func(m *Manifest) { m.Documents, m.Rows = -1, -1 }},
		"too many":          {"documents", func(m *Manifest) { m.Documents, m.Rows = MaxRows+1, MaxRows+1 }},
		"more documents":    {"vectors", func(m *Manifest) { m.Documents, m.Rows = 6, 6 }},
		"close below 0":     {"close", func(m *Manifest) { m.Close = -0.1 }},
		"close above 1":     {"close", func(m *Manifest) { m.Close = 1.1 }},
		"auto, no table":    {"auto.table", func(m *Manifest) { m.Auto = &Auto{} }},
		"auto, long table":  {"auto.table", func(m *Manifest) { m.Auto = &Auto{Table: make([]string, MaxAutoLines+1)} }},
		"auto, empty line":  {"auto.table[1]", func(m *Manifest) { m.Auto = &Auto{Table: []string{"none none", ""}} }},
		"auto, long line":   {"auto.table[0]", func(m *Manifest) { m.Auto = &Auto{Table: []string{strings.Repeat("x", MaxAutoLine+1)}} }},
		"auto, chosen":      {"auto.chosen_on", func(m *Manifest) { m.Auto = &Auto{Table: []string{"none none"}, ChosenOn: -1} }},
		"auto, measured":    {"auto.measured_on", func(m *Manifest) { m.Auto = &Auto{Table: []string{"none none"}, MeasuredOn: -1} }},
		"auto, before":      {"auto.before", func(m *Manifest) { m.Auto = &Auto{Table: []string{"none none"}, Before: -0.1} }},
		"auto, after":       {"auto.after", func(m *Manifest) { m.Auto = &Auto{Table: []string{"none none"}, After: 1.1} }},
		"dim":               {"dim", func(m *Manifest) { m.Dim = 0 }},
		"dim of model":      {"model.dim", func(m *Manifest) { m.Dim = 2 }},
		"dtype":             {"dtype", func(m *Manifest) { m.DType = "I4" }},
		"score":             {"score", func(m *Manifest) { m.Score = "euclidean" }},
		"no tokens":         {"tokens", func(m *Manifest) { m.Score = ScoreMaxSim }},
		"model id":          {"model.id", func(m *Manifest) { m.Model.ID = "" }},
		"model revision":    {"model.revision", func(m *Manifest) { m.Model.Revision = strings.Repeat("x", MaxNameBytes+1) }},
		"architecture":      {"model.architecture", func(m *Manifest) { m.Model.Architecture = strings.Repeat("x", MaxNameBytes+1) }},
		"model kind":        {"model.kind", func(m *Manifest) { m.Model.Kind = "magic" }},
		"max length":        {"model.max_length", func(m *Manifest) { m.Model.MaxLength = -1 }},
		"canary length":     {"canaries[0].vector", func(m *Manifest) { m.Canaries[0].Vector = []float32{1} }},
		"canary NaN":        {"canaries[0].vector", func(m *Manifest) { m.Canaries[0].Vector[1] = float32(math.NaN()) }},
		"canary text":       {"canaries[0].text", func(m *Manifest) { m.Canaries[0].Text = "" }},
		"gap":               {"vectors[1].first_row", func(m *Manifest) { m.Vectors[1].FirstRow = 4 }},
		"no rows":           {"vectors[1].rows", func(m *Manifest) { m.Vectors[1].Rows = 0 }},
		"many rows":         {"vectors[1].rows", func(m *Manifest) { m.Vectors[1].Rows = math.MaxInt }},
		"short file":        {"vectors[1].bytes", func(m *Manifest) { m.Vectors[1].Bytes = 5 }},
		"docs gap":          {"docs[1].first", func(m *Manifest) { m.Docs[1].First = 3 }},
		"docs missing":      {"docs", func(m *Manifest) { m.Docs = m.Docs[:1] }},
		"docs count":        {"docs[0].count", func(m *Manifest) { m.Docs[0].Count = -4 }},
		"hash":              {"docs[0].sha256", func(m *Manifest) { m.Docs[0].SHA256 = strings.ToUpper(hash) }},
		"short hash":        {"docs[0].sha256", func(m *Manifest) { m.Docs[0].SHA256 = hash[:63] }},
		"bytes":             {"docs[0].bytes", func(m *Manifest) { m.Docs[0].Bytes = MaxFileBytes + 1 }},
		"stored":            {"docs[0].stored", func(m *Manifest) { m.Docs[0].Stored = -1 }},
		"much stored":       {"docs[0].stored", func(m *Manifest) { m.Docs[0].Stored = MaxFileBytes + 1 }},
		"expansion":         {"docs[0].bytes", func(m *Manifest) { m.Docs[0].Bytes = 16<<20 + 1 }},
		"wide expansion":    {"docs[0].bytes", func(m *Manifest) { m.Docs[0].Bytes, m.Docs[0].Stored = 100<<20+1, 1<<20 }},
		"a large tokenizer": {"files", func(m *Manifest) { m.Encoder.Tokenizer.Bytes = 16 << 20 }},
		"large terms":       {"files", func(m *Manifest) { m.Terms.Files[0].Bytes = 7 << 20 }},
		"large lengths":     {"files", func(m *Manifest) { m.Terms.Lengths.Bytes = 6 << 20 }},
		"files often named": {"files", func(m *Manifest) {
			m.Documents, m.Rows, m.Vectors, m.Columns, m.Terms.Lengths.Bytes = 2000, 2000, nil, nil, 2000
			m.Docs = []DocFile{{file("docs/a.bin", 10), 0, 2000}}
			for i := range 1000 { // 70 KB, named a thousand times
				m.Vectors = append(m.Vectors, RowFile{file("vectors/a.safetensors", 70<<10), 2 * i, 2})
			}
		}},
		"padded rows": {"files", func(m *Manifest) { // 2 bytes each, 48 in memory
			m.Dim, m.Model.Dim, m.DType, m.Canaries, m.Columns, m.Terms = 1, 1, "F16", nil, nil, nil
			m.Documents, m.Rows = 1_500_000, 1_500_000
			m.Vectors = []RowFile{{File{"vectors/a.safetensors", hash, 3 << 20, 30 << 10}, 0, 1_500_000}}
			m.Docs = nil
			for i := 0; i < m.Documents; i += MaxBlock {
				m.Docs = append(m.Docs, DocFile{file("docs/a.bin", 10), i, min(MaxBlock, m.Documents-i)})
			}
		}},
		"one path, two":     {"docs[1].path", func(m *Manifest) { m.Docs[1].Path = m.Docs[0].Path; m.Docs[1].Bytes++ }},
		"encoder":           {"encoder.weights.path", func(m *Manifest) { m.Encoder.Weights.Path = "" }},
		"field type":        {"columns.fields[0].type", func(m *Manifest) { m.Columns.Fields[0].Type = "date" }},
		"field twice":       {"columns.fields[1].name", func(m *Manifest) { m.Columns.Fields[1].Name = "year" }},
		"tensor twice":      {"columns.fields[1].tensor", func(m *Manifest) { m.Columns.Fields[1].Tensor = "y" }},
		"value twice":       {"columns.fields[1].values", func(m *Manifest) { m.Columns.Fields[1].Values[0] = "x" }},
		"number dictionary": {"columns.fields[0].values", func(m *Manifest) { m.Columns.Fields[0].Values = []string{"x"} }},
		"columns length":    {"columns.file.bytes", func(m *Manifest) { m.Columns.File.Bytes = 39 }},
		"lengths":           {"terms.lengths.path", func(m *Manifest) { m.Terms.Lengths.Path = "../a" }},
		"short lengths":     {"terms.lengths.bytes", func(m *Manifest) { m.Terms.Lengths.Bytes = 4 }},
		"term file":         {"terms.files[1].path", func(m *Manifest) { m.Terms.Files[1].Path = "" }},
		"no term":           {"terms.files[0].first", func(m *Manifest) { m.Terms.Files[0].First = "" }},
		"a term twice":      {"terms.files[1].first", func(m *Manifest) { m.Terms.Files[1].First = "l" }},
		"last before first": {"terms.files[0].last", func(m *Manifest) { m.Terms.Files[0].Last = "A" }},
		"a long term":       {"terms.files[2].last", func(m *Manifest) { m.Terms.Files[2].Last = "\uffff" + strings.Repeat("z", MaxTermBytes) }},
	} {
		refused(t, name, valid(), c.field, c.change)
	}
	for name, c := range map[string]struct {
		field  string
		change func(m *Manifest)
	}{
		"no pack":                {"encoder.pack", func(m *Manifest) { m.Encoder = nil }},
		"a static encoder":       {"encoder.pack", func(m *Manifest) { m.Encoder = valid().Encoder }},
		"both":                   {"encoder", func(m *Manifest) { m.Encoder.Tokenizer = valid().Encoder.Tokenizer }},
		"a pack of another kind": {"encoder.pack", func(m *Manifest) { m.Model.Kind, m.Angles = KindStatic, nil }},
		"a pack outside":         {"encoder.pack", func(m *Manifest) { m.Model.Kind, m.Angles = KindExternal, nil }},
		"queries by a pack": {"query_model.kind", func(m *Manifest) {
			queries := m.Model
			m.Model.Kind, m.Encoder, m.Angles, m.QueryModel = KindExternal, nil, nil, &queries
		}},
		"a path":                 {"encoder.pack.path", func(m *Manifest) { m.Encoder.Pack.Path = "../pack.json" }},
		"a long pack.json":       {"encoder.pack.bytes", func(m *Manifest) { m.Encoder.Pack.Bytes = MaxPackBytes + 1 }},
		"no files":               {"encoder.files", func(m *Manifest) { m.Encoder.Files = nil }},
		"many files":             {"encoder.files", func(m *Manifest) { m.Encoder.Files = make([]File, MaxPackFiles+1) }},
		"a hash":                 {"encoder.files[1].sha256", func(m *Manifest) { m.Encoder.Files[1].SHA256 = "" }},
		"elsewhere":              {"encoder.files[1].path", func(m *Manifest) { m.Encoder.Files[1].Path = "data/b.bin" }},
		"an empty file":          {"encoder.files[0].bytes", func(m *Manifest) { m.Encoder.Files[0].Bytes = 0 }},
		"a long file":            {"encoder.files[2].bytes", func(m *Manifest) { m.Encoder.Files[2].Bytes = MaxPackFileBytes + 1 }},
		"large in memory":        {"files", func(m *Manifest) { m.Encoder.Files = manyFiles(20) }},
		"angles of no pack":      {"angles", func(m *Manifest) { m.Model.Kind, m.Encoder = KindStatic, valid().Encoder }},
		"no components":          {"angles.dim", func(m *Manifest) { m.Angles.Dim = 0 }},
		"many components":        {"angles.dim", func(m *Manifest) { m.Angles.Dim = MaxDim + 1 }},
		"angles of another type": {"angles.dtype", func(m *Manifest) { m.Angles.DType = "F32" }},
		"no angles":              {"angles.files", func(m *Manifest) { m.Angles.Files = nil }},
		"a gap in the angles":    {"angles.files[1].first_row", func(m *Manifest) { m.Angles.Files[1].FirstRow = 3 }},
		"too many angles":        {"angles.files[1].rows", func(m *Manifest) { m.Angles.Files[1].Rows = 2 }},
		"short angles":           {"angles.files[0].bytes", func(m *Manifest) { m.Angles.Files[0].Bytes = 7 }},
		"angles in the vectors":  {"angles.files[0].path", func(m *Manifest) { m.Angles.Files[0].Path = m.Vectors[0].Path }},
	} {
		refused(t, name, packed(), c.field, c.change)
	}
	for name, c := range map[string]struct {
		field  string
		change func(m *Manifest)
	}{
		"an empty reader":                  {"reader.pack.path", func(m *Manifest) { m.Reader = &PackFiles{} }},
		"a reader's path":                  {"reader.pack.path", func(m *Manifest) { m.Reader.Pack.Path = "../pack.json" }},
		"a reader's long pack.json":        {"reader.pack.bytes", func(m *Manifest) { m.Reader.Pack.Bytes = MaxPackBytes + 1 }},
		"a reader without files":           {"reader.files", func(m *Manifest) { m.Reader.Files = nil }},
		"a reader's file elsewhere":        {"reader.files[1].path", func(m *Manifest) { m.Reader.Files[1].Path = "data/e.bin" }},
		"a reader's long file":             {"reader.files[1].bytes", func(m *Manifest) { m.Reader.Files[1].Bytes = MaxPackFileBytes + 1 }},
		"a reader that is not the file's":  {"reader.files[0].path", func(m *Manifest) { m.Reader.Files[0] = m.Encoder.Tokenizer }},
		"a reader that is large in memory": {"files", func(m *Manifest) { m.Reader.Files = manyFiles(20) }},
	} {
		refused(t, name, read(), c.field, c.change)
	}
}

func TestTokensRefused(t *testing.T) {
	for name, c := range map[string]struct {
		field  string
		change func(m *Manifest)
	}{
		"another score":      {"score", func(m *Manifest) { m.Score = ScoreDot }},
		"three bits":         {"tokens.bits", func(m *Manifest) { m.Tokens.Bits = 3 }},
		"no centroids":       {"tokens.centroids", func(m *Manifest) { m.Tokens.Centroids = 0 }},
		"many centroids":     {"tokens.centroids", func(m *Manifest) { m.Tokens.Centroids = MaxCentroids + 1 }},
		"a path":             {"tokens.codebook.path", func(m *Manifest) { m.Tokens.Codebook.Path = "../a" }},
		"a short codebook":   {"tokens.codebook.bytes", func(m *Manifest) { m.Tokens.Codebook.Bytes = 11 }},
		"a hash":             {"tokens.files[1].sha256", func(m *Manifest) { m.Tokens.Files[1].SHA256 = "" }},
		"a gap":              {"tokens.files[1].first", func(m *Manifest) { m.Tokens.Files[1].First = 4 }},
		"no documents":       {"tokens.files[1].count", func(m *Manifest) { m.Tokens.Files[1].Count = 0 }},
		"many documents":     {"tokens.files[1].count", func(m *Manifest) { m.Tokens.Files[1].Count = math.MaxInt }},
		"a document missing": {"tokens.files", func(m *Manifest) { m.Tokens.Files = m.Tokens.Files[:1] }},
		"negative":           {"tokens.files[0].vectors", func(m *Manifest) { m.Tokens.Files[0].Vectors = -1 }},
		"many vectors":       {"tokens.files[0].vectors", func(m *Manifest) { m.Tokens.Files[0].Vectors = 8 }},
		"very many vectors":  {"tokens.files[0].vectors", func(m *Manifest) { m.Tokens.Files[0].Vectors = math.MaxInt64 }},
		"no counts":          {"tokens.files[1].vectors", func(m *Manifest) { m.Tokens.Files[1].Bytes = 7 }},
		"large in memory":    {"files", func(m *Manifest) { m.Tokens.Codebook.Bytes = 16 << 20 }},
	} {
		refused(t, name, late(), c.field, c.change)
	}
}

// Each file counts for the memory as it says here, and the first byte too many is refused.
func TestMemory(t *testing.T) {
	rows := int64(9+6) + 5*(16+16)                    // in vectors: of 3 bytes, padded to 16, and 16 for scale, norm and document
	words := int64(LengthsMemory*10 + TermsMemory*60) // in terms
	rest := rows + ColumnsMemory*200 + words + 10     // and docs[1]
	static := int64(TokenizerMemory*1 + 2 + 3)
	pack := int64(PackMemory * (100 + 50 + MaxPackFileBytes + 7))
	angles := int64(8+2) + 5*(16+16)
	tokens := int64(CodebookMemory*12) + (54 + TokenMemory*7 + 4*(2+3)) + (8 + 4*(2+2)) // a list for each centroid, a place for each document
	for name, c := range map[string]struct {
		m      *Manifest
		memory int64 // of all but docs[0]
	}{
		"static": {valid(), static + rest},
		"pack":   {packed(), pack + angles + rest},
		"tokens": {late(), static + tokens + rest},
	} {
		c.m.Docs[0].Bytes, c.m.Docs[0].Stored = FreeMemory-c.memory, 1<<20
		if _, err := c.m.Marshal(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		refused(t, name, c.m, "files", func(m *Manifest) { m.Docs[0].Bytes++ })
		var stored int64
		for _, f := range c.m.Files() {
			stored += f.Stored
		}
		c.m.Docs[0].Stored += 8 << 20
		c.m.Docs[0].Bytes = MemoryRatio*(stored+8<<20) - c.memory
		if _, err := c.m.Marshal(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		refused(t, name, c.m, "files", func(m *Manifest) { m.Docs[0].Bytes++ })
	}
}

// manyFiles are payload files of a MB that hosts have compressed to nothing.
func manyFiles(n int) (files []File) {
	for i := range n {
		files = append(files, File{fmt.Sprintf("encoder/data/%d.bin", i), hash, MaxPackFileBytes, 1})
	}
	return files
}

// refused changes a manifest, which must be refused for a field then.
func refused(t *testing.T, name string, m *Manifest, field string, change func(m *Manifest)) {
	t.Helper()
	change(m)
	var e *InvalidError
	if _, err := m.Marshal(); !errors.As(err, &e) || e.Field != field {
		t.Errorf("%s: Marshal: %v", name, err)
	}
	if strings.Contains(name, "NaN") {
		return
	}
	b, _ := json.Marshal(m)
	if _, err := Parse(b); !errors.As(err, &e) || e.Field != field {
		t.Errorf("%s: Parse: %v", name, err)
	}
}

// These are typical collections. None is near the limits.
func TestAccepted(t *testing.T) {
	for name, change := range map[string]func(m *Manifest){
		"XLM-R's vocabulary": func(m *Manifest) {
			m.Encoder.Tokenizer, m.Encoder.Weights = File{"encoder/a.bin", hash, 17 << 20, 4 << 20}, File{"encoder/b.bin", hash, 65 << 20, 60 << 20}
		},
		"a constant column":       func(m *Manifest) { m.Columns.File.Bytes, m.Columns.File.Stored = 8<<20, 8<<10 },
		"a short document, often": func(m *Manifest) { m.Docs[0].Bytes, m.Docs[0].Stored = 4<<20, 4<<10 },
		"ten million rows": func(m *Manifest) {
			const n = 10_000_000
			m.Documents, m.Rows, m.Dim, m.Model.Dim, m.Canaries, m.Vectors, m.Docs = n, n, 256, 256, nil, nil, nil
			m.Columns.File.Bytes, m.Columns.File.Stored = 12*n, 12*n // gzip would exceed the limit, so it is stored uncompressed
			m.Terms.Lengths.Bytes, m.Terms.Lengths.Stored = n, n/4
			for i := 0; i < n; i += 16000 {
				m.Vectors = append(m.Vectors, RowFile{file("vectors/"+fmt.Sprint(i), 16000*260+200), i, min(16000, n-i)})
			}
			for i := 0; i < n; i += 256 {
				m.Docs = append(m.Docs, DocFile{File{"docs/" + fmt.Sprint(i), hash, 256 * 1000, 256 * 300}, i, min(256, n-i)})
			}
		},
	} {
		m := valid()
		change(m)
		b, err := m.Marshal()
		if err == nil {
			_, err = Parse(b)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPaths(t *testing.T) {
	for _, path := range []string{"a", "docs/0123456789abcdef.bin", "a-b_c/d.e.f/G"} {
		if err := CheckPath(path); err != nil {
			t.Error(err)
		}
	}
	for _, path := range []string{"", "/a", "a/", "a//b", ".", "..", "a/../b", ".git/config", "a/.b", "http://x/y", "//x/y", `a\b`, "C:a", "a b", "%2e%2e/x", "a?b", "a#b", "ä", "a\x00", FileName, strings.Repeat("a", 300)} {
		if err := CheckPath(path); err == nil {
			t.Errorf("%q was accepted", path)
		}
	}
}

func TestJSONDetails(t *testing.T) {
	b, _ := valid().Marshal()
	for name, change := range map[string][2]string{
		"a repeated key":        {`"dim": 3,`, `"dim": 3, "dim": 3,`},
		"another case":          {`"dim": 3,`, `"dim": 3, "Dim": 3,`},
		"a nested repeated key": {`"pooling": "mean",`, `"pooling": "mean", "pooling": "cls",`},
		"a long s for s":        {`"docs":`, `"docſ":`},
		"a fraction":            {`"dim": 3,`, `"dim": 3.5,`},
		"a string":              {`"dim": 3,`, `"dim": "3",`},
		"text after it":         {"\n}\n", "\n}\n}"},
		"a cut":                 {`"canaries"`, ""},
		"bad UTF-8":             {`"vantage test"`, "\"\xff\""},
		"infinity":              {`0.1`, `1e39`},
		"null in a vector":      {`0.1`, `null`},
		"null for a value":      {`"x"`, `null`},
		"null for a prompt":     {`"q: "`, `null`},
	} {
		if !bytes.Contains(b, []byte(change[0])) {
			t.Fatalf("%s: nothing to change", name)
		}
		bad := []byte(strings.Replace(string(b), change[0], change[1], 1))
		var e *InvalidError
		if _, err := Parse(bad); !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
		}
	}
	deep := fmt.Sprintf(`{"format": %q, "version": 1, "x": %s%s}`, Format, strings.Repeat("[", 5000), strings.Repeat("]", 5000))
	if _, err := Parse([]byte(deep)); err == nil {
		t.Error("deep nesting was accepted")
	}
	many := fmt.Sprintf(`{"format": %q, "version": 1, "docs": [%s{}]}`, Format, strings.Repeat("{},", 1_000_000))
	if _, err := Parse([]byte(many)); err == nil || !strings.Contains(err.Error(), "1000000 values") {
		t.Errorf("a million objects: %v", err)
	}
	for i := range b {
		if _, err := Parse(b[:i]); err == nil && i < len(b)-1 {
			t.Fatalf("cut at %d of %d was accepted", i, len(b))
		}
	}
}

func FuzzManifest(f *testing.F) {
	b, err := valid().Marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	if b, err := packed().Marshal(); err != nil {
		f.Fatal(err)
	} else {
		f.Add(b)
	}
	f.Add(bytes.ReplaceAll(b, []byte("\n "), nil))
	f.Add([]byte(`{"format":"vantage-collection","version":2}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Parse(b)
		if err != nil {
			return
		}
		for _, file := range m.Files() {
			if strings.Contains(file.Path, "..") && strings.Contains(file.Path, "/..") || strings.HasPrefix(file.Path, "/") {
				t.Errorf("path %q", file.Path)
			}
		}
		first, err := m.Marshal()
		if err != nil {
			t.Fatalf("accepted, but cannot be written: %v", err)
		}
		again, err := Parse(first)
		if err != nil {
			t.Fatalf("written, but cannot be read: %v", err)
		}
		second, err := again.Marshal()
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("written differently the second time (%v)", err)
		}
	})
}

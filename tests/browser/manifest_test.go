package browser

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
)

// exampleManifest returns a manifest of a collection that carries a static encoder.
func exampleManifest() *manifest.Manifest {
	file := func(path string, bytes, stored int64) manifest.File {
		return manifest.File{Path: path, SHA256: strings.Repeat("0123456789abcdef", 4), Bytes: bytes, Stored: stored}
	}
	return &manifest.Manifest{
		Format: manifest.Format, Version: manifest.Version, Generator: "test", Name: "example",
		Documents: 5, Rows: 5, Dim: 2, DType: "I8",
		Model:    manifest.Model{ID: "model", Revision: "1", Kind: manifest.KindStatic, Dim: 2, Normalize: true, MaxLength: 512},
		Encoder:  &manifest.Encoder{Tokenizer: file("encoder/a.bin", 10, 9), Weights: file("encoder/b.bin", 10, 9), Config: file("encoder/c.bin", 10, 9)},
		Canaries: []manifest.Canary{{Text: "a text", Vector: []float32{0.6, 0.8}}},
		Auto:     &manifest.Auto{Table: []string{"none none hybrid 1"}, ChosenOn: 30, MeasuredOn: 29, Before: 0.5, After: 0.75},
		Vectors: []manifest.RowFile{
			{File: file("vectors/a.safetensors", 200, 200), FirstRow: 0, Rows: 3},
			{File: file("vectors/b.safetensors", 200, 200), FirstRow: 3, Rows: 2},
		},
		Docs: []manifest.DocFile{{File: file("docs/a.bin", 100, 50), First: 0, Count: 5}},
		Columns: &manifest.Columns{File: file("columns/a.bin", 200, 100), Fields: []manifest.Field{
			{Name: "year", Type: manifest.TypeNumber, Tensor: "0"},
			{Name: "stance", Type: manifest.TypeString, Tensor: "1", Values: []string{"pro", "con"}},
		}},
		Terms: &manifest.Terms{Lengths: file("terms/a.bin", 9, 9), Files: []manifest.TermFile{
			{File: file("terms/b.bin", 30, 20), First: "a", Last: "m"},
			{File: file("terms/c.bin", 30, 20), First: "\uffff", Last: "\U00010000"},
		}},
	}
}

// packManifest is exampleManifest with a pack and angles.
func packManifest() *manifest.Manifest {
	m := exampleManifest()
	file := func(path string, bytes int64) manifest.File {
		return manifest.File{Path: path, SHA256: strings.Repeat("0123456789abcdef", 4), Bytes: bytes, Stored: bytes}
	}
	m.Model.Kind = manifest.KindPack
	m.Encoder = &manifest.Encoder{PackFiles: manifest.PackFiles{Pack: file("encoder/a.json", 900), Files: []manifest.File{file("encoder/data/a.txt", 90), file("encoder/data/b.bin", 1_000_000)}}}
	m.Angles = &manifest.Angles{Dim: 3, DType: m.DType, Files: []manifest.RowFile{{File: file("angles/a.safetensors", 50), FirstRow: 0, Rows: 4}, {File: file("angles/b.safetensors", 50), FirstRow: 4, Rows: 1}}}
	return m
}

// readManifest is exampleManifest with a pack that reads queries for the static encoder.
func readManifest() *manifest.Manifest {
	m := exampleManifest()
	m.Reader = &packManifest().Encoder.PackFiles
	return m
}

// lateManifest is exampleManifest with the vectors of tokens.
func lateManifest() *manifest.Manifest {
	m := exampleManifest()
	file := func(path string, bytes int64) manifest.File {
		return manifest.File{Path: path, SHA256: strings.Repeat("0123456789abcdef", 4), Bytes: bytes, Stored: bytes}
	}
	m.Score = manifest.ScoreMaxSim
	m.Model.Kind, m.Encoder = manifest.KindExternal, nil
	m.Tokens = &manifest.Tokens{Bits: 4, Centroids: 3, Codebook: file("tokens/a.safetensors", 40), Files: []manifest.TokenFile{
		{File: file("tokens/b.safetensors", 60), First: 0, Count: 4, Vectors: 8}, {File: file("tokens/c.safetensors", 40), First: 4, Count: 1},
	}}
	return m
}

// absent stands for the value of a key that is not there.
type absent struct{}

// at sets the value at a path such as "vectors.0.path" of decoded JSON.
func at(root any, path string, value any) {
	keys := strings.Split(path, ".")
	for _, key := range keys[:len(keys)-1] {
		root = child(root, key)
	}
	last := keys[len(keys)-1]
	switch parent := root.(type) {
	case map[string]any:
		if value == (absent{}) {
			delete(parent, last)
			return
		}
		parent[last] = value
	case []any:
		parent[last[0]-'0'] = value
	}
}

func child(parent any, key string) any {
	switch parent := parent.(type) {
	case map[string]any:
		return parent[key]
	case []any:
		return parent[key[0]-'0']
	}
	return nil
}

// The page must refuse what the command refuses, and accept what it accepts.
func TestManifestAgreesWithGo(t *testing.T) {
	t.Parallel()
	valid, err := exampleManifest().Marshal()
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 5000)
	cases := map[string][]byte{
		"valid":      valid,
		"empty":      {},
		"not JSON":   []byte("{"),
		"a page":     []byte("<!doctype html><title>404</title>"),
		"a list":     []byte("[]"),
		"null":       []byte("null"),
		"web app":    []byte(`{"name": "app", "start_url": "/"}`),
		"not UTF-8":  append(append([]byte{}, valid[:len(valid)-3]...), 0xff, '}', '\n'),
		"with a BOM": append([]byte("\xef\xbb\xbf"), valid...),
	}
	add := func(manifest []byte, which, path string, value any) {
		var tree any
		if err := json.Unmarshal(manifest, &tree); err != nil {
			t.Fatal(err)
		}
		at(tree, path, value)
		text, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		shown, _ := json.Marshal(value)
		if value == any(absent{}) {
			shown = []byte("absent")
		}
		cases[which+path+" = "+string(shown[:min(len(shown), 40)])] = text
	}
	cases["deep enough"] = bytes.Replace(valid, []byte("{"), []byte(`{"x": `+strings.Repeat("[", 63)+strings.Repeat("]", 63)+","), 1)
	cases["too deep"] = bytes.Replace(valid, []byte("{"), []byte(`{"x": `+strings.Repeat("[", 64)+strings.Repeat("]", 64)+","), 1)
	cases["too many"] = bytes.Replace(valid, []byte("{"), []byte(`{"x": [`+strings.Repeat("{},", 1_000_000)+`{}],`), 1)
	for _, change := range []struct {
		path   string
		values []any
	}{
		{"format", []any{"other", 1, nil}},
		{"version", []any{0, -1, 2, 1.5, "1", nil}},
		{"name", []any{"", long, 1}},
		{"generator", []any{"", long}},
		{"documents", []any{-1, 4, 6, 1.5, "5", 1 << 31}},
		{"rows", []any{4, 6}},
		{"dim", []any{0, 1, 3, 65537, 2.5}},
		{"dtype", []any{"F16", "F32", "F64", "i8", "", nil, 8, "constructor"}},
		{"score", []any{"cosine", "dot", "Dot", "maxsim", "", nil, 8, "constructor"}},
		{"model", []any{nil, 1, []any{}}},
		{"model.id", []any{"", long, nil}},
		{"model.kind", []any{"external", "other", nil}},
		{"model.dim", []any{3, nil}},
		{"model.max_length", []any{0, -1, nil, absent{}, "5"}},
		{"model.revision", []any{nil, "", long, 3}},
		{"model.architecture", []any{nil, "bert", long, 3}},
		{"model.prompts", []any{nil, map[string]any{}, map[string]any{"query": ""}, map[string]any{"Query": long}, map[string]any{"query": 3}, map[string]any{"query": nil}, []any{}, "query: "}},
		{"encoder", []any{nil, map[string]any{}}},
		{"encoder.weights", []any{nil, 1}},
		{"encoder.weights.path", []any{"encoder/a.bin"}},
		{"encoder.weights.bytes", []any{11}},
		{"auto", []any{nil, 1, []any{}, map[string]any{}, map[string]any{"table": []any{"x"}}, map[string]any{"table": "x"}, map[string]any{"table": []any{""}}, map[string]any{"table": []any{1}},
			map[string]any{"table": []any{strings.Repeat("x", 257)}}, map[string]any{"table": make([]string, 65)}, map[string]any{"table": nil}}},
		{"auto.chosen_on", []any{nil, 0, -1, 1.5, "1"}},
		{"auto.after", []any{nil, 0, 1.5, -1, "1"}},
		{"close", []any{nil, 0, 0.5, 1, -0.1, 1.1, "0.5", true, []any{}}},
		{"canaries", []any{nil, []any{}, []any{1}}},
		{"query_model", []any{nil, 1, map[string]any{"id": "q", "kind": "external", "dim": 2}, map[string]any{"id": "q", "kind": "external", "dim": 3}}},
		{"query_canaries", []any{nil, []any{}, []any{1}, []any{map[string]any{"text": "x", "vector": []any{1, 2}}}}},
		{"canaries.0.text", []any{"", strings.Repeat("x", 70000), nil}},
		{"canaries.0.vector", []any{nil, []any{1}, []any{1, 2, 3}, []any{1, "2"}, []any{1, 1e39}, []any{1, nil}}},
		{"vectors", []any{nil, []any{}, []any{nil}}},
		{"vectors.0.path", []any{"", "/a", "a//b", "../a", "a/../b", ".a", "a/.b", "a%2eb", "a?b", "a#b", "a b", "a\\b", "http://h/a", "é", "manifest.json", "a/manifest.json", strings.Repeat("a", 256), "vectors/b.safetensors", nil}},
		{"vectors.0.sha256", []any{"", strings.Repeat("0", 63), strings.Repeat("A", 64), strings.Repeat("g", 64), nil}},
		{"vectors.0.bytes", []any{-1, 5, 6, 1 << 31, 1.5, nil}},
		{"vectors.0.stored", []any{-1, 0, nil, absent{}, 1 << 30, 1<<30 + 1, 1 << 31}},
		{"docs.0.stored", []any{0, nil}},
		{"docs.0.bytes", []any{0, nil, absent{}, 16 << 20, 16<<20 + 1, 1 << 30}},
		{"encoder.tokenizer.bytes", []any{15 << 20, 16 << 20, 17 << 20}},
		{"encoder.weights.stored", []any{1 << 20, 1 << 30}},
		{"columns.file.bytes", []any{15 << 20, 16 << 20}},
		{"terms.lengths.bytes", []any{5 << 20, 6 << 20, 7 << 20, 8 << 20}},
		{"terms.files.0.bytes", []any{5 << 20, 6 << 20}},
		{"vectors.0.first_row", []any{1, -1, nil, absent{}, "0"}},
		{"vectors.0.rows", []any{0, 2, 4, 6, -1}},
		{"vectors.1.first_row", []any{2, 4}},
		{"docs", []any{nil, []any{}}},
		{"docs.0.first", []any{1, nil, absent{}, "0"}},
		{"docs.0.count", []any{0, 4, 6, nil}},
		{"columns", []any{nil}},
		{"columns.file", []any{nil}},
		{"columns.file.bytes", []any{39, 40}},
		{"columns.fields", []any{nil, []any{}}},
		{"columns.fields.0.name", []any{"", "stance", long}},
		{"columns.fields.0.tensor", []any{"", "1"}},
		{"columns.fields.0.type", []any{"bool", "string", "date", nil}},
		{"columns.fields.0.values", []any{[]any{"a"}}},
		{"columns.fields.1.values", []any{nil, []any{"a", "a"}, []any{1}, []any{nil}}},
		{"terms", []any{nil, 3, map[string]any{}}},
		{"terms.lengths", []any{nil}},
		{"terms.lengths.bytes", []any{4, 5, 100}},
		{"terms.files", []any{nil, []any{}, "a"}},
		{"terms.files.0.path", []any{"../a", nil}},
		{"terms.files.0.first", []any{"", "a", "b", "\u00e9", nil, strings.Repeat("a", 129)}},
		{"terms.files.0.last", []any{"", "A", "m", "l", "n", nil, 3}},
		{"terms.files.1.first", []any{"\ufffe", "\U00010001", "a"}},
		{"terms.files.1.last", []any{"\uffff", "\U00010000", "\U00010000" + strings.Repeat("z", 125)}},
	} {
		for _, value := range change.values {
			add(valid, "", change.path, value)
		}
	}
	withPack, err := packManifest().Marshal()
	if err != nil {
		t.Fatal(err)
	}
	cases["valid with a pack"] = withPack
	none, blank := any(nil), map[string]any{"path": "", "sha256": "", "bytes": 0, "stored": 0}
	static := map[string]any{"path": "encoder/s.bin", "sha256": strings.Repeat("0", 64), "bytes": 1, "stored": 1}
	for path, values := range map[string][]any{
		"model.kind":               {"static", "external", "packs"},
		"model.dim":                {3},
		"encoder":                  {none, map[string]any{}, 3},
		"encoder.pack":             {none, 1, blank, map[string]any{}, static},
		"encoder.pack.path":        {"a.json", "encoder/b/a.json", "manifest.json", ""},
		"encoder.pack.bytes":       {0, 4 << 20, 4<<20 + 1},
		"encoder.pack.stored":      {100, -1},
		"encoder.files":            {none, []any{}, []any{static}, "a", slices.Repeat([]any{static}, 4097)},
		"encoder.files.0.path":     {"encoder/a.txt", "data/a.txt", "encoder/data/b.bin", "encoder/data/", "encoder/data/x/y"},
		"encoder.files.0.bytes":    {0, 1, -1, 1.5, nil},
		"encoder.files.1.bytes":    {1_000_001, 999_999},
		"encoder.files.0.sha256":   {"", nil},
		"encoder.tokenizer":        {none, blank, static, 7},
		"reader":                   {none, map[string]any{}, map[string]any{"pack": blank}, map[string]any{"pack": static, "files": []any{static}}, 7},
		"angles":                   {none, 1, map[string]any{}, []any{}},
		"angles.dim":               {0, 1, 10, 11, 65537, 1.5, nil},
		"angles.dtype":             {"F32", "", nil},
		"angles.files":             {none, []any{}, 1},
		"angles.files.0.rows":      {0, 3, 5},
		"angles.files.1.first_row": {3, 5},
		"angles.files.0.path":      {"../a", "angles/b.safetensors"},
		"query_model":              {map[string]any{"id": "q", "kind": "pack", "dim": 2}},
	} {
		for _, value := range values {
			add(withPack, "with a pack: ", path, value)
		}
	}
	for path, values := range map[string][]any{
		"encoder.pack":  {none, blank, map[string]any{}, static},
		"encoder.files": {none, []any{}, []any{static}},
		"angles":        {map[string]any{"dim": 3, "dtype": "I8", "files": []any{}}},
		"query_model":   {map[string]any{"id": "q", "kind": "pack", "dim": 2}},
	} {
		for _, value := range values {
			add(valid, "", path, value)
		}
	}

	withReader, err := readManifest().Marshal()
	if err != nil {
		t.Fatal(err)
	}
	cases["valid with a reader"] = withReader
	for path, values := range map[string][]any{
		"model.kind":           {"pack", "external"},
		"reader":               {none, map[string]any{}, 1, []any{}},
		"reader.pack":          {none, 1, blank, map[string]any{}, static},
		"reader.pack.path":     {"a.json", "encoder/b/a.json", "manifest.json", "encoder/c.bin", ""},
		"reader.pack.bytes":    {0, 4 << 20, 4<<20 + 1},
		"reader.files":         {none, []any{}, []any{static}, "a", slices.Repeat([]any{static}, 4097)},
		"reader.files.0.path":  {"encoder/a.txt", "encoder/data/b.bin", "encoder/data/x/y"},
		"reader.files.1.bytes": {0, 999_999, 1_000_001, nil},
	} {
		for _, value := range values {
			add(withReader, "with a reader: ", path, value)
		}
	}

	withTokens, err := lateManifest().Marshal()
	if err != nil {
		t.Fatal(err)
	}
	cases["valid with tokens"] = withTokens
	for path, values := range map[string][]any{
		"score":                  {none, "", "cosine", "dot", "MaxSim", 1},
		"dim":                    {1, 4},
		"tokens":                 {none, 1, map[string]any{}, []any{}},
		"tokens.bits":            {8, 2, 3, 0, "4", nil, 4.5},
		"tokens.centroids":       {0, 1, 10, 11, 65536, 65537, 1.5, nil},
		"tokens.codebook":        {none, blank, static, 3},
		"tokens.codebook.bytes":  {11, 12, 15 << 20, 17 << 20},
		"tokens.codebook.path":   {"../a", "tokens/b.safetensors"},
		"tokens.files":           {none, []any{}, 1},
		"tokens.files.0.first":   {1, -1, nil, absent{}},
		"tokens.files.0.count":   {0, 3, 5, 6, 1 << 40, nil},
		"tokens.files.0.vectors": {0, 9, 10, -1, 1 << 50, 1.5, "8", nil},
		"tokens.files.0.bytes":   {16, 55, 56, 57, -1},
		"tokens.files.1.first":   {3, 5},
		"tokens.files.1.count":   {0, 2},
		"tokens.files.1.sha256":  {"", nil},
	} {
		for _, value := range values {
			add(withTokens, "with tokens: ", path, value)
		}
	}
	add(valid, "", "tokens", map[string]any{"bits": 4, "centroids": 1, "codebook": static, "files": []any{}})

	// The greatest blocks of documents that fit into the memory, found by the command, and one byte more.
	for which, m := range map[string]*manifest.Manifest{"static": exampleManifest(), "reader": readManifest(), "pack": packManifest(), "tokens": lateManifest()} {
		for _, stored := range []int64{1 << 20, 10 << 20} {
			m.Docs[0].Stored = stored
			most := int64(sort.Search(manifest.MaxFileBytes, func(bytes int) bool {
				m.Docs[0].Bytes = int64(bytes) + 1
				_, err := m.Marshal()
				return err != nil
			}))
			if most < 60<<20 || most >= 100*stored { // the limit of what one file unpacks to
				t.Fatalf("%s, %d stored: %d bytes fit", which, stored, most)
			}
			for _, m.Docs[0].Bytes = range []int64{most, most + 1} {
				text, err := json.Marshal(m)
				if err != nil {
					t.Fatal(err)
				}
				cases[fmt.Sprintf("%s: %d bytes of documents, %d stored", which, m.Docs[0].Bytes, stored)] = text
			}
		}
	}

	// Only the command refuses these. The page's parser keeps the last of equal keys, and the page reads no others.
	lenient := map[string][]byte{
		"a key twice":       bytes.Replace(valid, []byte(`"rows":`), []byte(`"rows": 4, "rows":`), 1),
		"a word as bool":    bytes.Replace(valid, []byte(`"normalize": true`), []byte(`"normalize": "no"`), 1),
		"a key in capitals": bytes.Replace(valid, []byte(`"rows":`), []byte(`"Documents": 4, "rows":`), 1),
	}
	maps.Copy(cases, lenient)

	page := library(t)
	got := call[map[string]string](t, page, `async (cases) => {
		const { parseManifest } = await import('/static/src/collection/manifest.js');
		const { bytes } = await import('/test/base64.js');
		const out = {};
		for (const [name, data] of Object.entries(cases)) {
			try {
				parseManifest(bytes(data));
				out[name] = '';
			} catch (error) {
				out[name] = error.code ?? String(error.stack);
			}
		}
		return out;
	}`, cases)
	accepted := 0
	for name, text := range cases {
		_, err := manifest.Parse(text)
		var newer *manifest.NewerError
		want := ""
		switch {
		case errors.As(err, &newer):
			want = "version"
		case err != nil && lenient[name] == nil:
			want = "format"
		case err == nil:
			accepted++
			if lenient[name] != nil {
				t.Errorf("%s: Go accepts it", name)
			}
		}
		if got[name] != want {
			t.Errorf("%s: page %q, Go %q (%v)", name, got[name], want, err)
		}
	}
	if accepted < 10 || accepted == len(cases) {
		t.Errorf("%d of %d manifests accepted: the cases test too little", accepted, len(cases))
	}
}

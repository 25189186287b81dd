package command

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/testing/shared"
)

// rows are vectors for smallCorpus.
var rows = [][]float32{{1, 0, 0}, {0.9, 0.1, 0}, {0.8, 0.6, 0}, {0, 1, 0}, {0, 0.9, 0.4}, {0, 0, 1}}

func flat(rows [][]float32) (data []byte) {
	for _, row := range rows {
		for _, v := range row {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
	}
	return data
}

// npyFile returns a .npy file, version 1.0, of float32.
func npyFile(rows [][]float32) string {
	header := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", len(rows), len(rows[0]))
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	return "\x93NUMPY\x01\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(header)))) + header + string(flat(rows))
}

// tensor is a tensor of a safetensors file.
type tensor struct {
	name, dtype string
	shape       []int
	data        []byte
}

func safetensorsFile(tensors ...tensor) string {
	header := map[string]any{}
	var data []byte
	for _, t := range tensors {
		header[t.name] = map[string]any{"dtype": t.dtype, "shape": t.shape, "data_offsets": []int{len(data), len(data) + len(t.data)}}
		data = append(data, t.data...)
	}
	text, err := json.Marshal(header)
	if err != nil {
		panic(err)
	}
	return string(binary.LittleEndian.AppendUint64(nil, uint64(len(text)))) + string(text) + string(data)
}

func matrix(name string, rows [][]float32) tensor {
	return tensor{name, "F32", []int{len(rows), len(rows[0])}, flat(rows)}
}

func TestVectors(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	other := [][]float32{{1, 1, 1}}
	write(t, dir, "v.npy", npyFile(rows))
	write(t, dir, "vectors.safetensors", safetensorsFile(matrix("zzz", other), matrix("embeddings", other), matrix("vectors", rows)))
	write(t, dir, "embeddings.safetensors", safetensorsFile(matrix("zzz", other), matrix("embeddings", rows)))
	half := make([]byte, 0, 36)
	for _, row := range [][]uint16{{0x3c00, 0, 0}, {0x3b33, 0x2e66, 0}, {0x3a66, 0x38cd, 0}, {0, 0x3c00, 0}, {0, 0x3b33, 0x3666}, {0, 0, 0x3c00}} {
		for _, v := range row {
			half = binary.LittleEndian.AppendUint16(half, v)
		}
	}
	write(t, dir, "only.safetensors", safetensorsFile(tensor{"ids", "I64", []int{6}, make([]byte, 48)}, tensor{"x", "F16", []int{6, 3}, half}))
	write(t, dir, "q.jsonl", `{"_id": "q", "query_vector": [0.7, 0.7, 0], "perspective_vectors": [[0, 0.2, 1]]}
{"_id": "r", "query_vector": [0, 1, 0], "root_vector": [0, 1, 0.5]}
`)
	for _, file := range []string{"v.npy", "vectors.safetensors", "embeddings.safetensors", "only.safetensors"} {
		r := indexJSON(t, dir, "corpus.jsonl", "-o", file+".c", "--vectors", file, "--quantize", "f32", "--model-id", "some/model@r1")
		if r.Documents != 6 || r.Model.ID != "some/model" || r.Model.Revision != "r1" || r.Model.Kind != "external" {
			t.Errorf("%s: %+v", file, r)
		}
		must(t, dir, "inspect", file+".c", "--verify")
		must(t, dir, "search", file+".c", "--queries", "q.jsonl", "--run", "out", "-k", "2")
		lines := readRun(t, filepath.Join(dir, "out"))
		if len(lines) != 4 || lines[0].document != "wolves" || lines[2].document != "trains" {
			t.Errorf("%s: %+v", file, lines)
		}
	}
	if r := indexJSON(t, dir, "corpus.jsonl", "-o", "named", "--vectors", "v.npy"); r.Model.ID != "v" || r.Model.Revision == "" {
		t.Errorf("a model without a name: %+v", r)
	}
	// Without an encoder, texts cannot be searched.
	fails(t, usage, dir, []string{"search", "v.npy.c", "--query", "cats"}, "no encoder")
	told := must(t, dir, "index", "corpus.jsonl", "-o", "my vectors", "--vectors", "v.npy")
	if want := "search it with: vantage search 'my vectors' --query TEXT --model MODEL\n"; !strings.HasSuffix(told.stdout, want) && runtime.GOOS != "windows" {
		t.Errorf("%q does not end with %q", told.stdout, want)
	}
	fails(t, input, dir, []string{"search", "v.npy.c", "--query", "cats", "--model", "static"}, "dimension")
}

// The command that index prints at its end runs as it is, once its words in capitals are
// filled in: a shell gets the names whole, and something ranks.
func TestIndexSaysHowToSearch(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	if err := modeltest.Write(filepath.Join(dir, "a model"), 1); err != nil {
		t.Fatal(err)
	}
	must(t, dir, "embed", "corpus.jsonl", "--model", "a model", "--input-format", "corpus", "--role", "document", "-o", "v.npy")
	must(t, dir, "embed", "corpus.jsonl", "--input-format", "corpus", "--role", "document", "-o", "static.npy")
	for name, flags := range map[string][]string{
		"carries its encoder": {"--encoder", "light"},
		"words alone":         {"--vectors", "v.npy", "--terms"},
		"vectors alone":       {"--vectors", "v.npy"},
		"it's a model":        {"--vectors", "v.npy", "--model", "a model"},
		"a static one":        {"--vectors", "static.npy", "--model", "static"},
		"encoded outside":     {"--model", "a model"},
	} {
		out := must(t, dir, append([]string{"index", "corpus.jsonl", "-o", name}, flags...)...).stdout
		_, next, found := strings.Cut(strings.TrimSpace(out), "search it with: vantage ")
		next = strings.NewReplacer("TEXT", "night", "MODEL", "'a model'").Replace(next)
		shell := command(dir)
		shell.Path, shell.Args = "/bin/sh", []string{"sh", "-c", `"$0" ` + next, vantage}
		if r := finish(t, shell); !found || r.code != done || !strings.Contains(r.stdout, "trains") || strings.Contains(r.stderr, "warning") {
			t.Errorf("%s: %s\nexits with %d: %s%s", name, next, r.code, r.stdout, r.stderr)
		}
	}
	fails(t, usage, dir, []string{"search", "it's a model", "--query", "night"}, "or its folder: --model 'a model'")
	must(t, dir, "index", "corpus.jsonl", "-o", "worded", "--vectors", "v.npy", "--model", "a model", "--terms")
	if r := must(t, dir, "search", "worded", "--query", "night"); !strings.Contains(r.stderr, "to rank by vectors, give the model that made them: --model 'a model'\n") {
		t.Error(r.stderr)
	}
	out := must(t, dir, "index", "corpus.jsonl", "-o", "my site", "--site", "--encoder", "light").stdout
	if !strings.HasSuffix(out, "look at it with: vantage serve 'my site'\n") {
		t.Error(out)
	}
}

func TestBadVectors(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	nan := [][]float32{{1, 0, 0}, {0, float32(math.NaN()), 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}}
	for name, c := range map[string]struct{ content, part string }{
		"short.npy":               {npyFile(rows[:5]), "short.npy: vectors: 5 rows"},
		"cut.npy":                 {npyFile(rows)[:100], "cut off"},
		"nan.npy":                 {npyFile(nan), "row 1, column 1"},
		"zip.npy":                 {"PK\x03\x04 and more", ".npz"},
		"nan.safetensors":         {safetensorsFile(matrix("vectors", nan)), "row 1, column 1"},
		"cut.safetensors":         {safetensorsFile(matrix("vectors", rows))[:90], "cut off"},
		"none.safetensors":        {safetensorsFile(tensor{"ids", "I64", []int{6}, make([]byte, 48)}), `"ids" I64 [6]`},
		"kind.safetensors":        {safetensorsFile(tensor{"vectors", "F64", []int{1, 1}, make([]byte, 8)}), "F32 or F16"},
		"several.safetensors":     {safetensorsFile(matrix("a", rows), matrix("b", rows)), "2 matrices"},
		"huge-header.safetensors": {"\xff\xff\xff\xff\xff\xff\xff\x7f{}", "header"},
		"vectors.txt":             {"1 2 3", ".npy (numpy.save) or .safetensors"},
	} {
		write(t, dir, name, c.content)
		fails(t, input, dir, []string{"index", "corpus.jsonl", "-o", "c", "--vectors", name}, c.part)
	}
	fails(t, input, dir, []string{"index", "corpus.jsonl", "-o", "c", "--vectors", "missing.npy"}, "missing.npy")
	fails(t, input, dir, []string{"index", "corpus.jsonl", "-o", "c", "--vectors", "."}, "not a file")
}

// The vectors in the data of the paper's demo can be indexed, if they are
// available.
func TestVectorsOfDemoData(t *testing.T) {
	t.Parallel()
	vectors := shared.Path(t, "data/pir/emb/story_corpus.npy")
	dir := t.TempDir()
	var lines strings.Builder
	for i := range 500 {
		fmt.Fprintf(&lines, `{"_id": "%d", "text": "document %d"}`+"\n", i, i)
	}
	write(t, dir, "corpus.jsonl", lines.String())
	if r := indexJSON(t, dir, "corpus.jsonl", "-o", "c", "--vectors", vectors); r.Documents != 500 {
		t.Errorf("%+v", r)
	}
	must(t, dir, "inspect", "c", "--verify")
}

// If the model that made the vectors is named, it encodes the queries.
func TestVectorsWithTheirModel(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	write(t, dir, "v.npy", npyFile(rows))
	fails(t, input, dir, []string{"index", "corpus.jsonl", "-o", "c", "--vectors", "v.npy", "--model", "static"}, "256 dimensions")

	encoder, err := builtin.Builtin().Open()
	if err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(filepath.Join(dir, "corpus.jsonl"), corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var encoded [][]float32
	for doc, err := range c.Documents() {
		if err != nil {
			t.Fatal(err)
		}
		vector := make([]float32, encoder.Dim())
		encoder.Encode(vector, doc.EncodedText())
		encoded = append(encoded, vector)
	}
	write(t, dir, "own.npy", npyFile(encoded))
	given := indexJSON(t, dir, "corpus.jsonl", "-o", "given", "--vectors", "own.npy", "--model", "static")
	if given.Model.Kind != "external" || given.Model.ID != builtin.BuiltinID {
		t.Errorf("%+v", given.Model)
	}
	indexJSON(t, dir, "--encoder", "light", "corpus.jsonl", "-o", "here")
	a, b := must(t, dir, "search", "given", "--query", "cats", "--json"), must(t, dir, "search", "here", "--query", "cats", "--json")
	// The level from which hits are close is not measured for given vectors.
	if want := strings.Replace(b.stdout, `"close":true,`, "", 1); a.stdout != want || want == b.stdout {
		t.Errorf("with given vectors %s\nencoded here %s", a.stdout, b.stdout)
	}
	encoded[0], encoded[3] = encoded[3], encoded[0]
	write(t, dir, "mixed.npy", npyFile(encoded))
	fails(t, input, dir, []string{"index", "corpus.jsonl", "-o", "c", "--vectors", "mixed.npy", "--model", "static"}, "cosine")
}

package command

import (
	"encoding/binary"
	"encoding/json"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/model/packer"
	"github.com/vantage-search/vantage/internal/testing/tools"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// A model becomes a folder that a page can load, with a report of what that costs.
func TestModelPack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	newTransformer(t, dir, 1)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("texts.txt", strings.Repeat("the claim that supports night trains\nschool uniforms cost people work\na week of work helps the argument\n", 10))
	write("corpus.jsonl", `{"_id": "a", "text": "night trains"}`+"\n"+`{"_id": "b", "text": "school uniforms"}`+"\n")
	write("words.txt", "night 100\ntrains 7\n")
	write("tables.json", `{"numbers": {"level": [0.14, 0.175]}, "texts": {"for": ["Find a claim that supports the argument: {root}"]}}`)
	report := func(args ...string) (r packer.Report, p *pack.Pack) {
		t.Helper()
		out := must(t, dir, append([]string{"model", "pack", "bert", "--output", "pack", "--samples", "texts.txt"}, args...)...)
		if err := json.Unmarshal([]byte(out.stdout), &r); err != nil {
			t.Fatalf("%v in %s", err, out.stdout)
		}
		p, err := packfile.Read(func(path string) ([]byte, error) {
			return os.ReadFile(filepath.Join(dir, "pack", filepath.FromSlash(path)))
		})
		if err != nil {
			t.Fatal(err)
		}
		return r, p
	}
	r, p := report("--json", "--license", "MIT", "--language", "en", "--prompt", "query=ask: ", "--prompt", "document=doc: ", "--tables", "tables.json", "--id", "tiny")
	m := p.Manifest
	if m.ID != "tiny" || m.Revision != r.Revision || m.License != "MIT" || m.Prompts["query"] != "ask: " || m.Numbers["level"][1] != .175 || len(m.Texts["for"]) != 1 || r.Bits != 4 || len(r.Layers) != 3 {
		t.Errorf("the manifest is %+v, the report %+v", m, r)
	}
	searchWithPack(t, dir, m)
	packWithReader(t, dir, report)
	whole := m.Config.Vocabulary
	if _, p = report("--json", "--bits", "8", "--vocabulary", "90", "--corpus", "texts.txt", "--frequencies", "words.txt"); p.Manifest.Config.Vocabulary != 90 || whole <= 90 {
		t.Errorf("%d pieces of %d", p.Manifest.Config.Vocabulary, whole)
	}
	out := must(t, dir, "model", "pack", "bert", "-o", "pack", "--samples", "texts.txt")
	for _, part := range []string{"4 bits", "vocabulary", "trunk", "held out", "plain", "chosen", "layer"} {
		if !strings.Contains(out.stdout, part) {
			t.Errorf("the report lacks %q:\n%s", part, out.stdout)
		}
	}
	write("pack/notes.txt", "mine")
	fails(t, failed, dir, []string{"model", "pack", "bert", "-o", "pack", "--samples", "texts.txt"}, "pack holds notes.txt, which is no part of a pack: choose another folder")
	write("bert/config.json", `{"model_type": "roberta"}`)
	fails(t, input, dir, []string{"model", "pack", "bert", "-o", "new"}, "bert is a model with an architecture of type roberta: only encoders and classifiers of type bert")
	write("short.txt", "one\n")
	newTransformer(t, dir, 1)
	for _, c := range []struct {
		code int
		part string
		args []string
	}{
		{usage, "MODEL is missing", []string{"-o", "new"}},
		{usage, "give -o PACK", []string{"bert"}},
		{usage, "choose one of 4, 8", []string{"bert", "-o", "new", "--bits", "5"}},
		{usage, "give --corpus, --frequencies, or both", []string{"bert", "-o", "new", "--vocabulary", "80"}},
		{usage, "give --vocabulary PIECES", []string{"bert", "-o", "new", "--corpus", "texts.txt"}},
		{usage, "belong together", []string{"bert", "-o", "new", "--branch", "b.safetensors"}},
		{usage, "must be ROLE=TEXT", []string{"bert", "-o", "new", "--prompt", "query"}},
		{usage, "give at least 10", []string{"bert", "-o", "new", "--samples", "short.txt"}},
		{input, "none.txt", []string{"bert", "-o", "new", "--samples", "none.txt"}},
		{input, "none.safetensors", []string{"bert", "-o", "new", "--reader", "none.safetensors"}},
		{input, "texts.txt: ", []string{"bert", "-o", "new", "--reader", "texts.txt"}},
		{input, `model.safetensors: its metadata have no "reader"`, []string{"bert", "-o", "new", "--reader", "bert/model.safetensors"}},
		{input, "words.txt", []string{"bert", "-o", "new", "--tables", "words.txt"}},
		{input, "texts.txt:1: not a word", []string{"bert", "-o", "new", "--vocabulary", "80", "--frequencies", "texts.txt"}},
		{input, "static model", []string{"static", "-o", "new"}},
	} {
		fails(t, c.code, dir, append([]string{"model", "pack"}, c.args...), c.part)
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); err == nil {
		t.Error("a call that failed has left a folder")
	}
}

// packWithReader makes a pack with a reader of queries. The report and the collection tell what it takes, and a search
// is the same in both engines.
func packWithReader(t *testing.T, dir string, report func(args ...string) (packer.Report, *pack.Pack)) {
	t.Helper()
	r := pack.Reader{States: []int{1, 2}, Width: 8, Labels: []string{"stance:against", "", "place"}}
	var tensors []shard.Tensor
	c := pack.Config{Hidden: modeltest.Hidden, Reader: &r}
	c.Needs(pack.Encoder, pack.ReaderSection, func(n pack.Need) {
		x := shard.Tensor{Name: n.Name, DType: shard.F32, Shape: n.Shape}
		size := n.Shape[0]
		if n.Matrix {
			size *= n.Shape[1]
		}
		for i := range size {
			x.Data = binary.LittleEndian.AppendUint32(x.Data, math.Float32bits(float32(i%7-3)/8))
		}
		tensors = append(tensors, x)
	})
	described, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	content, err := shard.AppendSafetensors(nil, tensors, map[string]string{"reader": string(described)})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "reader.safetensors"), content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	said, p := report("--json", "--reader", "reader.safetensors")
	m := p.Manifest
	if last := said.Sections[len(said.Sections)-1]; last.Name != pack.ReaderSection || last.Bytes != m.Section(pack.ReaderSection).Bytes() || m.Config.Reader == nil || m.Config.Reader.Width != 8 {
		t.Errorf("the report has %+v", said.Sections)
	}
	must(t, dir, "index", "corpus.jsonl", "-o", "read", "--encoder", "pack")
	for _, query := range []string{"night trains", "arguments against night trains", "why people oppose school uniforms"} {
		native := must(t, dir, "search", "read", "--query", query, "--json").stdout
		headless := must(t, dir, "search", "read", "--query", query, "--json", "--engine", "headless").stdout
		if native != headless || !strings.Contains(native, m.Revision) {
			t.Errorf("natively %s, headless %s", native, headless)
		}
	}
	var told struct {
		Pack struct {
			Bytes      int64
			AngleBytes int64 `json:"angle_bytes"`
		}
	}
	if err := json.Unmarshal([]byte(must(t, dir, "inspect", "read", "--verify", "--json").stdout), &told); err != nil {
		t.Fatal(err)
	}
	if want := m.Section(pack.Vocabulary).Bytes() + m.Section(pack.Trunk).Bytes() + m.Section(pack.ReaderSection).Bytes(); told.Pack.Bytes != want || told.Pack.AngleBytes != 0 {
		t.Errorf("inspect says %+v, want %d bytes that every query needs", told.Pack, want)
	}
}

// searchWithPack indexes with the pack in a folder, and searches the collection, which
// encodes its queries by itself in both engines.
func searchWithPack(t *testing.T, dir string, m *pack.Manifest) {
	t.Helper()
	out := must(t, dir, "index", "corpus.jsonl", "-o", "c", "--encoder", "pack", "--json")
	if !strings.Contains(out.stdout, `"kind":"pack"`) || !strings.Contains(out.stdout, m.Revision) {
		t.Error(out.stdout)
	}
	native := must(t, dir, "search", "c", "--query", "night trains", "--json").stdout
	headless := must(t, dir, "search", "c", "--query", "night trains", "--json", "--engine", "headless").stdout
	if native != headless || !strings.Contains(native, m.Revision) || !strings.Contains(native, `"method":"none"`) {
		t.Errorf("natively %s, headless %s", native, headless)
	}
	if out := must(t, dir, "inspect", "c", "--verify"); !strings.Contains(out.stdout, "pack        of bert@") {
		t.Error(out.stdout)
	}
	out = must(t, dir, "index", "corpus.jsonl", "-o", "c", "--encoder", "light")
	if !strings.Contains(out.stderr, "made with the encoder tiny: everything is encoded again") || strings.Contains(out.stdout, " --model ") {
		t.Error(out.stderr, out.stdout)
	}
}

// The reader of queries is what `make reader` makes of the weights in internal/recipes/reader.
func TestMadeReader(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	light := filepath.Join(tools.Root(), "internal/recipes/reader/model")
	report := must(t, dir, "model", "pack", light, "--output", "pack", "--reader", filepath.Join(light, "reader.safetensors"), "--id", "vantage-reader-en", "--license", "Apache-2.0", "--language", "en", "--json")
	var said packer.Report
	if err := json.Unmarshal([]byte(report.stdout), &said); err != nil || len(said.Layers) < 2 || slices.Max(said.Layers) > .002 {
		t.Errorf("the states are off by %v (%v), though the weights were rounded while they were trained", said.Layers, err)
	}
	made := map[string]string{}
	read := func(into map[string]string, files fs.FS) {
		err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			content, err := fs.ReadFile(files, name)
			into[name] = string(content)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	read(made, os.DirFS(filepath.Join(dir, "pack")))
	embedded := map[string]string{}
	read(embedded, builtin.Builtin().Reader)
	if !maps.Equal(made, embedded) || len(made) < 4 {
		t.Errorf("of the weights come the files %q, the program has %q: run `make reader` and commit them", slices.Sorted(maps.Keys(made)), slices.Sorted(maps.Keys(embedded)))
	}
}

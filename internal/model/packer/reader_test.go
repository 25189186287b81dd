package packer

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/packed"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// readerOf is a reader for the small models.
func readerOf() *pack.Reader {
	return &pack.Reader{States: []int{1, 2}, Width: 9, Labels: []string{"", "stance:for", "stance:against", "place"}}
}

// readerTensors are random tensors of a reader.
func readerTensors(r *pack.Reader) (list []shard.Tensor) {
	c := pack.Config{Hidden: modeltest.Hidden, Reader: r}
	seed := float32(1)
	c.Needs(pack.Encoder, pack.ReaderSection, func(n pack.Need) {
		size := 1
		for _, d := range n.Shape {
			size *= d
		}
		values := make([]float32, size)
		for i := range values {
			seed = float32(math.Mod(float64(seed)*16807, 2147483647))
			values[i] = seed/2147483647 - .5
		}
		list = append(list, floatTensor(n.Name, values, n.Shape...))
	})
	return list
}

func floatTensor(name string, values []float32, shape ...int) shard.Tensor {
	x := shard.Tensor{Name: name, DType: shard.F32, Shape: shape}
	for _, v := range values {
		x.Data = binary.LittleEndian.AppendUint32(x.Data, math.Float32bits(v))
	}
	return x
}

// writeReader writes the file of a reader, as internal/recipes/reader does.
func writeReader(t testing.TB, tensors []shard.Tensor, described any) string {
	t.Helper()
	var metadata map[string]string
	switch d := described.(type) {
	case nil:
	case string:
		metadata = map[string]string{"reader": d}
	default:
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		metadata = map[string]string{"reader": string(text)}
	}
	b, err := shard.AppendSafetensors(nil, tensors, metadata)
	if err != nil {
		t.Fatal(err)
	}
	return writeFile(t, b)
}

func writeFile(t testing.TB, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "reader.safetensors")
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// A reader travels in a section of its own, with 8 bits whatever the rest has, and the pack reads with it. The
// vectors of texts are as without it.
func TestReader(t *testing.T) {
	src := small(t, nil, 1)
	tensors := readerTensors(readerOf())
	path := writeReader(t, tensors, readerOf())
	for _, bits := range []int{4, 8} {
		bare, _ := makePack(t, src, Options{Bits: bits})
		r, p := makePack(t, src, Options{Bits: bits, Reader: path})
		m := p.Manifest
		if got, want := m.Config.Reader, readerOf(); got == nil || !slices.Equal(got.States, want.States) || got.Width != want.Width || !slices.Equal(got.Labels, want.Labels) {
			t.Fatalf("the reader is %+v", got)
		}
		if bare.Pack.Revision == r.Pack.Revision || bare.Pack.Section(pack.Trunk).Files[0] != r.Pack.Section(pack.Trunk).Files[0] {
			t.Error("the reader changes the trunk, or not the revision")
		}
		if last := r.Report.Sections[len(r.Report.Sections)-1]; last.Name != pack.ReaderSection || last.Bytes != m.Section(pack.ReaderSection).Bytes() || last.Memory < 9*2*modeltest.Hidden || last.Files != 1 {
			t.Errorf("the report has %+v", r.Report.Sections)
		}
		var printed bytes.Buffer
		if err := r.Report.Print(&printed); err != nil || !strings.Contains(printed.String(), "\n  reader ") {
			t.Errorf("%v in\n%s", err, printed.String())
		}
		for _, x := range m.Section(pack.ReaderSection).Tensors {
			if len(x.Shape) == 2 && x.Encoding != pack.Q8 {
				t.Errorf("%s has the encoding %s", x.Name, x.Encoding)
			}
		}
		f := newFloats(t, p)
		for _, x := range tensors {
			want, err := x.Float32()
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range f.values[x.Name] {
				if approx.Apart(float64(v), float64(want[i]), .003) {
					t.Fatalf("value %d of %s is %v, not %v", i, x.Name, v, want[i])
				}
			}
		}
		pool := dense.NewPool(1)
		defer pool.Close()
		e, err := packed.Open(r.Files[pack.FileName], nil, pool)
		if err != nil {
			t.Fatal(err)
		}
		for _, section := range []string{pack.Vocabulary, pack.Trunk, pack.ReaderSection} {
			for _, f := range m.Section(section).Files {
				if err := e.File(section, r.Files[f.Path]); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := e.Read("school uniforms help people"); err != nil {
			t.Error(err)
		}
	}
}

// Files that hold no reader of the model are refused before anything is rounded, by an error that names the file.
func TestReaderRefusals(t *testing.T) {
	src := small(t, nil, 1)
	good := readerTensors(readerOf())
	changed := func(name string, by ...shard.Tensor) []shard.Tensor {
		list := slices.DeleteFunc(slices.Clone(good), func(x shard.Tensor) bool { return x.Name == name })
		return append(list, by...)
	}
	described := func(change func(r *pack.Reader)) *pack.Reader {
		r := readerOf()
		change(r)
		return r
	}
	zeros := func(name string, shape ...int) shard.Tensor {
		n := 1
		for _, d := range shape {
			n *= d
		}
		return floatTensor(name, make([]float32, n), shape...)
	}
	infinite := zeros("reader.root.bias", 1)
	copy(infinite.Data, "\x00\x00\x80\x7f")
	const h = modeltest.Hidden
	for what, c := range map[string]struct {
		path string
		says string
	}{
		"no file":               {filepath.Join(t.TempDir(), "none.safetensors"), "none.safetensors"},
		"a folder":              {t.TempDir(), ""},
		"no safetensors":        {writeFile(t, []byte("a reader")), "header"},
		"empty":                 {writeFile(t, nil), "header"},
		"a huge header":         {writeFile(t, []byte("\xff\xff\xff\xff\xff\xff\xff\x7f{}")), "header"},
		"no metadata":           {writeReader(t, good, nil), `its metadata have no "reader": make it with internal/recipes/reader`},
		"no JSON":               {writeReader(t, good, "{"), `its metadata "reader": `},
		"a list":                {writeReader(t, good, "[1]"), `its metadata "reader": `},
		"deep JSON":             {writeReader(t, good, strings.Repeat("[", 100_000)), `its metadata "reader": `},
		"nothing said":          {writeReader(t, good, "{}"), "width 0, 0 states and 0 labels"},
		"no labels":             {writeReader(t, good, described(func(r *pack.Reader) { r.Labels = nil })), "0 labels"},
		"no states":             {writeReader(t, good, described(func(r *pack.Reader) { r.States = nil })), "0 states"},
		"a negative width":      {writeReader(t, changed("reader.states.weight", zeros("reader.states.weight", 1, 2*h)), described(func(r *pack.Reader) { r.Width = -1 })), "width -1"},
		"a huge width":          {writeReader(t, good, described(func(r *pack.Reader) { r.Width = 1 << 40 })), "five times the width of the reader"},
		"an odd width":          {writeReader(t, good, described(func(r *pack.Reader) { r.Width = math.MaxInt/5 + 1 })), "width of the reader"},
		"layers that rise":      {writeReader(t, good, described(func(r *pack.Reader) { r.States = []int{2, 1} })), "layers [2 1], but the model has the layers 1 to 2"},
		"layers of another":     {writeReader(t, good, described(func(r *pack.Reader) { r.States = []int{2, 6} })), "was it trained on this model?"},
		"layer 0":               {writeReader(t, good, described(func(r *pack.Reader) { r.States = []int{0, 1} })), "layers [0 1]"},
		"another label":         {writeReader(t, good, described(func(r *pack.Reader) { r.Labels[3] = "weather" })), `the label "weather"`},
		"another width":         {writeReader(t, good, described(func(r *pack.Reader) { r.Width = 8 })), `tensor "reader.states.weight" has shape [9 64], not [8 64]`},
		"more labels":           {writeReader(t, good, described(func(r *pack.Reader) { r.Labels = append(r.Labels, "time") })), `tensor "reader.label.weight" has shape [4 27], not [5 27]`},
		"fewer labels":          {writeReader(t, good, described(func(r *pack.Reader) { r.Labels = r.Labels[:3] })), `tensor "reader.label.weight" has shape [4 27], not [3 27]`},
		"a tensor missing":      {writeReader(t, changed("reader.gate.bias"), readerOf()), `no tensor "reader.gate.bias"`},
		"a turned tensor":       {writeReader(t, changed("reader.near.1.weight", zeros("reader.near.1.weight", 45, 9)), readerOf()), `tensor "reader.near.1.weight" has shape [45 9], not [9 45]`},
		"a flat tensor":         {writeReader(t, changed("reader.near.1.weight", zeros("reader.near.1.weight", 9*45)), readerOf()), `tensor "reader.near.1.weight" has shape [405], not [9 45]`},
		"an infinite number":    {writeReader(t, changed("reader.root.bias", infinite), readerOf()), `tensor "reader.root.bias": value 0 is +Inf`},
		"whole numbers":         {writeReader(t, changed("reader.root.bias", shard.Tensor{Name: "reader.root.bias", DType: shard.U32, Shape: []int{1}, Data: make([]byte, 4)}), readerOf()), "expected F32 or F16"},
		"another tensor":        {writeReader(t, changed("", zeros("reader.more", 2)), readerOf()), `it has a tensor "reader.more", which is not of a reader`},
		"a tensor of the trunk": {writeReader(t, changed("", zeros("embeddings.LayerNorm.bias", h)), readerOf()), `it has a tensor "embeddings.LayerNorm.bias", which is not of a reader`},
	} {
		_, err := Pack(t.Context(), src, Options{Bits: 4, Samples: samples(20), Reader: c.path, Progress: func(string, int64, int64) { t.Errorf("%s: rounding has begun", what) }})
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Count(err.Error(), c.path) != 1 {
			t.Errorf("%s: %v, want %q", what, err, c.says)
		}
		if len(err.Error()) > 1000 {
			t.Errorf("%s: an error of %d bytes", what, len(err.Error()))
		}
	}
	large := filepath.Join(t.TempDir(), "large.safetensors")
	if err := os.WriteFile(large, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, maxReader+1); err != nil {
		t.Fatal(err)
	}
	if _, err := Pack(t.Context(), src, Options{Bits: 4, Samples: samples(20), Reader: large}); fault.Of(err) != fault.Input || strings.Count(err.Error(), "large.safetensors") != 1 || !strings.Contains(err.Error(), "the most for a file of a reader") {
		t.Errorf("a large file: %v", err)
	}
	// Models that give each token a vector, and those that give pairs scores, have none.
	for what, src := range map[string]string{"ColBERT": colbert(t, modeltest.Object{"query_maxlen": 8, "doc_maxlen": 16}), "cross-encoder": crossEncoder(t, "relevance")} {
		if _, err := Pack(t.Context(), opened(t, src), Options{Bits: 8, Samples: samples(20), Reader: writeReader(t, good, readerOf())}); fault.Of(err) != fault.Unsupported || !strings.Contains(err.Error(), "a reader needs an encoder") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Only tables may have more rows than the pack has: in a layer they would be another model's.
func TestTensorsOfAnotherModel(t *testing.T) {
	src := small(t, nil, 1)
	path := filepath.Join(t.TempDir(), "branch.safetensors")
	tensors := modeltest.NewTensors(9)
	c := pack.Config{Hidden: modeltest.Hidden, Intermediate: 4 * modeltest.Hidden, Branch: &pack.Branch{From: 1, Layers: 1, Dimension: 6}}
	c.Needs(pack.Encoder, pack.BranchSection, func(n pack.Need) {
		shape := slices.Clone(n.Shape)
		if n.Name == "branch.0.intermediate.dense.weight" {
			shape[0] *= 2
		}
		tensors.Add(n.Name, .2, shape...)
	})
	if err := tensors.Write(path); err != nil {
		t.Fatal(err)
	}
	if _, err := Pack(t.Context(), src, Options{Bits: 4, Samples: samples(20), Branch: path, BranchFrom: 1}); err == nil || !strings.Contains(err.Error(), "branch.0.intermediate.dense.weight") {
		t.Error(err)
	}
}

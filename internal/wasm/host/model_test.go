package host

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	_ "github.com/vantage-search/vantage/internal/search/packrun" // for the native core
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/packed"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
	"github.com/vantage-search/vantage/perspective"
)

// testedModel is the model of a pack, opened in the core and natively.
type testedModel struct {
	t      testing.TB
	in     *instance
	handle uint64
	native *packed.Encoder
}

// openModel reads a pack in both engines, the reader last.
func openModel(t testing.TB, in *instance, files packfile.Files, workers int) *testedModel {
	t.Helper()
	pool := dense.NewPool(workers)
	t.Cleanup(pool.Close)
	native, err := packed.Open(files[pack.FileName], sha256.Sum256, pool)
	if err != nil {
		t.Fatal(err)
	}
	b := batch{in: in}
	manifest := files[pack.FileName]
	handle, err := in.call("model_open", uint64(b.put(manifest)), uint64(len(manifest)))
	if err != nil {
		t.Fatal(err)
	}
	b.release()
	room, err := in.allocate(pack.MaxFile) // one for all files, as a page has it
	if err != nil {
		t.Fatal(err)
	}
	defer in.release(room)
	for i, name := range sections {
		s := native.Manifest().Section(name)
		if s == nil {
			continue
		}
		for _, f := range s.Files {
			content := files[f.Path]
			if !in.module.Memory().Write(room, content) {
				t.Fatal("no room")
			}
			if _, err := in.call("model_file", uint64(handle), uint64(i), uint64(room), uint64(len(content))); err != nil {
				t.Fatal(err)
			}
			if err := native.File(name, content); err != nil {
				t.Fatal(err)
			}
		}
	}
	return &testedModel{t, in, uint64(handle), native}
}

// compare encodes a text in both, and returns the vectors.
func (m *testedModel) compare(text string) (vector, branch []float32) {
	m.t.Helper()
	dim, branchDim := m.native.Dim()
	vector, branch = make([]float32, dim), make([]float32, branchDim)
	if branchDim == 0 {
		branch = nil
	}
	info, err := m.native.Encode(vector, branch, text)
	if err != nil {
		m.t.Fatal(err)
	}
	b := batch{in: m.in}
	defer b.release()
	at, out := b.put([]byte(text)), b.room(4*dim)
	var outBranch uint32
	if branch != nil {
		outBranch = b.room(4 * branchDim)
	}
	facts := b.room(binary.Size(abi.EncodeInfo{}))
	if _, err := m.in.call("model_encode", m.handle, uint64(at), uint64(len(text)), uint64(out), uint64(outBranch), uint64(facts)); err != nil {
		m.t.Fatalf("%.40q: %v", text, err)
	}
	same := func(what string, at uint32, want []float32) {
		bytes, ok := m.in.module.Memory().Read(at, uint32(4*len(want)))
		if !ok {
			m.t.Fatal("no such memory")
		}
		for i, v := range want {
			if got := binary.LittleEndian.Uint32(bytes[4*i:]); got != math.Float32bits(v) {
				m.t.Fatalf("%.40q: component %d of the %s is %v under wazero, %v natively", text, i, what, math.Float32frombits(got), v)
			}
		}
	}
	same("vector", out, vector)
	if branch != nil {
		same("branch", outBranch, branch)
	}
	if n, ok := m.in.module.Memory().ReadUint32Le(facts); !ok || int(n) != info.Tokens {
		m.t.Fatalf("%.40q: %d tokens under wazero, %d natively", text, n, info.Tokens)
	}
	return vector, branch
}

// reading reads a query in the core, with the model of a handle, as a page does.
func (in *instance) reading(t testing.TB, model uint64, query string) (r perspective.Reading) {
	t.Helper()
	b := batch{in: in}
	defer b.release()
	at, info := b.put([]byte(query)), b.room(binary.Size(abi.SplitInfo{}))
	found, err := in.call("query_split", model, uint64(at), uint64(len(query)), uint64(info))
	if err != nil {
		t.Fatalf("%.40q: %v", query, err)
	}
	raw, ok := in.module.Memory().Read(info, uint32(binary.Size(abi.SplitInfo{})))
	var split abi.SplitInfo
	if _, err := binary.Decode(raw, binary.LittleEndian, &split); err != nil || !ok {
		t.Fatal(err)
	}
	if found == 0 {
		if split != (abi.SplitInfo{}) {
			t.Fatalf("%.40q: no reading, but %+v", query, split)
		}
		return r
	}
	text := func(at, length uint32) string {
		content, ok := in.module.Memory().Read(at, length)
		if !ok {
			t.Fatal("no such memory")
		}
		return string(content)
	}
	return perspective.Reading{
		Root: text(split.Root, split.RootLength), Perspective: text(split.Perspective, split.PerspectiveLength), Kind: perspective.Kind(text(split.Kind, split.KindLength)),
		Side: []int{0, 1, -1}[split.Side], Both: split.Both != 0,
	}
}

// read reads a query in both engines.
func (m *testedModel) read(query string) perspective.Reading {
	m.t.Helper()
	want, err := m.native.Read(query)
	if err != nil {
		m.t.Fatal(err)
	}
	if got := m.in.reading(m.t, m.handle, query); got != want {
		m.t.Fatalf("%.40q: %+v under wazero, %+v natively", query, got, want)
	}
	return want
}

// A model reads queries in the core as natively, to the bit: with four and with eight bits, whatever the words. Without
// a reader, or with no model, the wording alone is read.
func TestModelReadsAsNative(t *testing.T) {
	in := startCore(t)
	words := strings.Fields("arguments against the night trains , why school uniforms ? unknownwordxyz a claim that opposes")
	queries := []string{"", "?", "\x00", "\xff", "\u200b", "night \u200b", strings.Repeat("night trains ", 40), strings.Repeat("a", 64<<10), strings.Repeat("?!", 32<<10),
		"Find a claim that opposes the argument: night trains help", "pros and cons of night trains", "make me hate trains", "nurses on trains"}
	for i := range words {
		queries = append(queries, strings.Join(words[i:], " "), strings.Join(words[:i], " "))
	}
	others := 0
	for seed := range uint64(6) {
		make := quantized.TinyPack // of 8 bits
		if seed%2 == 0 {
			make = quantized.FourBitPack
		}
		c := quantized.Reading
		if seed == 5 {
			c.Reader = transformer.QuantizedReader{}
		}
		files, err := make(c, seed)
		if err != nil {
			t.Fatal(err)
		}
		m := openModel(t, in, files, 2)
		for _, query := range queries {
			r := m.read(query)
			if by := perspective.Read(query); r != by {
				if others++; seed == 5 {
					t.Errorf("%q: %+v without a reader, %+v by the wording", query, r, by)
				}
			}
			if none, by := in.reading(t, 0, query), perspective.Read(query); none != by {
				t.Errorf("%.40q: %+v without a model, natively %+v", query, none, by)
			}
			m.compare("the cat sat")
		}
		m.close()
		b := batch{in: in}
		at, info := b.put([]byte("a query")), b.room(binary.Size(abi.SplitInfo{}))
		for _, handle := range []uint64{m.handle, 99} { // one that is closed, and one that never was
			if _, err := in.call("query_split", handle, uint64(at), 7, uint64(info)); !errors.Is(err, fault.Internal) || !strings.Contains(err.Error(), "model") {
				t.Errorf("handle %d: %v", handle, err)
			}
		}
		b.release()
	}
	if others < 20 {
		t.Errorf("%d readings differ from those by the wording", others)
	}
}

// Before the reader has been read, and while its files come, the wording alone is read.
func TestModelReadsBeforeItsReader(t *testing.T) {
	in := startCore(t)
	files, err := quantized.TinyPack(quantized.Reading, 1)
	if err != nil {
		t.Fatal(err)
	}
	b := batch{in: in}
	defer b.release()
	manifest := files[pack.FileName]
	handle, err := in.call("model_open", uint64(b.put(manifest)), uint64(len(manifest)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := pack.Parse(manifest)
	if err != nil {
		t.Fatal(err)
	}
	const query = "why people oppose night trains"
	model := in.reading(t, uint64(handle), query)
	for _, section := range []int{abi.SectionReader, abi.SectionTrunk, abi.SectionVocabulary} {
		if model != perspective.Read(query) {
			t.Errorf("before section %d: %+v", section, model)
		}
		for _, f := range p.Section(sections[section]).Files {
			content := files[f.Path]
			if _, err := in.call("model_file", uint64(handle), uint64(section), uint64(b.put(content)), uint64(len(content))); err != nil {
				t.Fatal(err)
			}
		}
		model = in.reading(t, uint64(handle), query)
	}
	if whole := openModel(t, in, files, 1); model != whole.read(query) {
		t.Errorf("%+v, natively %+v", model, whole.read(query))
	}
}

func (m *testedModel) close() {
	if _, err := m.in.call("model_close", m.handle); err != nil {
		m.t.Error(err)
	}
}

func startCore(t testing.TB) *instance {
	ctx := context.Background()
	engine, err := New(ctx)
	if err != nil {
		t.Fatal(err)
	}
	made, err := engine.Core(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { made.Close() })
	return made.(core).in
}

// A model gives the same bits in the core, where the SIMD kernel computes, and natively,
// for texts of all lengths, the empty one included.
func TestModelAgreesWithNative(t *testing.T) {
	in := startCore(t)
	for i, c := range []transformer.QuantizedConfig{
		{Hidden: 64, Layers: 3, Heads: 2, Intermediate: 160, Positions: 70, Types: 2, Epsilon: 1e-12, Activation: dense.GELU, Normalize: true,
			Branch: transformer.QuantizedBranch{From: 1, Layers: 2, Out: 22}},
		{Hidden: 48, Layers: 2, Heads: 4, Intermediate: 64, Positions: 70, Types: 1, Epsilon: 1e-5, Activation: dense.GELUTanh, CLS: true, Limit: 50,
			Dense: []transformer.QuantizedDense{{Name: "dense.0", Out: 21, Activation: dense.Tanh}, {Name: "dense.1", Out: 13, Activation: dense.GELU}}},
	} {
		make := quantized.TinyPack // of 8 bits
		if i == 0 {
			make = quantized.FourBitPack
		}
		files, err := make(c, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		m := openModel(t, in, files, 2)
		words := strings.Fields(strings.Repeat("the cat sat on a mat and dogs ran . unknownwordxyz ", 9))
		for n := range len(words) {
			m.compare(strings.Join(words[:n], " "))
		}
		m.compare(strings.Repeat("the cat ", 40_000)) // cut
		m.close()
	}
}

// A model that has not been read, one file too many, and handles and sections that do not
// exist are errors, and the core goes on.
func TestModelMisuse(t *testing.T) {
	in := startCore(t)
	files, err := quantized.TinyPack(transformer.QuantizedConfig{Hidden: 16, Layers: 1, Heads: 1, Intermediate: 16, Positions: 8, Types: 1, Epsilon: 1e-12, Activation: dense.GELU}, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := openModel(t, in, files, 1)
	b := batch{in: in}
	defer b.release()
	manifest := files[pack.FileName]
	json, room := b.put(manifest), b.room(1024)
	empty, err := in.call("model_open", uint64(json), uint64(len(manifest)))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []uint64
		want error
	}{
		{"model_open", []uint64{uint64(json), 10}, fault.Input},
		{"model_encode", []uint64{uint64(empty), uint64(room), 1, uint64(room), 0, uint64(room)}, fault.Unavailable},
		{"model_encode", []uint64{m.handle, uint64(room), 1, uint64(room) + 1020, 0, uint64(room)}, fault.Internal},
		{"model_encode", []uint64{99, uint64(room), 1, uint64(room), 0, uint64(room)}, fault.Internal},
		{"model_file", []uint64{m.handle, abi.SectionTrunk, uint64(room), 10}, fault.Input},
		{"model_file", []uint64{uint64(empty), abi.SectionTrunk, uint64(room), 10}, fault.Integrity},
		{"model_file", []uint64{m.handle, 7, uint64(room), 10}, fault.Internal},
		{"model_close", []uint64{99}, fault.Internal},
	} {
		if _, err := in.call(c.name, c.args...); !errors.Is(err, c.want) {
			t.Errorf("%s%v: %v, want a fault of kind %v", c.name, c.args, err, c.want)
		}
	}
	m.compare("the cat sat")
}

// A pack whose rows hold invalid values is refused in the core, where the SIMD kernel reads
// them, just as it is natively.
func TestModelRefusesRows(t *testing.T) {
	files, err := quantized.FourBitPack(transformer.QuantizedConfig{Hidden: 64, Layers: 1, Heads: 2, Intermediate: 96, Positions: 16, Types: 1, Epsilon: 1e-12, Activation: dense.GELU}, 3)
	if err != nil {
		t.Fatal(err)
	}
	in := startCore(t)
	p, err := pack.Parse(files[pack.FileName])
	if err != nil {
		t.Fatal(err)
	}
	file := p.Section(pack.Trunk).Files[0].Path
	sound := files[file]
	for _, change := range []struct {
		at    int // of the first matrix, whose rows have two groups of 18 bytes
		value byte
		ok    bool
	}{{0, sound[0], true}, {36 + 1, 0x7c, false}, {72 + 18 + 1, 0x80, false}, {108 + 9, 0x08, false}, {108 + 18 + 2, 0x80, false}, {18, 1, true}} {
		content := append([]byte(nil), sound...)
		content[change.at] = change.value
		native, err := packed.Open(files[pack.FileName], nil, dense.NewPool(1))
		if err != nil {
			t.Fatal(err)
		}
		want := native.File(pack.Trunk, content)
		if (want == nil) != change.ok {
			t.Fatalf("byte %d: %v natively", change.at, want)
		}
		b := batch{in: in}
		manifest := files[pack.FileName]
		handle, err := in.call("model_open", uint64(b.put(manifest)), uint64(len(manifest)))
		if err != nil {
			t.Fatal(err)
		}
		_, got := in.call("model_file", uint64(handle), abi.SectionTrunk, uint64(b.put(content)), uint64(len(content)))
		if change.ok != (got == nil) || got != nil && got.Error() != want.Error() {
			t.Errorf("byte %d: %v in the core, %v natively", change.at, got, want)
		}
		b.release()
		if _, err := in.call("model_close", uint64(handle)); err != nil {
			t.Fatal(err)
		}
	}
}

// With a model of the bundled pack's size, the core takes at most 45 MB, even after a text of
// 256 tokens. The model's vectors are near those of PyTorch.
func TestModelOfSides(t *testing.T) {
	dir := shared.Path(t, "model/sides")
	golden, err := quantized.ReadGolden(dir)
	if err != nil {
		t.Fatal(err)
	}
	files, err := quantized.SidesPack(dir)
	if err != nil {
		t.Fatal(err)
	}
	in := startCore(t)
	m := openModel(t, in, files, 2)
	before := in.module.Memory().Size()
	for i, text := range golden.Texts {
		vector, branch := m.compare(text.Text)
		if cos := dot(vector, text.Topic4); cos < .99 {
			t.Errorf("text %d: cosine %v to the topic vector of float32", i, cos)
		}
		if cos := dot(branch, text.Angle4); cos < .99 {
			t.Errorf("text %d: cosine %v to the angle vector of float32", i, cos)
		}
	}
	after := in.module.Memory().Size()
	t.Logf("memory of the core with the model: %.1f MB, after encoding %.1f MB", float64(before)/1e6, float64(after)/1e6)
	if after > 45e6 {
		t.Errorf("the core takes %d bytes, at most 45 MB", after)
	}
}

func dot(a, b []float32) (sum float64) {
	for i, v := range a {
		sum += float64(v) * float64(b[i])
	}
	return sum
}

package pack_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

var _ transformer.Weights8 = (*pack.Pack)(nil)

// However a pack is cut into files, it gives what was stored: matrices rounded from their
// exact values, and vectors unchanged.
func TestRead(t *testing.T) {
	for _, fileBytes := range []int{37, 1000, pack.MaxFile} {
		m := tiny()
		files, tensors := made(t, m, fileBytes)
		p, err := packfile.Read(files.Get)
		if err != nil {
			t.Fatal(err)
		}
		for name, s := range tensors {
			if s.rows == nil {
				v, err := p.Vector(name, len(s.vector))
				if err != nil || !slices.Equal(v, s.vector) {
					t.Fatalf("%d bytes a file: %s differs (%v)", fileBytes, name, err)
				}
				continue
			}
			got, err := p.Matrix(name, len(s.rows), len(s.rows[0]))
			if err != nil {
				t.Fatal(err)
			}
			row := make([]int8, got.In)
			for i, values := range s.rows {
				if got.Scales[i] != s.scales[i] || !slices.Equal(got.Values[i*got.In:][:got.In], roundTo(row, values, s.scales[i])) {
					t.Fatalf("%d bytes a file: %s differs in row %d (%s)", fileBytes, name, i, s.Encoding)
				}
			}
		}
		m.Format, m.Version, m.Revision, m.Sections, m.Tokenizer = pack.Format, pack.Version, p.Manifest.Revision, p.Manifest.Sections, p.Manifest.Tokenizer
		m.Config.Vocabulary = len(modeltest.Vocabulary())
		if !reflect.DeepEqual(&m, p.Manifest) || len(m.Revision) != 16 {
			t.Errorf("the manifest is %+v", p.Manifest)
		}
	}
}

// Rows of 4 bits of every kind, also with scales of zero and of the extremes, are
// rounded as if they were multiplied out first.
func TestRowsAreRoundedByTheRule(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	m := tiny()
	m.Config.Vocabulary = len(modeltest.Vocabulary())
	tensors := random(m, 3)
	const name = "embeddings.word_embeddings.weight"
	for round := range 40 {
		s := stored{Tensor: packfile.Tensor{Encoding: pack.Q4}}
		for range m.Config.Vocabulary {
			row, scale := make([]float32, m.Config.Hidden), float32(0)
			s.Payload, scale = appendQ4(s.Payload, r, row)
			s.rows, s.scales = append(s.rows, row), append(s.scales, scale)
		}
		tensors[name] = s
		p, err := packfile.Read(build(t, m, tensors, 0).Get)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Matrix(name, m.Config.Vocabulary, m.Config.Hidden)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]int8, m.Config.Hidden)
		for i, row := range s.rows {
			if roundTo(want, row, s.scales[i]); s.scales[i] != got.Scales[i] || !slices.Equal(want, got.Values[i*got.In:][:got.In]) {
				t.Fatalf("round %d, row %d: %v × %g, want %v × %g", round, i, got.Values[i*got.In:][:got.In], got.Scales[i], want, s.scales[i])
			}
		}
	}
}

// A vocabulary and settings that are stored separately make the same tokenizer as one file
// with both.
func TestTokenizer(t *testing.T) {
	files, _ := made(t, tiny(), 100)
	p, err := packfile.Read(files.Get)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := json.Marshal(modeltest.Tokenizer())
	if err != nil {
		t.Fatal(err)
	}
	want, err := encode.ParseTokenizer(whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "The school uniforms help!", "[SEP] xyzzy Ünïcode [MASK]", "night trains: work, work, work"} {
		for _, limit := range []int{0, 4} {
			if a, b := p.Tokenizer().EncodeSpecial(nil, text, limit), want.EncodeSpecial(nil, text, limit); !slices.Equal(a, b) {
				t.Errorf("%q: %v, want %v", text, a, b)
			}
		}
	}
	if !p.Tokenizer().TakesPairs() {
		t.Error("the tokenizer takes no pairs")
	}
}

// A section is there when it has been read to its end, and not before.
func TestSectionsComeOneByOne(t *testing.T) {
	files, _ := made(t, tiny(), 500)
	p, err := pack.Open(files[pack.FileName], nil)
	if err != nil {
		t.Fatal(err)
	}
	read := func(section string) {
		d, err := p.Read(section)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range p.Manifest.Section(section).Files {
			if p.Has("projection.weight") {
				t.Error("a tensor is there before its section has ended")
			}
			if err := d.File(files[f.Path]); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if read(pack.Trunk); p.Has("projection.weight") || !p.Has("embeddings.LayerNorm.bias") || p.Tokenizer() != nil {
		t.Error("the trunk has what it should not, or lacks something")
	}
	if read(pack.BranchSection); !p.Has("projection.weight") || !p.Has("branch.0.output.dense.bias") || p.Has("reader.root.bias") {
		t.Error("the branch lacks a tensor, or has what it should not")
	}
}

// The reader, too, comes when it will, before the trunk or after it.
func TestReaderComesByItself(t *testing.T) {
	files, _ := made(t, tiny(), 500)
	p, err := pack.Open(files[pack.FileName], nil)
	if err != nil {
		t.Fatal(err)
	}
	readSection(t, p, files, pack.ReaderSection)
	var names []string
	p.Manifest.Config.Needs(pack.Encoder, pack.ReaderSection, func(n pack.Need) {
		if names = append(names, n.Name); !p.Has(n.Name) {
			t.Errorf("no tensor %s", n.Name)
		}
	})
	if len(names) != 12 || p.Has("embeddings.LayerNorm.bias") {
		t.Errorf("the reader has the tensors %q", names)
	}
}

// Reading takes the memory that the manifest states, and little beside.
func TestMemory(t *testing.T) {
	m := tiny()
	m.Config.Hidden, m.Config.Heads, m.Config.Intermediate, m.Config.Layers, m.Config.Dense = 192, 4, 768, 4, nil
	files, _ := made(t, m, 100_000)
	p, err := pack.Open(files[pack.FileName], nil)
	if err != nil {
		t.Fatal(err)
	}
	stated := p.Manifest.Memory(pack.Trunk)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	readSection(t, p, files, pack.Trunk)
	runtime.ReadMemStats(&after)
	if took := int64(after.TotalAlloc - before.TotalAlloc); took > stated+stated/20+50_000 || stated < 1_000_000 {
		t.Errorf("reading took %d bytes, the manifest states %d", took, stated)
	}
	if p.Manifest.Memory(pack.Vocabulary) < p.Manifest.Section(pack.Vocabulary).Bytes() || p.Manifest.Memory("other") != 0 {
		t.Error("the memory of the vocabulary is not stated")
	}
}

func BenchmarkRead(b *testing.B) {
	m := tiny()
	m.Config.Hidden, m.Config.Heads, m.Config.Intermediate, m.Config.Layers, m.Config.Dense, m.Config.Branch, m.Config.Reader = 384, 12, 1536, 6, nil, nil, nil
	files, _ := made(b, m, 0)
	p, err := pack.Open(files[pack.FileName], nil)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(p.Manifest.Section(pack.Trunk).Bytes())
	for b.Loop() {
		d, _ := p.Read(pack.Trunk)
		for _, f := range p.Manifest.Section(pack.Trunk).Files {
			if err := d.File(files[f.Path]); err != nil {
				b.Fatal(err)
			}
		}
	}
}

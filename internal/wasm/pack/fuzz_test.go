package pack_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
)

// Any text is a manifest that can be used, or an error of a kind.
func FuzzParse(f *testing.F) {
	for _, fileBytes := range []int{0, 3000} {
		files, _ := made(f, tiny(), fileBytes)
		f.Add(files[pack.FileName])
	}
	files, _ := made(f, late(), 0)
	f.Add(files[pack.FileName])
	f.Add([]byte(strings.Replace(string(files[pack.FileName]), `"query_length":8`, `"query_length":17`, 1)))
	f.Add([]byte(strings.Replace(string(files[pack.FileName]), `"skip":[9,11,12]`, `"skip":[9,11,1200]`, 1)))
	files, _ = made(f, tiny(), 0)
	f.Add([]byte(strings.Replace(string(files[pack.FileName]), `"states":[1,2]`, `"states":[2,1]`, 1)))
	f.Add([]byte(strings.Replace(string(files[pack.FileName]), `"width":7`, `"width":4096`, 1)))
	f.Add([]byte(`{"format":"vantage-pack","version":1}`))
	f.Add([]byte(`{"format":"vantage-pack","version":2}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := pack.Parse(text)
		if err != nil {
			if fault.Of(err) == "" || fault.Of(err) == fault.Internal {
				t.Fatalf("%v is of no kind", err)
			}
			return
		}
		if n := m.Memory(pack.Trunk) + m.Memory(pack.BranchSection) + m.Memory(pack.ReaderSection); n < 1 || n > pack.MaxMemory {
			t.Fatalf("%d bytes of memory", n)
		}
		if m.Config.Hidden%m.Config.Heads != 0 || m.Config.Dimension() < 1 {
			t.Fatal("a configuration that cannot be used")
		}
		if k := m.Config.Tokens; k != nil {
			for _, id := range append(slices.Clone(k.Skip), k.QueryMarker, k.DocumentMarker, k.Mask) {
				if id < 0 || id >= m.Config.Vocabulary {
					t.Fatalf("id %d of no piece", id)
				}
			}
			if max(k.QueryLength, k.DocumentLength) > m.Config.MaxLength {
				t.Fatal("texts that the model does not take")
			}
		}
		if r := m.Config.Reader; r != nil {
			if len(r.States) == 0 || !slices.IsSorted(r.States) || r.States[0] < 1 || r.States[len(r.States)-1] > m.Config.Layers || len(r.Labels) == 0 || r.Width < 1 {
				t.Fatalf("a reader %+v of %d layers", r, m.Config.Layers)
			}
			if m.Kind != pack.Encoder || m.Config.Tokens != nil || m.Section(pack.ReaderSection) == nil {
				t.Fatal("a reader where none can be")
			}
		}
		for _, s := range m.Sections {
			for _, f := range s.Files {
				if f.Bytes > pack.MaxFile {
					t.Fatal("a large file")
				}
			}
		}
	})
}

// Any payload of the right length gives tensors that can be used, or an error of
// a kind, wherever it is cut.
func FuzzSection(f *testing.F) {
	m := tiny()
	m.Config.Layers, m.Config.Reader.States, m.Config.Dense, m.Config.Intermediate = 1, []int{1}, nil, 3
	m.Config.Vocabulary = len(modeltest.Vocabulary())
	tensors := random(m, 4)
	files := build(f, m, tensors, 0)
	whole, err := pack.Open(files[pack.FileName], nil)
	if err != nil {
		f.Fatal(err)
	}
	names := map[bool]string{false: pack.BranchSection, true: pack.ReaderSection}
	payloads := map[bool][]byte{}
	for reader, name := range names {
		payload := files[whole.Manifest.Section(name).Files[0].Path]
		payloads[reader] = payload
		f.Add(reader, payload, uint16(0), 500)
		f.Add(reader, payload, uint16(9), 1)
		f.Add(reader, bytes.Repeat([]byte{0xff}, len(payload)), uint16(0), 64)
	}
	f.Fuzz(func(t *testing.T, reader bool, changes []byte, at uint16, cut int) {
		name, content := names[reader], bytes.Clone(payloads[reader])
		copy(content[int(at)%len(content):], changes)
		if cut < 1 || cut > len(content) {
			cut = len(content)
		}
		p, err := pack.Open(files[pack.FileName], nil)
		if err != nil {
			t.Fatal(err)
		}
		section := p.Manifest.Section(name)
		section.Files = nil
		for rest := len(content); rest > 0; rest -= cut {
			section.Files = append(section.Files, pack.File{Bytes: min(rest, cut)})
		}
		d, err := p.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		for rest := content; len(rest) > 0; rest = rest[min(len(rest), cut):] {
			if err := d.File(rest[:min(len(rest), cut)]); err != nil {
				if fault.Of(err) != fault.Input {
					t.Fatalf("%v is of another kind", err)
				}
				return
			}
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		p.Manifest.Config.Needs(pack.Encoder, name, func(n pack.Need) {
			if !n.Matrix {
				v, err := p.Vector(n.Name, n.Shape[0])
				if err != nil {
					t.Fatal(err)
				}
				for _, x := range v {
					if !(math.Abs(float64(x)) <= math.MaxFloat32) {
						t.Fatalf("%s has %g", n.Name, x)
					}
				}
				return
			}
			w, err := p.Matrix(n.Name, n.Shape[0], n.Shape[1])
			if err != nil {
				t.Fatal(err)
			}
			for _, scale := range w.Scales {
				if !(scale >= 0 && scale <= math.MaxFloat32) {
					t.Fatalf("%s has a scale of %g", n.Name, scale)
				}
			}
			if bytes.IndexByte(int8Bytes(w.Values), 0x80) >= 0 {
				t.Fatalf("%s has a value of -128", n.Name)
			}
		})
	})
}

func int8Bytes(values []int8) []byte {
	b := make([]byte, len(values))
	for i, v := range values {
		b[i] = byte(v)
	}
	return b
}

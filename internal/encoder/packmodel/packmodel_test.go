package packmodel

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/packed"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

var tiny = transformer.QuantizedConfig{Hidden: 32, Layers: 3, Heads: 2, Intermediate: 48, Positions: 40, Types: 2, Epsilon: 1e-12,
	Activation: dense.GELU, Normalize: true, Branch: transformer.QuantizedBranch{From: 1, Layers: 2, Out: 22}}

// write writes a pack into a folder of its own.
func write(t *testing.T, files packfile.Files) string {
	t.Helper()
	dir := t.TempDir()
	for path, content := range files {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, content, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func tinyPack(t *testing.T, c transformer.QuantizedConfig) packfile.Files {
	t.Helper()
	files, err := quantized.TinyPack(c, 1)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func open(t *testing.T, dir string, threads int) *Encoder {
	t.Helper()
	e, err := OpenFolder(t.Context(), dir, threads)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// A text has the vectors that the core's encoder gives it, to the bit, whatever the
// batch, the number of threads and the parts that are asked for.
func TestEncodesAsTheCore(t *testing.T) {
	files := tinyPack(t, tiny)
	core, err := packed.Open(files[pack.FileName], sha256.Sum256, dense.NewPool(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range core.Manifest().Sections {
		for _, f := range s.Files {
			if err := core.File(s.Name, files[f.Path]); err != nil {
				t.Fatal(err)
			}
		}
	}
	words := strings.Fields(strings.Repeat("the cat sat on a mat and dogs ran . unknownwordxyz ", 5))
	var texts []string
	for n := range len(words) { // the last are longer than the model's limit, and together they need several passes
		texts = append(texts, strings.Join(words[:n], " "))
	}
	dir := write(t, files)
	for _, threads := range []int{1, 2, 4} {
		e := open(t, dir, threads)
		both, err := e.EncodeParts(t.Context(), texts, encoder.Options{}, encoder.Trunk|encoder.Branch)
		if err != nil {
			t.Fatal(err)
		}
		branches, err := e.EncodeParts(t.Context(), texts, encoder.Options{}, encoder.Branch)
		if err != nil {
			t.Fatal(err)
		}
		trunks, err := encoder.Encode(t.Context(), e, texts, encoder.Options{Role: encoder.Document})
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			trunk, branch := make([]float32, tiny.Hidden), make([]float32, tiny.Branch.Out)
			info, err := core.Encode(trunk, branch, text)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(both[i].Trunk, trunk) || !slices.Equal(both[i].Branch, branch) || !slices.Equal(branches[i].Branch, branch) || !slices.Equal(trunks[i].Vector, trunk) {
				t.Fatalf("%d threads, text %d: other vectors than the core's", threads, i)
			}
			if branches[i].Trunk != nil {
				t.Fatalf("text %d: a vector that nobody asked for", i)
			}
			if both[i].Truncated != info.Truncated || trunks[i].Truncated != info.Truncated || both[i].Tokens != min(info.Tokens+2, tiny.Positions) {
				t.Errorf("text %d: %d tokens, truncated %v; the core says %+v", i, both[i].Tokens, both[i].Truncated, info)
			}
		}
	}
}

// What the pack or the caller puts before texts of a role is encoded with them.
func TestPrompts(t *testing.T) {
	files := tinyPack(t, tiny)
	text := strings.Replace(string(files[pack.FileName]), `"sections"`, `"prompts":{"query":"the cat "},"sections"`, 1)
	files[pack.FileName] = []byte(text)
	e := open(t, write(t, files), 1)
	vector := func(text string, o encoder.Options) []float32 {
		t.Helper()
		found, err := e.Encode(t.Context(), []string{text}, o)
		if err != nil {
			t.Fatal(err)
		}
		return found[0].Vector
	}
	the, none := "the ", ""
	for _, c := range []struct {
		text, same string
		options    encoder.Options
	}{
		{"sat", "the cat sat", encoder.Options{Role: encoder.Query}},
		{"sat", "sat", encoder.Options{Role: encoder.Document}},
		{"sat", "sat", encoder.Options{}},
		{"sat", "the sat", encoder.Options{Role: encoder.Query, Prompt: &the}},
		{"sat", "a sat", encoder.Options{Prompts: []string{"a "}}},
	} {
		if !slices.Equal(vector(c.text, c.options), vector(c.same, encoder.Options{Prompt: &none})) {
			t.Errorf("%+v: not encoded as %q", c.options, c.same)
		}
	}
	if _, err := e.Encode(t.Context(), []string{"x"}, encoder.Options{Role: "classification"}); err == nil || !strings.Contains(err.Error(), "no prompt") {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	files := tinyPack(t, tiny)
	var payload string
	for path := range files {
		if strings.HasSuffix(path, ".bin") {
			payload = path
		}
	}
	change := func(path string, content []byte) string {
		other := packfile.Files{}
		for p, c := range files {
			if p != path {
				other[p] = c
			} else if content != nil {
				other[p] = content
			}
		}
		return write(t, other)
	}
	damaged := slices.Clone(files[payload])
	damaged[len(damaged)/2] ^= 1
	for name, c := range map[string]struct {
		dir, part string
		kind      fault.Kind
	}{
		"no folder":       {filepath.Join(t.TempDir(), "none"), "vantage model pack", fault.Input},
		"no pack":         {t.TempDir(), "there is no pack.json", fault.Input},
		"a file missing":  {change(payload, nil), payload + " is missing", fault.Integrity},
		"a file damaged":  {change(payload, damaged), "SHA-256", fault.Integrity},
		"a file too long": {change(payload, make([]byte, pack.MaxFile+1)), "more than 1000000 bytes", fault.Input},
		"another version": {change(pack.FileName, []byte(strings.Replace(string(files[pack.FileName]), `"version":1`, `"version":2`, 1))), "version", fault.Version},
	} {
		if _, err := OpenFolder(t.Context(), c.dir, 1); err == nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.part) || !strings.Contains(err.Error(), c.dir) {
			t.Errorf("%s: %v, want %q of kind %s", name, err, c.part, c.kind)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := OpenFolder(ctx, write(t, files), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	e := open(t, write(t, files), 1)
	if _, err := e.Encode(ctx, []string{"a"}, encoder.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	plain := tiny
	plain.Branch = transformer.QuantizedBranch{}
	e = open(t, write(t, tinyPack(t, plain)), 1)
	if _, err := e.EncodeParts(t.Context(), []string{"a"}, encoder.Options{}, encoder.Branch); !errors.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), "--branch") {
		t.Errorf("without a branch: %v", err)
	}
}

// For a text, the model of ../shared/model/sides gives nearly the vectors that PyTorch
// computes in float32 from the same weights of 4 bits.
func TestGolden(t *testing.T) {
	dir := shared.Path(t, "model/sides")
	golden, err := quantized.ReadGolden(dir)
	if err != nil {
		t.Fatal(err)
	}
	files, err := quantized.SidesPack(dir)
	if err != nil {
		t.Fatal(err)
	}
	e := open(t, write(t, files), 0)
	for i, text := range golden.Texts {
		found, err := e.EncodeParts(t.Context(), []string{text.Text}, encoder.Options{}, encoder.Trunk|encoder.Branch)
		if err != nil {
			t.Fatal(err)
		}
		if found[0].Tokens != len(text.IDs) {
			t.Errorf("text %d: %d tokens, not %d", i, found[0].Tokens, len(text.IDs))
		}
		topic, angle := dot(found[0].Trunk, text.Topic4), dot(found[0].Branch, text.Angle4)
		if topic < .992 || angle < .995 {
			t.Errorf("text %d: cosine %.5f to the topic in float32, at least .992; %.5f to the angle, at least .995", i, topic, angle)
		}
	}
}

func dot(a, b []float32) (sum float64) {
	for i, v := range a {
		sum += float64(v) * float64(b[i])
	}
	return sum
}

// A pack.json that announces a tensor of 400 MB, most of whose files are missing, takes little
// memory.
func TestAnnounced(t *testing.T) {
	files, err := quantized.Announced(192)
	if err != nil {
		t.Fatal(err)
	}
	dir := write(t, files)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = OpenFolder(t.Context(), dir, 1)
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, fault.Integrity) || !strings.Contains(err.Error(), "missing") || taken > quantized.AnnouncedBytes/20 {
		t.Errorf("%d MB were allocated: %v", taken>>20, err)
	}
}

// A pack whose reader no search could use is refused when it is opened, although nothing reads queries here.
func TestReaderIsChecked(t *testing.T) {
	files := tinyPack(t, quantized.Reading)
	if e := open(t, write(t, files), 1); e.Manifest().Section(pack.ReaderSection) == nil {
		t.Fatal("no reader")
	}
	unknown := maps.Clone(files)
	unknown[pack.FileName] = bytes.Replace(files[pack.FileName], []byte(`"place"`), []byte(`"weather"`), 1)
	if _, err := OpenFolder(t.Context(), write(t, unknown), 1); !errors.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), `the label "weather"`) {
		t.Error(err)
	}
	m, err := pack.Parse(files[pack.FileName])
	if err != nil {
		t.Fatal(err)
	}
	f := m.Section(pack.ReaderSection).Files[0]
	content := bytes.Clone(files[f.Path])
	copy(content, "\x00\x00\x80\x7e") // a scale that is too great
	sum := sha256.Sum256(content)
	hash := hex.EncodeToString(sum[:])
	great := maps.Clone(files)
	great[pack.Path(pack.ReaderSection, hash)] = content
	great[pack.FileName] = bytes.ReplaceAll(bytes.ReplaceAll(files[pack.FileName], []byte(f.Path), []byte(pack.Path(pack.ReaderSection, hash))), []byte(f.SHA256), []byte(hash))
	if _, err := OpenFolder(t.Context(), write(t, great), 1); !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), "reader.states.weight") {
		t.Error(err)
	}
}

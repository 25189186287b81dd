package builtin

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
)

// TestGolden compares ids and vectors of the built-in model with those of its
// reference implementation, internal/recipes/english/golden.py.
func TestGolden(t *testing.T) {
	data, err := os.ReadFile("english/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Texts []struct {
			Text   string
			IDs    []uint32
			Used   int `json:"n_used"`
			Vector []float64
		}
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden.Texts) != 30 {
		t.Fatalf("%d golden texts, want 30", len(golden.Texts))
	}
	s, err := Builtin().Open()
	if err != nil {
		t.Fatal(err)
	}
	if s.Dim() != 256 || s.MaxLength() != 512 || !s.Normalize() {
		t.Errorf("dim %d, length %d, normalize %v", s.Dim(), s.MaxLength(), s.Normalize())
	}
	out := make([]float32, s.Dim())
	worst := 0.0
	bits := sha256.New()
	for _, g := range golden.Texts {
		if ids := s.Tokenizer().Encode(nil, g.Text); !slices.Equal(ids, g.IDs) {
			t.Errorf("%q: ids %d, want %d", g.Text, ids, g.IDs)
		}
		if kept, _ := s.Tokens(nil, g.Text); len(kept) != g.Used {
			t.Errorf("%q: %d ids used, want %d", g.Text, len(kept), g.Used)
		}
		info := s.Encode(out, g.Text)
		if info.Tokens != len(g.IDs) || info.Truncated != (info.Tokens-info.Unknown > g.Used) {
			t.Errorf("%q: %+v, want %d tokens, %d used", g.Text, info, len(g.IDs), g.Used)
		}
		for j, v := range out {
			worst = max(worst, math.Abs(float64(v)-g.Vector[j]))
		}
		if err := binary.Write(bits, binary.LittleEndian, out); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("largest difference %.2g", worst)
	if !(worst <= 1e-5) {
		t.Errorf("vectors differ by up to %g", worst)
	}
	// The bits must be the same on every architecture. They were taken on amd64; also
	// run this test under js/wasm and arm64.
	const want = "af53369438ec9e6bff08514712267b675446fb7a3fc297a5565096c9f2785a2c"
	if got := hex.EncodeToString(bits.Sum(nil)); got != want {
		t.Errorf("the vectors' bits have SHA-256 %s, want %s", got, want)
	}
}

// TestModelCard ties the card to the files it describes.
func TestModelCard(t *testing.T) {
	card, err := os.ReadFile("english/README.md")
	if err != nil {
		t.Fatal(err)
	}
	f := Builtin()
	for name, contents := range map[string][]byte{staticmodel.TokenizerFile: f.Tokenizer, staticmodel.WeightsFile: f.Weights, staticmodel.ConfigFile: f.Config} {
		sum := sha256.Sum256(contents)
		if line := "| `" + name + "` | `" + hex.EncodeToString(sum[:]) + "` |"; !strings.Contains(string(card), line) {
			t.Errorf("english/README.md lacks the line %s", line)
		}
	}
	if !strings.Contains(string(card), "`"+f.Revision+"`") {
		t.Errorf("english/README.md lacks revision %s", f.Revision)
	}
	if f.ID != "vantage-static-en" || f.Language != "en" {
		t.Errorf("ID %q, language %q", f.ID, f.Language)
	}
}

func TestLoad(t *testing.T) {
	f, err := staticmodel.Load("english")
	if err != nil {
		t.Fatal(err)
	}
	if f.ID != "english" || f.Revision != Builtin().Revision {
		t.Errorf("ID %q, revision %q", f.ID, f.Revision)
	}

	dir := t.TempDir()
	write := func(name string, contents []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), contents, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := staticmodel.Load(dir); err == nil || !strings.Contains(err.Error(), "it lacks tokenizer.json") {
		t.Errorf("an empty folder: %v", err)
	}
	write(staticmodel.TokenizerFile, f.Tokenizer)
	write(staticmodel.WeightsFile, f.Weights)
	write(staticmodel.ConfigFile, []byte(`{"id":"mine","language":"de","normalize":true}`))
	if g, err := staticmodel.Load(dir); err != nil || g.ID != "mine" || g.Language != "de" {
		t.Errorf("%q %q, %v", g.ID, g.Language, err)
	}
	write(staticmodel.WeightsFile, f.Weights[:len(f.Weights)-1])
	if _, err := staticmodel.Load(dir); err == nil || !strings.Contains(err.Error(), staticmodel.WeightsFile) {
		t.Errorf("weights cut off: %v", err)
	}
}

// TestMostlyUnknown checks that a text that the built-in model does not know counts as
// mostly unknown, in any script, and that English does not.
func TestMostlyUnknown(t *testing.T) {
	s, err := Builtin().Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"Die Wehrpflicht sollte abgeschafft werden, weil sie die Freiheit einschränkt.",
		"Le service militaire devrait être aboli car il limite la liberté des jeunes.",
		"El servicio militar obligatorio debería ser abolido.",
		"Военная служба должна быть отменена",
		"Η θητεία πρέπει να καταργηθεί",
		"兵役は廃止されるべきだ",
		"병역은 폐지되어야 한다",
	} {
		if c := s.Tokenizer().Coverage(text); !c.MostlyUnknown() {
			t.Errorf("%q: %+v does not count as mostly unknown", text, c)
		}
	}
	for _, text := range []string{
		"", "...", "Military service should be abolished because it limits the freedom of the young.",
		"Find a claim that opposes the argument: Vaccines cause autism", "COVID-19 vaccines by Pfizer and BioNTech", "$5.99, 50% off!",
	} {
		if c := s.Tokenizer().Coverage(text); c.MostlyUnknown() {
			t.Errorf("%q: %+v counts as mostly unknown", text, c)
		}
	}
}

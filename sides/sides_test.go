package sides

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/model/weights"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
)

// The card names every file of the pack with its hash, and the pack has no other.
func TestCard(t *testing.T) {
	card, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	err = fs.WalkDir(Files(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(Files(), path)
		sum := sha256.Sum256(content)
		hash := hex.EncodeToString(sum[:])
		if !regexp.MustCompile("(?m)^\\| `" + regexp.QuoteMeta(path) + "` \\| [a-z ]*\\| `" + hash + "` \\|$").Match(card) {
			t.Errorf("README.md lacks %s with %s", path, hash)
		}
		found = append(found, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if listed := strings.Count(string(card), "| `data/") + 1; listed != len(found) {
		t.Errorf("README.md lists %d files, the pack has %d", listed, len(found))
	}
	if m := Encoder().Model(); !strings.Contains(string(card), "`"+m.Revision+"`") {
		t.Errorf("README.md lacks the revision %s", m.Revision)
	}
}

// The pack has the size that a page can load, its licence, and the tables that searches
// need.
func TestPack(t *testing.T) {
	json, err := fs.ReadFile(Files(), pack.FileName)
	if err != nil {
		t.Fatal(err)
	}
	m, err := pack.Parse(json)
	if err != nil {
		t.Fatal(err)
	}
	topic, angle := m.Section(pack.Vocabulary).Bytes()+m.Section(pack.Trunk).Bytes(), m.Section(pack.BranchSection).Bytes()
	if topic > 10_000_000 || angle > 4_500_000 {
		t.Errorf("topic has %d bytes, at most 10 MB; angle %d, at most 4.5 MB", topic, angle)
	}
	if m.ID != "vantage-sides" || m.License != "Apache-2.0" || m.Language != "en" || m.Config.Dimension() != 384 || m.Config.Branch.Dimension != 128 {
		t.Errorf("%s, %s, %s, %+v", m.ID, m.License, m.Language, m.Config)
	}
	for name, want := range map[string]string{"for": "Find a claim that supports the argument: ", "against": "Find a claim that opposes the argument: "} {
		if got := m.Texts[name]; !slices.Equal(got, []string{want}) {
			t.Errorf("the wording %s is %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string][]float64{"contrast": {.4}, "calibration": {.255, .175, .14}} {
		if got := m.Numbers[name]; !slices.Equal(got, want) {
			t.Errorf("the table %s is %v, want %v", name, got, want)
		}
	}
	if n := len(packfile.Payload(m)); n != 16 {
		t.Errorf("%d payload files", n)
	}
}

// The encoder tells texts for a claim from texts against it: it is right for most of some
// plain pairs.
func TestEncoder(t *testing.T) {
	e, err := packmodel.Open(t.Context(), Files(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	_, wordings := e.Tables()
	pairs := [][3]string{
		{"School uniforms should be compulsory", "Uniforms are good for pupils: they end bullying over clothes.", "Uniforms harm pupils: they suppress who they are."},
		{"Night trains deserve public subsidy", "Subsidised night trains save flights and help the climate.", "Subsidies for night trains waste public money on few passengers."},
		{"Nuclear power should be expanded", "Nuclear power is safe and cuts emissions.", "Nuclear power is dangerous and leaves waste that nobody wants."},
		{"The voting age should be lowered to 16", "Young people deserve a say in their own future.", "Sixteen-year-olds are too immature to vote."},
		{"Zoos should be closed", "Zoos are cruel: animals suffer in cages.", "Zoos save endangered species and teach children."},
		{"Homework should be banned", "Homework only brings stress and robs children of play.", "Homework helps pupils to practise what they learn."},
		{"A four-day working week is a good idea", "People who work four days are healthier and get as much done.", "A shorter week costs firms money and lowers output."},
		{"Cars should be banned from city centres", "Streets without cars are cleaner, quieter and safer.", "A ban on cars ruins shops and shuts out disabled people."},
	}
	ordered := 0
	for _, p := range pairs {
		angles, err := e.EncodeAngles(t.Context(), []string{wordings["for"][0] + p[0], wordings["against"][0] + p[0], p[1], p[2]}, encoder.Options{})
		if err != nil {
			t.Fatal(err)
		}
		side := func(text int) float64 { return dot(angles[0], angles[text]) - dot(angles[1], angles[text]) }
		t.Logf("%s: for %.3f, against %.3f", p[0], side(2), side(3))
		if side(2) > side(3) {
			ordered++
		}
	}
	if ordered < 6 {
		t.Errorf("%d of %d pairs are in order, at least 6", ordered, len(pairs))
	}
	encoded, err := Encoder().Encode(t.Context(), []string{"a"}, vantage.RoleDocument)
	if err != nil || len(encoded) != 1 || len(encoded[0].Vector) != 384 || Encoder().Model().Kind != "pack" {
		t.Errorf("%d vectors, %+v, %v", len(encoded), Encoder().Model(), err)
	}
}

// Each weight of the layers is a number up to 7, times a multiplier that its group shares. Pages
// multiply such weights faster.
func TestGroups(t *testing.T) {
	p, err := packfile.Read(func(path string) ([]byte, error) { return fs.ReadFile(Files(), path) })
	if err != nil {
		t.Fatal(err)
	}
	matrices := 0
	for _, section := range []string{pack.Trunk, pack.BranchSection} {
		for _, tensor := range p.Manifest.Section(section).Tensors {
			if tensor.Encoding != pack.Q4 || strings.HasPrefix(tensor.Name, "embeddings.") {
				continue
			}
			matrices++
			m, err := p.Matrix(tensor.Name, tensor.Shape[0], tensor.Shape[1])
			if err != nil {
				t.Fatal(err)
			}
			for group := range slices.Chunk(m.Values, pack.Group) {
				divisor, most := 0, 0
				for _, v := range group {
					a, b := divisor, max(int(v), -int(v))
					for most = max(most, b); b > 0; a, b = b, a%b {
					}
					divisor = a
				}
				if most > divisor*pack.MaxQ4 {
					t.Fatalf("%s has the group %v", tensor.Name, group)
				}
			}
		}
	}
	if matrices != 10*6+1 {
		t.Errorf("%d matrices", matrices)
	}
}

// The pack's branch is made of the committed weights: each of its matrices has nearly their values. The
// branch before it, which is near too, has a lowest cosine of .9948.
func TestBranch(t *testing.T) {
	p, err := packfile.Read(func(path string) ([]byte, error) { return fs.ReadFile(Files(), path) })
	if err != nil {
		t.Fatal(err)
	}
	branch, err := weights.OpenFile("../internal/recipes/sides/branch.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	defer branch.Close()
	matrices := 0
	for _, tensor := range p.Manifest.Section(pack.BranchSection).Tensors {
		if tensor.Encoding != pack.Q4 {
			continue
		}
		matrices++
		want, _, ok := branch.Tensor(tensor.Name)
		m, err := p.Matrix(tensor.Name, tensor.Shape[0], tensor.Shape[1])
		if err != nil || !ok || len(want) != len(m.Values) {
			t.Fatalf("%s: %v, %d of %d weights", tensor.Name, err, len(want), len(m.Values))
		}
		var both, own, wanted float64
		for i, v := range m.Values {
			x, y := float64(v)*float64(m.Scales[i/m.In]), float64(want[i])
			both, own, wanted = both+x*y, own+x*x, wanted+y*y
		}
		if cosine := both / math.Sqrt(own*wanted); cosine < .9985 {
			t.Errorf("%s: cosine %.4f to the weights it is made of, at least .9985", tensor.Name, cosine)
		}
	}
	if matrices != 4*6+1 {
		t.Errorf("%d matrices", matrices)
	}
}

// The vectors are near those that PyTorch computes in float32: of the trunk from weights
// that were not rounded, of the branch from the same weights as here. The lowest cosines
// are those of texts that are not sentences.
func TestGolden(t *testing.T) {
	golden, err := quantized.ReadGolden("../internal/recipes/sides")
	if err != nil {
		t.Fatal(err)
	}
	e, err := packmodel.Open(t.Context(), Files(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	least, sum := [2]float64{1, 1}, [2]float64{}
	for i, text := range golden.Texts {
		found, err := e.EncodeParts(t.Context(), []string{text.Text}, encoder.Options{}, encoder.Trunk|encoder.Branch)
		if err != nil {
			t.Fatal(err)
		}
		topic, angle := dot(found[0].Trunk, text.Topic), dot(found[0].Branch, text.Angle4)
		least, sum = [2]float64{min(least[0], topic), min(least[1], angle)}, [2]float64{sum[0] + topic, sum[1] + angle}
		if found[0].Tokens != len(text.IDs) || topic < .92 || angle < .985 {
			t.Errorf("text %d: %d tokens, want %d; cosine %.4f to the topic, at least .92; %.4f to the angle, at least .985", i, found[0].Tokens, len(text.IDs), topic, angle)
		}
	}
	n := float64(len(golden.Texts))
	t.Logf("cosines with the topic: mean %.4f, lowest %.4f; with the angle: %.4f, %.4f", sum[0]/n, least[0], sum[1]/n, least[1])
	if sum[0]/n < .97 || sum[1]/n < .995 {
		t.Error("the means must be at least .97 and .995")
	}
}

func dot(a, b []float32) (sum float64) {
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

package sides

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/claim"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/wasm/stance"
)

// People ask for arguments against "school uniforms", which is no claim. The pack's wording for
// phrases puts more of the bundled corpus's points in the right order than asking for and
// against the bare phrase, and no greater share of the labels is wrong. testdata/phrases.jsonl names the subject
// of each debate as a phrase.
func TestPhrases(t *testing.T) {
	model, err := packmodel.OpenFolder(t.Context(), "../../../sides/pack", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	_, texts := model.Tables()
	set := &Set{}
	place := map[string]int{}
	lines(t, "testdata/phrases.jsonl", func(line []byte) {
		var p struct{ Topic, Phrase string }
		if err := json.Unmarshal(line, &p); err != nil {
			t.Fatal(err)
		}
		if claim.Asking(texts, stance.For, p.Phrase) == Supporting+p.Phrase {
			t.Errorf("%q is taken for a claim", p.Phrase)
		}
		place[p.Topic] = len(set.Roots)
		set.Roots = append(set.Roots, Root{Text: p.Phrase})
	})
	lines(t, "../../../examples/debates/corpus.jsonl", func(line []byte) {
		var d struct {
			Text     string
			Metadata struct{ Topic, Stance, Kind string }
		}
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatal(err)
		}
		side := map[string]Side{"support": For, "oppose": Against}[d.Metadata.Stance]
		root, ok := place[d.Metadata.Topic]
		if !ok {
			t.Errorf("no phrase for %s", d.Metadata.Topic)
		} else if d.Metadata.Kind == "point" && side != Neither {
			set.Roots[root].Labels = append(set.Roots[root].Labels, Label{len(set.Texts), side})
			set.Texts = append(set.Texts, d.Text)
		}
	})
	if len(set.Roots) != 48 || len(set.Texts) != 576 {
		t.Fatalf("%d phrases, %d points", len(set.Roots), len(set.Texts))
	}
	v, err := encode(t.Context(), model, set, func(int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	angles := func(wording string) [][]float32 {
		queries := make([]string, len(set.Roots))
		for i, r := range set.Roots {
			queries[i] = wording + r.Text
		}
		found, err := model.EncodeAngles(t.Context(), queries, encoder.Options{Role: encoder.Query})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	pro, con := angles(Supporting), angles(Opposing)
	threshold := stance.Standard.Threshold()
	measure := func(name string, score func(root, text int) float64) (ordered, share float64) {
		labelled, wrong := 0, 0
		for i, r := range set.Roots {
			var scored []Scored
			for _, l := range r.Labels {
				s := score(i, l.Text)
				scored = append(scored, Scored{Score: s, Side: l.Side})
				if told := stance.Standard.Side(s, threshold); told != Neither {
					labelled++
					if told != l.Side {
						wrong++
					}
				}
			}
			right, _ := Ordered(scored)
			ordered += right / float64(len(set.Roots))
		}
		t.Logf("%s: %.4f in order, %d labels, %d of them wrong", name, ordered, labelled, wrong)
		return ordered, float64(wrong) / float64(labelled)
	}
	bare, bareWrong := measure("bare phrases", func(root, text int) (sum float64) {
		for i, a := range v.angles[text] {
			sum += (float64(pro[root][i]) - float64(con[root][i])) * float64(a)
		}
		return sum
	})
	claimed, wrong := measure("as claims", func(root, text int) (sum float64) {
		for i, a := range v.angles[text] {
			sum += v.differences[root][i] * float64(a)
		}
		return sum
	})
	lengths := make([]float64, len(set.Roots))
	for i, difference := range v.differences {
		for _, d := range difference {
			lengths[i] += d * d
		}
		lengths[i] = math.Sqrt(lengths[i])
	}
	slices.Sort(lengths)
	t.Logf("u − v has a length between %.2f and %.2f, in the middle %.2f", lengths[0], lengths[len(lengths)-1], lengths[len(lengths)/2])
	if claimed < bare+.01 || wrong > bareWrong {
		t.Errorf("%.4f in order and %.4f of the labels wrong, without the wording %.4f and %.4f", claimed, wrong, bare, bareWrong)
	}
}

// lines gives the lines of a file.
func lines(t *testing.T, name string, use func(line []byte)) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s := bufio.NewScanner(file)
	for s.Scan() {
		use(s.Bytes())
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
}

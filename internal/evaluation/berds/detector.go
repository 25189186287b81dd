package berds

import (
	"context"
	"math"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/stance"
)

// detector tells whether a document supports or opposes a text by the topics and angles
// of a pack: whether it is on the subject, and which of for, against and neither is the
// most probable. The constants are those of the pack.
type detector struct {
	model     *packmodel.Encoder
	constants stance.Calibration
	wordings  map[string][]string
	progress  func(done, total int)
}

// pair is a document and what it may be for or against.
type pair struct{ root, document string }

func newDetector(model *packmodel.Encoder, progress func(done, total int)) (*detector, error) {
	numbers, wordings := model.Tables()
	if model.BranchDim() == 0 || len(wordings[search.For]) == 0 || len(wordings[search.Against]) == 0 {
		return nil, fault.Errorf(fault.Unsupported, "the pack %s hears no sides: use one with an angle branch and wordings of for and against", model.Info().ID)
	}
	constants, err := stance.Of(numbers)
	return &detector{model, constants, wordings, progress}, err
}

// heard are the vectors of a text: its topic and angle, of a root the difference of its
// angles asked for and against.
type heard struct {
	topic, angle []float32
}

// tell returns the side of each pair's document: Neither if it is not on the subject.
func (d *detector) tell(ctx context.Context, pairs []pair) ([]stance.Side, error) {
	var roots, documents []string
	rootAt, documentAt := map[string]int{}, map[string]int{}
	for _, p := range pairs {
		if _, ok := rootAt[p.root]; !ok {
			rootAt[p.root] = len(roots)
			roots = append(roots, p.root)
		}
		if _, ok := documentAt[p.document]; !ok {
			documentAt[p.document] = len(documents)
			documents = append(documents, p.document)
		}
	}
	asked := make([]heard, 0, len(roots))
	told, err := d.encode(ctx, documents, encoder.Document, encoder.Trunk|encoder.Branch)
	if err != nil {
		return nil, err
	}
	topics, err := d.encode(ctx, roots, encoder.Query, encoder.Trunk)
	if err != nil {
		return nil, err
	}
	pro, err := d.encode(ctx, before(d.wordings[search.For][0], roots), encoder.Query, encoder.Branch)
	if err != nil {
		return nil, err
	}
	con, err := d.encode(ctx, before(d.wordings[search.Against][0], roots), encoder.Query, encoder.Branch)
	if err != nil {
		return nil, err
	}
	for i := range roots {
		difference := make([]float32, len(pro[i].angle))
		for j, u := range pro[i].angle {
			difference[j] = u - con[i].angle[j]
		}
		asked = append(asked, heard{topics[i].topic, difference})
	}
	threshold := d.constants.Threshold()
	sides := make([]stance.Side, len(pairs))
	for i, p := range pairs {
		root, document := &asked[rootAt[p.root]], &told[documentAt[p.document]]
		if cosine(root.topic, document.topic) >= d.constants.Subject {
			sides[i] = d.constants.Side(dot(root.angle, document.angle), threshold)
		}
	}
	return sides, nil
}

func before(wording string, texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = wording + text
	}
	return out
}

func (d *detector) encode(ctx context.Context, texts []string, role encoder.Role, parts encoder.Parts) ([]heard, error) {
	out := make([]heard, 0, len(texts))
	const portion = 64
	for first := 0; first < len(texts); first += portion {
		found, err := d.model.EncodeParts(ctx, texts[first:min(first+portion, len(texts))], encoder.Options{Role: role}, parts)
		if err != nil {
			return nil, err
		}
		for _, v := range found {
			out = append(out, heard{v.Trunk, v.Branch})
		}
		d.progress(len(out), len(texts))
	}
	return out, nil
}

func dot(a, b []float32) (sum float64) {
	for i, x := range a {
		sum += float64(x) * float64(b[i]) // the product is exact
	}
	return sum
}

func cosine(a, b []float32) float64 {
	if lengths := dot(a, a) * dot(b, b); lengths > 0 {
		return dot(a, b) / math.Sqrt(lengths)
	}
	return 0
}

// detect measures a detector of perspectives on a test file. A document contains a
// perspective if it is for it.
func (d *detector) detect(ctx context.Context, judgements []Judgement) (*Detection, error) {
	pairs := make([]pair, len(judgements))
	for i, j := range judgements {
		pairs[i] = pair{j.Perspective, j.Document}
	}
	sides, err := d.tell(ctx, pairs)
	if err != nil {
		return nil, err
	}
	var c counts
	for i, j := range judgements {
		c.add(sides[i] == stance.For, j.Contains)
	}
	out := c.detection()
	return &out, nil
}

// DetectionOnPerspectrum is detection on Perspectrum's test claims. Each document that
// people judged for a claim is asked twice: whether it supports the claim, and whether it
// opposes it. One is right.
type DetectionOnPerspectrum struct {
	Claims int       `json:"claims"` // that have documents
	Rows   int       `json:"rows"`   // documents of claims, each of them twice
	Random Detection `json:"random"` // expected of guessing
	Sides  Detection `json:"sides"`
}

func (d *detector) perspectrum(ctx context.Context, data *Perspectrum) (*DetectionOnPerspectrum, error) {
	var pairs []pair
	var supports []bool
	out := &DetectionOnPerspectrum{}
	for _, claim := range data.Split(Test) {
		found := len(pairs)
		for side, documents := range claim.Documents {
			for _, document := range documents {
				pairs, supports = append(pairs, pair{claim.Text, data.Pool[document]}), append(supports, side == Support)
			}
		}
		if len(pairs) > found {
			out.Claims++
		}
	}
	sides, err := d.tell(ctx, pairs)
	if err != nil {
		return nil, err
	}
	var c counts
	for i, side := range sides {
		c.add(side == stance.For, supports[i])
		c.add(side == stance.Against, !supports[i])
	}
	out.Rows, out.Random, out.Sides = 2*len(pairs), random(.5), c.detection()
	return out, nil
}

// counts are those of a detector's answers.
type counts struct{ rows, positive, hits, right, contained int }

func (c *counts) add(said, contains bool) {
	c.rows++
	if said {
		c.positive++
	}
	if contains {
		c.contained++
	}
	if said && contains {
		c.hits++
	}
	if said == contains {
		c.right++
	}
}

// detection has the F1 of the positive class, 2·hits/(positive + contained).
func (c *counts) detection() Detection {
	return Detection{Positive: ratio(c.positive, c.rows), Accuracy: ratio(c.right, c.rows), F1: ratio(2*c.hits, c.positive+c.contained)}
}

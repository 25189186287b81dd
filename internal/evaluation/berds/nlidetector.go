package berds

import (
	"context"
	"math"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/stance"
)

// nliDetector asks a sequence classifier whether the document, as the premise, entails the
// perspective, as the hypothesis (paper, Appendix A.1). A document that is longer than the
// model reads is divided into windows.
type nliDetector struct {
	info                  DetectorInfo
	model                 model.Classifier
	entailed, contradicts int // classes; contradicts is -1 if there is none
}

func newNLIDetector(name string, m model.Classifier) (*nliDetector, error) {
	about, labels := m.Info(), m.Labels()
	d := &nliDetector{model: m, entailed: -1, contradicts: -1}
	if len(labels) > 1 {
		for i, label := range labels {
			switch label = strings.ToLower(label); {
			case strings.HasPrefix(label, "entail"), strings.HasPrefix(label, "support"):
				if d.entailed >= 0 {
					return nil, errLabels(about.ID, labels, "two are")
				}
				d.entailed = i
			case strings.HasPrefix(label, "contradict"), strings.HasPrefix(label, "refute"):
				d.contradicts = i
			}
		}
		if d.entailed < 0 {
			return nil, errLabels(about.ID, labels, "none is")
		}
	} else {
		d.entailed = 0 // a re-ranker, whose only class is a score
	}
	d.info = DetectorInfo{Name: name, Model: retrieve.Title(about), Score: "the probability of entailment", Decides: len(labels) > 1, Opposes: d.contradicts >= 0, identity: []any{about, labels}}
	if !d.info.Decides {
		d.info.Score = "the sigmoid of the model's"
	}
	return d, nil
}

func errLabels(id string, labels []string, found string) error {
	return fault.Errorf(fault.Unsupported, `%s has the classes %s, of which %s entailment: give its config.json an id2label such as {"0": "contradiction", "1": "entailment", "2": "neutral"}, in the order of its classes`,
		id, strings.Join(labels, ", "), found)
}

func (d *nliDetector) about() *DetectorInfo { return &d.info }

func (d *nliDetector) Close() error { return d.model.Close() }

// judge implements detector.
func (d *nliDetector) judge(ctx context.Context, pairs []pair, done func(pairs int)) ([]verdict, error) {
	const portion = 16
	out := make([]verdict, 0, len(pairs))
	for len(pairs) > 0 {
		some := pairs[:min(portion, len(pairs))]
		pairs = pairs[len(some):]
		texts := make([][2]string, len(some))
		for i, p := range some {
			texts[i] = [2]string{p.document, p.perspective}
		}
		found, err := d.model.ClassifyWindows(ctx, texts)
		if err != nil {
			return nil, fault.As(fault.Input, err)
		}
		for _, windows := range found {
			v, err := d.verdict(windows)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		done(len(out))
	}
	return out, nil
}

func (d *nliDetector) verdict(windows []model.Scores) (verdict, error) {
	var s said
	for _, w := range windows {
		p, best := softmax(w.Logits)
		if best < 0 {
			return verdict{}, fault.Errorf(fault.Input, "%s: the model gives scores that are not numbers: its weights are damaged", d.info.Name)
		}
		if !d.info.Decides {
			s.add(sigmoid(float64(w.Logits[0])), stance.Neither)
			continue
		}
		side := stance.Neither
		switch best {
		case d.entailed:
			side = stance.For
		case d.contradicts:
			side = stance.Against
		}
		s.add(p[d.entailed], side)
	}
	return s.verdict, nil
}

// softmax returns the classes' probabilities, and the most probable class, the first of
// several; it is -1 if a logit is not finite.
func softmax(logits []float32) (p []float64, best int) {
	best = -1
	for i, x := range logits {
		if x := float64(x); math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, -1
		}
		if best < 0 || x > logits[best] {
			best = i
		}
	}
	if best < 0 {
		return nil, -1
	}
	p = make([]float64, len(logits))
	sum := 0.0
	for i, x := range logits {
		p[i] = math.Exp(float64(x) - float64(logits[best]))
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p, best
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

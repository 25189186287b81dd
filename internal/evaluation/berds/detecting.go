package berds

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/stance"
	"github.com/vantage-search/vantage/sides"
)

// checkDetection refuses invalid options of detection.
func (e *Experiment) checkDetection() error {
	switch t := e.Threshold; {
	case t != nil && e.Detect == "":
		return fault.Errorf(fault.Query, "--threshold says when the detector's answer is yes: name a detector with --detect")
	case t != nil && (math.IsNaN(*t) || math.IsInf(*t, 0)):
		return fault.Errorf(fault.Query, "--threshold is %g, must be a finite number", *t)
	case e.Corpus != "" && e.Detect == "":
		return fault.Errorf(fault.Query, "the documents of --corpus have no judgements: name a detector with --detect, such as sides")
	}
	return nil
}

// openDetector opens the detector that was asked for. Its verdicts are kept, if there is
// a folder for them; otherwise it says why not.
func (e *Experiment) openDetector(ctx context.Context) (detector, error) {
	d, err := e.findDetector(ctx)
	if err != nil || e.Encoding.Keep == "" {
		return d, err
	}
	kept, err := keep(d, e.Encoding.Keep)
	if err != nil {
		e.Encoding.Console.Warnf("judgements by %s are not kept: %v", e.Detect, err)
		return d, nil
	}
	return kept, nil
}

func (e *Experiment) findDetector(ctx context.Context) (detector, error) {
	if e.Detect == retrieve.BundledName {
		m, err := packmodel.Open(ctx, sides.Files(), 0)
		return orClose(m, err, func(m *packmodel.Encoder) (*sidesDetector, error) { return newSidesDetector(e.Detect, m) })
	}
	if info, err := os.Stat(filepath.Join(e.Detect, pack.FileName)); err == nil && !info.IsDir() {
		m, err := packmodel.OpenFolder(ctx, e.Detect, 0)
		return orClose(m, err, func(m *packmodel.Encoder) (*sidesDetector, error) { return newSidesDetector(e.Detect, m) })
	}
	found, err := named.Find(ctx, e.Detect, e.Encoding.Console)
	if err != nil {
		return nil, err
	}
	m, err := found.OpenClassifier(ctx, model.Options{Int8: e.Encoding.Int8})
	return orClose(m, err, func(m model.Classifier) (*nliDetector, error) { return newNLIDetector(e.Detect, m) })
}

// orClose makes a detector of a model, or closes the model.
func orClose[M interface{ Close() error }, D detector](m M, err error, of func(M) (D, error)) (detector, error) {
	if err != nil {
		return nil, err
	}
	d, err := of(m)
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return d, nil
}

// tellKept says how many pairs an earlier run had judged.
func (e *Experiment) tellKept(d detector) {
	if k, ok := d.(*keptVerdicts); ok && k.found > 0 {
		e.Encoding.Console.Printf("vantage: %s: judgements of %s from an earlier run\n", human.Escape(e.Detect), human.Count(k.found, "pair"))
	}
}

// judge judges all pairs, and shows the progress.
func (e *Experiment) judge(ctx context.Context, d detector, pairs []pair) ([]verdict, error) {
	show := e.Encoding.Console.Progress()
	defer show.Stop()
	verdicts, err := d.judge(ctx, pairs, func(n int) { show.Update(progress.Detect, int64(n), int64(len(pairs))) })
	if err != nil {
		return nil, err
	}
	show.End()
	return verdicts, nil
}

// detect measures a detector on a test file.
func (e *Experiment) detect(ctx context.Context, d detector, judgements []Judgement) (*DetectorResult, error) {
	pairs := make([]pair, len(judgements))
	for i, j := range judgements {
		pairs[i] = pair{j.Perspective, j.Document}
	}
	verdicts, err := e.judge(ctx, d, pairs)
	if err != nil {
		return nil, err
	}
	return measured(d.about(), judgements, verdicts, e.Threshold), nil
}

// detectOnPerspectrum measures a detector on Perspectrum's test claims, by its most
// probable answers. nil if the detector does not tell what is against a claim.
func (e *Experiment) detectOnPerspectrum(ctx context.Context, d detector, data *Perspectrum) (*DetectionOnPerspectrum, error) {
	if !d.about().Opposes {
		e.Encoding.Console.Warnf("%s has no class for what contradicts a text: it does not run on Perspectrum", e.Detect)
		return nil, nil
	}
	var pairs []pair
	var supports []bool
	out := &DetectionOnPerspectrum{name: e.Detect}
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
	verdicts, err := e.judge(ctx, d, pairs)
	if err != nil {
		return nil, err
	}
	var c counts
	for i, v := range verdicts {
		c.add(v.side == stance.For, supports[i])
		c.add(v.side == stance.Against, !supports[i])
	}
	out.Rows, out.Random, out.Detector = 2*len(pairs), random(.5), c.detection()
	return out, nil
}

package berds

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/sides"
)

// checkDetection refuses invalid options of detection.
func (e *Experiment) checkDetection() error {
	for i, name := range e.AlsoDetect {
		if name == e.Detect || slices.Contains(e.AlsoDetect[:i], name) {
			return fault.Errorf(fault.Query, "--detect %s is given twice", name)
		}
	}
	switch t := e.Threshold; {
	case t != nil && e.Detect == "":
		return fault.Errorf(fault.Query, "--threshold says when the detector's answer is yes: name a detector with --detect")
	case t != nil && (math.IsNaN(*t) || math.IsInf(*t, 0)):
		return fault.Errorf(fault.Query, "--threshold is %g, must be a finite number", *t)
	case t != nil && e.Detect == ChatName:
		return fault.Errorf(fault.Query, "--threshold bounds scores, and a chat model gives answers: leave it out")
	case e.Corpus != "" && e.Detect == "":
		return fault.Errorf(fault.Query, "the documents of --corpus have no judgements: name a detector with --detect, such as sides")
	}
	return nil
}

// detectsBy reports whether a detector was asked for.
func (e *Experiment) detectsBy(name string) bool {
	return e.Detect == name || slices.Contains(e.AlsoDetect, name)
}

// openDetectors opens the detectors that were asked for, the judge first. After an error,
// those that are open are closed.
func (e *Experiment) openDetectors(ctx context.Context) (all []detector, err error) {
	if e.Detect == "" {
		return nil, nil
	}
	for _, name := range append([]string{e.Detect}, e.AlsoDetect...) {
		d, err := e.openDetector(ctx, name)
		if err != nil {
			return nil, errors.Join(err, closeAll(all))
		}
		all = append(all, d)
	}
	return all, nil
}

func closeAll(all []detector) (err error) {
	for _, d := range all {
		err = errors.Join(err, d.Close())
	}
	return err
}

// openDetector opens a detector. Its verdicts are kept if a folder for them is set; if that
// fails, a warning says why. Those of a chat model are kept as its replies.
func (e *Experiment) openDetector(ctx context.Context, name string) (detector, error) {
	if name == ChatName {
		return newChatDetector(e.client)
	}
	d, err := e.findDetector(ctx, name)
	if err != nil || e.Encoding.Keep == "" {
		return d, err
	}
	kept, err := keep(d, e.Encoding.Keep, func(err error) {
		e.Encoding.Console.Warnf("judgements by %s are not kept from here on: %v", name, err)
	})
	if err != nil {
		e.Encoding.Console.Warnf("judgements by %s are not kept: %v", name, err)
		return d, nil
	}
	return kept, nil
}

func (e *Experiment) findDetector(ctx context.Context, name string) (detector, error) {
	if name == retrieve.BundledName {
		m, err := packmodel.Open(ctx, sides.Files(), 0)
		return orClose(m, err, func(m *packmodel.Encoder) (*sidesDetector, error) { return newSidesDetector(name, m) })
	}
	if info, err := os.Stat(filepath.Join(name, pack.FileName)); err == nil && !info.IsDir() {
		m, err := packmodel.OpenFolder(ctx, name, 0)
		return orClose(m, err, func(m *packmodel.Encoder) (*sidesDetector, error) { return newSidesDetector(name, m) })
	}
	found, err := named.Find(ctx, name, e.Encoding.Console)
	if err != nil {
		return nil, err
	}
	m, err := found.OpenClassifier(ctx, model.Options{Int8: e.Encoding.Int8})
	return orClose(m, err, func(m model.Classifier) (*nliDetector, error) { return newNLIDetector(name, m) })
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
		e.Encoding.Console.Printf("vantage: %s: judgements of %s from an earlier run\n", human.Escape(k.about().Name), human.Count(k.found, "pair"))
	}
}

// judge judges all pairs, and shows the progress. what names them.
func (e *Experiment) judge(ctx context.Context, d detector, what string, pairs []pair) ([]verdict, error) {
	show := e.Encoding.Console.Progress()
	defer show.Stop()
	if d.about().ByPrompt {
		defer e.step(what, e.client.Usage())()
	}
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
	verdicts, err := e.judge(ctx, d, "detection", pairs)
	if err != nil {
		return nil, err
	}
	return measured(d.about(), judgements, verdicts, e.Threshold), nil
}

// detectOnPerspectrum measures detectors on Perspectrum's test claims, by their most
// probable answers. nil if none tells what is against a claim.
func (e *Experiment) detectOnPerspectrum(ctx context.Context, all []detector, data *Perspectrum) (*DetectionOnPerspectrum, error) {
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
	out.Rows, out.Random = 2*len(pairs), random(.5)
	for _, d := range all {
		info := d.about()
		if !info.Opposes {
			e.Encoding.Console.Warnf("%s has no class for what contradicts a text: it does not run on Perspectrum", info.Name)
			continue
		}
		verdicts, err := e.judge(ctx, d, "detection on Perspectrum", pairs)
		if err != nil {
			return nil, err
		}
		out.Refused += refusedBy(info, verdicts)
		var c counts
		for i, v := range verdicts {
			c.add(v.supports, supports[i])
			c.add(v.opposes, !supports[i])
		}
		if out.name == "" {
			out.name, out.Detector = info.Name, c.detection()
		} else {
			out.Also = append(out.Also, NamedDetection{info.Name, c.detection()})
		}
	}
	if out.name == "" {
		return nil, nil
	}
	return out, nil
}

package sides

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// write writes a pack into a folder of its own.
func write(t *testing.T, files packfile.Files, err error) string {
	t.Helper()
	dir := t.TempDir()
	for path, content := range files {
		path = filepath.Join(dir, filepath.FromSlash(path))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, content, 0o666))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

var tiny = transformer.QuantizedConfig{Hidden: 32, Layers: 3, Heads: 2, Intermediate: 48, Positions: 40, Types: 2, Epsilon: 1e-12,
	Activation: dense.GELU, Normalize: true, Branch: transformer.QuantizedBranch{From: 1, Layers: 2, Out: 22}}

// A model is measured on a data set in each of the formats, twice alike, and prints
// tables. The set with one root that has a side gives no comparison.
func TestEvaluate(t *testing.T) {
	files, err := quantized.TinyPack(tiny, 1)
	dir := write(t, files, err)
	for format, c := range known {
		e := Experiment{Pack: dir, Format: format, Split: "test", Tests: compare.Tests{Rounds: 50, Seed: 1}}
		f, err := e.Evaluate(t.Context(), c.paths)
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		again, err := e.Evaluate(t.Context(), c.paths)
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		text, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		if other, err := json.Marshal(again); err != nil || !bytes.Equal(text, other) {
			t.Errorf("%s: other figures the second time, %v", format, err)
		}
		var read struct {
			Ordered, Accuracy *float64
			Classes           int
			Model, Dataset    string
			Top               *struct{ Runs []any }
		}
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		classes := 3
		if format == Perspectrum {
			classes = 2
		}
		if read.Ordered == nil || *read.Ordered < 0 || *read.Ordered > 1 || read.Accuracy == nil || read.Classes != classes || !strings.HasPrefix(read.Model, "test@") || read.Dataset == "" {
			t.Errorf("%s: %s", format, text)
		}
		if one := format == SciFact; one != (read.Top == nil) || !one && len(read.Top.Runs) != len(Betas) {
			t.Errorf("%s: first hits %+v", format, read.Top)
		}
		var out bytes.Buffer
		if err := report.Text(&out, f.Tables()...); err != nil || !strings.Contains(out.String(), "pairs in order") || strings.Contains(out.String(), "NaN") {
			t.Errorf("%s: %v: %s", format, err, out.String())
		}
	}
}

// Without a pair, the share of pairs is null.
func TestEvaluateWithoutPairs(t *testing.T) {
	files, err := quantized.TinyPack(tiny, 1)
	path := filepath.Join(t.TempDir(), "one.csv")
	if err := os.WriteFile(path, []byte("id,evidence,claim,label\n1,the cat sat,a cat,Supports\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	e := Experiment{Pack: write(t, files, err), Format: HealthVer, Tests: compare.Tests{Rounds: 50, Seed: 1}}
	f, err := e.Evaluate(t.Context(), []string{path})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := json.Marshal(f); err != nil || !strings.Contains(string(text), `"ordered":null`) {
		t.Errorf("%s, %v", text, err)
	}
	var out bytes.Buffer
	if err := report.Text(&out, f.Tables()...); err != nil || !strings.Contains(out.String(), "n/a") {
		t.Errorf("%v: %s", err, out.String())
	}
}

func TestEvaluateRefuses(t *testing.T) {
	with := func(numbers string) string {
		files, err := quantized.TinyPack(tiny, 1)
		if err == nil && numbers != "" {
			files[pack.FileName] = []byte(strings.Replace(string(files[pack.FileName]), `"sections"`, `"numbers":{"`+Table+`":`+numbers+`},"sections"`, 1))
		}
		return write(t, files, err)
	}
	plain := tiny
	plain.Branch = transformer.QuantizedBranch{}
	files, err := quantized.TinyPack(plain, 1)
	branchless := write(t, files, err)
	good := with("")
	data := []string{"testdata/climate-fever.jsonl"}
	for _, c := range []struct {
		e     Experiment
		paths []string
		kind  fault.Kind
		part  string
	}{
		{Experiment{}, data, fault.Query, "--model PACK"},
		{Experiment{Pack: good, Format: SciFact}, data, fault.Query, "the claims and then the corpus"},
		{Experiment{Pack: good, Format: HealthVer}, []string{"a", "b"}, fault.Query, "DATA is one file"},
		{Experiment{Pack: good, Tests: compare.Tests{Rounds: -1}}, data, fault.Query, "--rounds"},
		{Experiment{Pack: t.TempDir()}, data, fault.Input, "it is no pack"},
		{Experiment{Pack: branchless}, data, fault.Unsupported, "no angle branch"},
		{Experiment{Pack: with("[0.1, 0.2]")}, data, fault.Input, `the pack's table "calibration" is [0.1 0.2]`},
		{Experiment{Pack: with("[0, 0.2, 0.1]")}, data, fault.Input, "both above 0"},
		{Experiment{Pack: with("[0.1, 0.1, -1]")}, data, fault.Input, "the level of three, from 0 on"},
	} {
		if c.e.Format == "" {
			c.e.Format = ClimateFEVER
		}
		if c.e.Tests.Rounds == 0 {
			c.e.Tests.Rounds = 10
		}
		if _, err := c.e.Evaluate(t.Context(), c.paths); !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%+v: %v, want %q of kind %s", c.e, err, c.part, c.kind)
		}
	}
	e := Experiment{Pack: with("[0.25, 0.5, 0.1]"), Format: ClimateFEVER, Tests: compare.Tests{Rounds: 10, Seed: 1}}
	f, err := e.Evaluate(t.Context(), data)
	if err != nil || f.Calibration != (Calibration{TwoWidth: .25, Width: .5, Level: .1, Subject: .4}) {
		t.Errorf("the pack's own constants: %+v, %v", f, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Evaluate(ctx, data); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// The bundled pack, with weights of 4 bits and activations of 8, tells sides apart within a point
// of its model in PyTorch and float32, which has .8329 pairs in order and .7684 right signs
// (BenchmarkFloat32 computes the same in Go).
func TestPerspectrumDev(t *testing.T) {
	data := shared.Path(t, "data/perspectrum")
	e := Experiment{Pack: "../../../sides/pack", Format: Perspectrum, Split: "dev", Tests: compare.Tests{Rounds: 1000, Seed: 1}}
	f, err := e.Evaluate(t.Context(), []string{data})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("ordered %.4f (%.4f to %.4f), accuracy %.4f, calibration error %.4f", *f.Ordered, f.OrderedInterval.Low, f.OrderedInterval.High, f.Accuracy, f.CalibrationError)
	for _, r := range f.Top.Runs {
		t.Logf("%s: top hit right %.4f", r.Run, r.Mean)
	}
	const within = .01
	if *f.Ordered < .8329-within || *f.Ordered > .8329+within {
		t.Errorf("%.4f of the pairs are in order, .8329 in float32: more than %v apart", *f.Ordered, within)
	}
	if f.Accuracy < .7684-within || f.Accuracy > .7684+within {
		t.Errorf("%.4f of the signs are right, .7684 in float32: more than %v apart", f.Accuracy, within)
	}
}

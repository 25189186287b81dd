package berds

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// classifierFolder writes a small sequence classifier with random weights.
func classifierFolder(t *testing.T, seed uint64, labels ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "nli")
	if err := modeltest.Write(dir, seed); err != nil {
		t.Fatal(err)
	}
	c := modeltest.Config()
	named := modeltest.Object{}
	for i, label := range labels {
		if label != "" {
			named[string(rune('0'+i))] = label
		}
	}
	c["id2label"], c["architectures"] = named, []string{"BertForSequenceClassification"}
	if err := modeltest.WriteJSON(dir, map[string]any{"config.json": c}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "modules.json")); err != nil {
		t.Fatal(err)
	}
	tensors := modeltest.BERT(seed)
	tensors.Linear("classifier", len(labels), modeltest.Hidden)
	if err := tensors.Write(filepath.Join(dir, "model.safetensors")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func openTestDetector(t *testing.T, dir string) detector {
	t.Helper()
	d, err := (&Experiment{}).openDetector(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// Verdicts beside the definitions: the softmax of the logits of every window, the highest
// probability of entailment, and the most probable classes of all windows.
func TestNLIDetector(t *testing.T) {
	long := strings.Repeat("night trains cost people school work help ", 30)
	pairs := []pair{
		{"trains help people", "night trains help people"}, {"trains cost", "school uniforms help"},
		{"people work", long}, {"school uniforms cost the people", long[:400]}, {"night trains help", "a"},
	}
	for _, labels := range [][]string{{"contradiction", "entailment", "neutral"}, {"ENTAILMENT", "not_entailment"}, {"SUPPORTS", "REFUTES", "NOT ENOUGH INFO"}} {
		for seed := range uint64(4) {
			dir := classifierFolder(t, seed, labels...)
			d := openTestDetector(t, dir)
			done := 0
			got, err := d.judge(t.Context(), pairs, func(n int) { done = n })
			if err != nil || done != len(pairs) {
				t.Fatal(err, done)
			}
			m, err := model.OpenClassifier(t.Context(), dir, model.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			several := 0
			for i, p := range pairs {
				windows, err := m.ClassifyWindows(t.Context(), [][2]string{{p.document, p.perspective}})
				if err != nil {
					t.Fatal(err)
				}
				if len(windows[0]) > 1 {
					several++
				}
				score, supports, opposes := 0.0, false, false
				for _, w := range windows[0] {
					sum, most, best := 0.0, math.Inf(-1), ""
					for c, logit := range w.Logits {
						sum += math.Exp(float64(logit))
						if float64(logit) > most {
							most, best = float64(logit), strings.ToLower(labels[c])
						}
					}
					for c, logit := range w.Logits {
						if label := strings.ToLower(labels[c]); label == "entailment" || label == "supports" {
							score = max(score, math.Exp(float64(logit))/sum)
						}
					}
					supports = supports || best == "entailment" || best == "supports"
					opposes = opposes || best == "contradiction" || best == "refutes"
				}
				if approx.Apart(float64(got[i].score), score, 1e-6) || got[i].supports != supports || got[i].opposes != opposes {
					t.Errorf("%v, pair %d: %+v, want %v, %v and %v", labels, i, got[i], score, supports, opposes)
				}
			}
			if several < 2 {
				t.Errorf("%d documents of several windows", several)
			}
			if about := d.about(); !about.Decides || about.Opposes != (len(labels) == 3) {
				t.Errorf("%+v", about)
			}
		}
	}
}

// A re-ranker has scores and no answers. Classes that do not say which is entailment are
// refused, and so is what classifies nothing.
func TestNLIDetectorClasses(t *testing.T) {
	one := openTestDetector(t, classifierFolder(t, 1, ""))
	got, err := one.judge(t.Context(), []pair{{"trains help", "night trains"}}, func(int) {})
	if about := one.about(); err != nil || about.Decides || about.Opposes || !(got[0].score > 0 && got[0].score < 1) || got[0].supports || got[0].opposes {
		t.Errorf("%+v, %+v, %v", about, got, err)
	}
	if _, err := (&Experiment{Detect: "my model"}).questions(t.Context(), nil, one); err == nil || !strings.HasSuffix(err.Error(), " --detect 'my model'") {
		t.Error(err)
	}
	encoder := filepath.Join(t.TempDir(), "encoder")
	if err := modeltest.Write(encoder, 1); err != nil {
		t.Fatal(err)
	}
	for dir, c := range map[string]struct {
		kind fault.Kind
		part string
	}{
		classifierFolder(t, 1, "", "", ""):                            {fault.Unsupported, "LABEL_0, LABEL_1, LABEL_2, of which none is entailment"},
		classifierFolder(t, 1, "neutral", "contradiction"):            {fault.Unsupported, "none is entailment"},
		classifierFolder(t, 1, "entailment", "entailed", "something"): {fault.Unsupported, "two are entailment"},
		encoder:                               {fault.Input, "no classification head"},
		filepath.Join(t.TempDir(), "nowhere"): {fault.Input, "no such folder"},
		"static":                              {fault.Unsupported, "static"},
	} {
		_, err := (&Experiment{}).openDetector(t.Context(), dir)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v, want %q", dir, err, c.part)
		}
	}
}

// A perspective that leaves no room for the document is refused, and the error quotes it.
func TestNLIDetectorRoom(t *testing.T) {
	d := openTestDetector(t, classifierFolder(t, 1, "entailment", "neutral"))
	_, err := d.judge(t.Context(), []pair{{strings.Repeat("people ", 60), strings.Repeat("trains ", 40)}}, func(int) {})
	if !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), "people people") {
		t.Error(err)
	}
}

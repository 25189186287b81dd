package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/shared"
)

// TestEvalBERDSRuns evaluates the runs of `eval berds` with `eval trec`: over all claims with the judgements that it
// writes, and over those with two sides with judgements made here from Perspectrum's files. With the latter, MRecall is
// 1 if StRecall is, and documents of both sides are relevant.
func TestEvalBERDSRuns(t *testing.T) {
	t.Parallel()
	data := shared.Path(t, "data/perspectrum")
	content, err := os.ReadFile(filepath.Join(data, "perspectrum_with_answers_v1.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	var claims []struct {
		ID           int `json:"cId"`
		Perspectives []struct {
			IDs  []int  `json:"pids"`
			Side string `json:"stance_label_3"`
		}
	}
	if err := json.Unmarshal(content, &claims); err != nil {
		t.Fatal(err)
	}
	var split map[string]string
	if err := json.Unmarshal([]byte(read(t, filepath.Join(data, "dataset_split_v1.0.json"))), &split); err != nil {
		t.Fatal(err)
	}
	var qrels strings.Builder
	for _, c := range claims {
		sides := map[string]map[int]bool{"SUPPORT": {}, "UNDERMINE": {}}
		for _, p := range c.Perspectives {
			for _, id := range p.IDs {
				if sides[p.Side] != nil {
					sides[p.Side][id] = true
				}
			}
		}
		if split[fmt.Sprint(c.ID)] != "test" || len(sides["SUPPORT"]) == 0 || len(sides["UNDERMINE"]) == 0 {
			continue
		}
		for side, ids := range sides {
			for id := range ids {
				fmt.Fprintf(&qrels, "%d %s %d 1\n", c.ID, side, id)
			}
		}
	}
	dir := t.TempDir()
	write(t, dir, "qrels.txt", qrels.String())
	must(t, dir, "eval", "berds", data, "--retriever", "bm25", "--retriever", "static", "--json", "out.json", "--run-out", "out.run")
	for _, r := range readBERDS(t, filepath.Join(dir, "out.json")).Perspectrum.Retrievers {
		for ranking, figures := range map[string]struct{ MRecall, Precision map[string]float64 }{
			"": {r.All.Default.MRecall, r.All.Default.Precision}, "-mmr": {r.All.MMR.MRecall, r.All.MMR.Precision},
			"-expanded": {r.All.Expansion.MRecall, r.All.Expansion.Precision},
		} {
			want := fmt.Sprintf("P_5                   \tall\t%s\nMRecall@5             \tall\t%s\n", four(figures.Precision["5"]), four(figures.MRecall["5"]))
			if got := must(t, dir, "eval", "trec", "--qrels", "out.qrels", "--run", "out."+r.Name+ranking+".run", "-c", "-m", "MRecall@5", "-m", "P.5").stdout; got != want {
				t.Errorf("%s%s over all claims: %s, want %s", r.Name, ranking, got, want)
			}
		}
		for ranking, figures := range map[string]struct{ MRecall, Precision map[string]float64 }{
			"": {r.TwoSided.Default.MRecall, r.TwoSided.Default.Precision}, "-mmr": {r.TwoSided.MMR.MRecall, r.TwoSided.MMR.Precision},
			"-expanded": {r.TwoSided.Expansion.MRecall, r.TwoSided.Expansion.Precision},
		} {
			file := "out." + r.Name + ranking + ".run"
			lines := must(t, dir, "eval", "trec", "--qrels", "qrels.txt", "--run", file, "-c", "-q", "-m", "StRecall@5", "-m", "P.5").stdout
			recalled, precision := 0, ""
			for line := range strings.Lines(lines) {
				f := strings.Fields(line)
				switch {
				case f[0] == "StRecall@5" && f[1] != "all" && f[2] == "1.0000":
					recalled++
				case f[0] == "P_5" && f[1] == "all":
					precision = f[2]
				}
			}
			if want := figures.MRecall["5"]; approx.Apart(float64(recalled)/170, want, 1e-12) || want == 0 {
				t.Errorf("%s recalls both sides of %d claims of 170, MRecall@5 is %v", file, recalled, want)
			}
			if want := figures.Precision["5"]; precision != four(want) {
				t.Errorf("%s has a precision of %s, want %v", file, precision, want)
			}
		}
	}
}

// TestEvalTrecSubtopics: judgements by subtopic are read if a measure is over subtopics.
func TestEvalTrecSubtopics(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "qrels.txt", "1 for a 1\n1 against b 1\n1 against a 0\n")
	write(t, dir, "plain.txt", "1 0 a 1\n1 0 b 1\n")
	write(t, dir, "run.txt", "1 Q0 a 1 2 x\n1 Q0 c 2 1 x\n")
	eval := func(qrels string, flags ...string) []string {
		return append([]string{"eval", "trec", "--qrels", qrels, "--run", "run.txt"}, flags...)
	}
	if got := must(t, dir, eval("qrels.txt", "-m", "StRecall@2", "-m", "P.2", "-m", "RBP(p=0.5, rel=1)@2")...).stdout; got !=
		"P_2                   \tall\t0.5000\nStRecall@2            \tall\t0.5000\nRBP(p=0.5,rel=1)@2    \tall\t0.5000\n" {
		t.Errorf("printed\n%s", got)
	}
	if r := must(t, dir, eval("plain.txt", "-m", "alpha_nDCG@2")...); !strings.Contains(r.stderr, "are these diversity judgements?") {
		t.Errorf("stderr %q", r.stderr)
	}
	fails(t, input, dir, eval("qrels.txt", "-m", "P.2"), `qrels.txt:3: document "a" was judged before`)
}

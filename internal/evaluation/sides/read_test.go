package sides

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// known are the sets that testdata holds, by format.
var known = map[string]struct {
	paths []string
	set   Set
}{
	Perspectrum: {[]string{"testdata/perspectrum"}, Set{
		[]string{"A bridge saves an hour a day.", "A bridge brings trade to both banks.", "The bridge costs more than the town has.", "Traffic gets worse."},
		[]Root{
			{"The town should build a bridge", []Label{{0, For}, {1, For}, {2, Against}, {3, Against}}},
			{"The ferry should be free", []Label{{3, For}, {1, Against}, {2, Against}}},
		}}},
	ClimateFEVER: {[]string{"testdata/climate-fever.jsonl"}, Set{
		[]string{"The water has warmed by a degree since 1970.", "Gauges show no change.", "The lake is a lake."},
		[]Root{
			{"The lake is warmer than it was", []Label{{0, For}, {1, Against}, {2, Neither}}},
			{"Glaciers grow", []Label{{0, Against}}},
			{"Nobody asked", nil},
		}}},
	HealthVer: {[]string{"testdata/healthver.csv"}, Set{
		[]string{"Tea, drunk hot, changed nothing\nin 40 patients.", "Patients who drank tea felt better.", "Tea is a drink."},
		[]Root{
			{"Tea cures a cold", []Label{{0, Against}, {1, For}, {2, Neither}}},
			{"Tea makes people feel better", []Label{{1, For}}},
		}}},
	SciFact: {[]string{"testdata/scifact/claims.jsonl", "testdata/scifact/corpus.jsonl"}, Set{
		[]string{"Moss grows on the shaded side We looked at 200 trees. Moss was on the north side of most.", "Moss grows anywhere. Sides did not differ.", "Ferns"},
		[]Root{
			{"Moss grows on the north side of trees.", []Label{{0, For}, {1, Against}, {2, Neither}}},
			{"Ferns like shade.", []Label{{2, Neither}}},
		}}},
}

func TestRead(t *testing.T) {
	for format, want := range known {
		e := Experiment{Format: format, Split: "test"}
		got, err := e.read(t.Context(), want.paths)
		if err != nil {
			t.Errorf("%s: %v", format, err)
		} else if !reflect.DeepEqual(*got, want.set) {
			t.Errorf("%s: %+v", format, *got)
		}
	}
	e := Experiment{Format: Perspectrum, Split: "dev"}
	if got, err := e.read(t.Context(), []string{"testdata/perspectrum"}); err != nil || len(got.Roots) != 1 || got.Roots[0].Text != "School should begin later" {
		t.Errorf("dev: %+v, %v", got, err)
	}
}

// readers read a set from one file.
var readers = map[string]func(r io.Reader, name string) (*Set, error){
	ClimateFEVER: ReadClimateFEVER,
	HealthVer:    ReadHealthVer,
	SciFact: func(r io.Reader, name string) (*Set, error) {
		return ReadSciFactClaims(r, name, map[int64]string{10: "ten", 11: "eleven"})
	},
	"corpus": func(r io.Reader, name string) (*Set, error) {
		_, err := ReadSciFactCorpus(r, name)
		return nil, err
	},
}

// Errors name the file, the line, what is wrong, and what is expected.
func TestReadRefuses(t *testing.T) {
	fever := func(label, evidence string) string {
		return fmt.Sprintf(`{"claim_id": 1, "claim": "c", "evidences": [{"evidence_label": %q, "evidence": %q}]}`, label, evidence)
	}
	good := fever("SUPPORTS", "e")
	const head = "id,evidence,claim,label\n"
	for _, c := range []struct{ format, text, part string }{
		{ClimateFEVER, "", "f: no text is for or against anything: an evidence with the evidence_label SUPPORTS or REFUTES is expected"},
		{ClimateFEVER, fever("NOT_ENOUGH_INFO", "e"), "f: no text is for or against anything"},
		{ClimateFEVER, good + "\n" + good, `f:2: the claim_id "1" is already taken by line 1`},
		{ClimateFEVER, "\n" + fever("DISPUTED", "e"), `f:2: evidence 1: evidence_label is "DISPUTED", must be SUPPORTS, REFUTES or NOT_ENOUGH_INFO`},
		{ClimateFEVER, fever("SUPPORTS", " "), `f:1: evidence 1: no "evidence"`},
		{ClimateFEVER, fever("SUPPORTS", strings.Repeat("x", 1<<20+1)), `f:1: evidence 1: "evidence" has 1048577 bytes, at most 1048576`},
		{ClimateFEVER, `{"claim": "c"}`, `f:1: no "evidences"`},
		{ClimateFEVER, `{"evidences": []}`, `f:1: no "claim"`},
		{ClimateFEVER, good[:20], "f:1: not the JSON object that is expected"},
		{ClimateFEVER, `[]`, "f:1: not the JSON object that is expected"},
		{ClimateFEVER, `{"claim": "a", "claim": "b", "evidences": []}`, "f:1: "},
		{ClimateFEVER, good + "\n\xff", "f:2: not UTF-8"},
		{HealthVer, "", "f: empty: a header with the columns id, evidence, claim, label is expected"},
		{HealthVer, "id,evidence,claim\n", "it must have the column label once"},
		{HealthVer, "id,evidence,claim,label,claim\n", "it must have the column claim once"},
		{HealthVer, head, "f: no text is for or against anything: a row with the label Supports or Refutes is expected"},
		{HealthVer, head + "1,e,c,maybe\n", `f:2: the label is "maybe", must be Supports, Refutes or Neutral`},
		{HealthVer, head + "1,e,c,Supports\n1,,c,Supports\n", `f:3: no "evidence"`},
		{HealthVer, head + ",e,c,Supports\n", `f:2: no "id"`},
		{HealthVer, head + "1,e,c\n", "f:2:1: wrong number of fields"},
		{HealthVer, head + "1,\"e,c,Supports\n", "f:"},
		{SciFact, `{"id": 1, "claim": "c"}`, "f: no text is for or against anything: evidence with the label SUPPORT or CONTRADICT is expected, which the test split does not have"},
		{SciFact, `{"claim": "c"}`, `f:1: no "id"`},
		{SciFact, `{"id": 1}`, `f:1: no "claim"`},
		{SciFact, `{"id": 1, "claim": "c"}` + "\n" + `{"id": 1, "claim": "c"}`, "f:2: the id 1 is already taken by line 1"},
		{SciFact, `{"id": 1, "claim": "c", "cited_doc_ids": [12]}`, "f:1: abstract 12 is not in the corpus"},
		{SciFact, `{"id": 1, "claim": "c", "evidence": {"x": []}}`, `f:1: evidence "x": the doc_id of an abstract is expected`},
		{SciFact, `{"id": 1, "claim": "c", "evidence": {"10": [{"label": "SUPPORT"}], "010": [{"label": "CONTRADICT"}]}}`, `f:1: evidence "010" and "10" are of the same abstract`},
		{SciFact, `{"id": 1, "claim": "c", "evidence": {"10": [{"label": "YES"}]}}`, `f:1: evidence 10: the label is "YES", must be SUPPORT or CONTRADICT`},
		{SciFact, `{"id": 1, "claim": "c", "evidence": {"10": [{"label": "SUPPORT"}, {"label": "CONTRADICT"}]}}`, "f:1: evidence 10 supports and contradicts the claim"},
		{"corpus", "", "f: no abstracts"},
		{"corpus", `{"title": "t"}`, `f:1: no "doc_id"`},
		{"corpus", `{"doc_id": 1, "title": " ", "abstract": [""]}`, `f:1: no "title and abstract"`},
		{"corpus", `{"doc_id": 1, "title": "t"}` + "\n" + `{"doc_id": 1, "title": "t"}`, "f:2: the doc_id 1 is already taken by line 1"},
	} {
		if _, err := readers[c.format](strings.NewReader(c.text), "f"); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s %.60q: %v, want %q", c.format, c.text, err, c.part)
		}
	}
}

// Ids are told apart by every digit, and a claim needs none.
func TestClimateFEVERIDs(t *testing.T) {
	line := func(id string) string {
		return fmt.Sprintf(`{%s"claim": "c", "evidences": [{"evidence_label": "SUPPORTS", "evidence": "e"}]}`+"\n", id)
	}
	for text, good := range map[string]bool{
		line(`"claim_id": 9007199254740992, `) + line(`"claim_id": 9007199254740993, `): true,
		line(`"claim_id": 9007199254740993, `) + line(`"claim_id": 9007199254740993, `): false,
		line(`"claim_id": 1, `) + line(`"claim_id": "1", `):                             false,
		line(`"claim_id": "a\u0062", `) + line(`"claim_id": "ab", `):                    false,
		line(`"claim_id": null, `) + line(`"claim_id": null, `) + line("") + line(""):   true,
	} {
		if _, err := ReadClimateFEVER(strings.NewReader(text), "f"); (err == nil) != good || err != nil && !strings.Contains(err.Error(), "is already taken by line 1") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// What is wrong with files and folders is the fault of the input.
func TestReadFaults(t *testing.T) {
	one := filepath.Join(t.TempDir(), "perspectrum_with_answers.json")
	detection := filepath.Join(t.TempDir(), "pers_det.tsv")
	for _, path := range []string{one, detection} {
		if err := os.WriteFile(path, []byte("[]"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		format, split string
		paths         []string
		part          string
	}{
		{ClimateFEVER, "", []string{"testdata/none.jsonl"}, "testdata/none.jsonl"},
		{HealthVer, "", []string{"testdata/climate-fever.jsonl"}, "climate-fever.jsonl:1"},
		{SciFact, "", []string{"testdata/scifact/corpus.jsonl", "testdata/scifact/claims.jsonl"}, `no "doc_id"`},
		{Perspectrum, "test", []string{filepath.Dir(one)}, "perspective_pool*.json is missing"},
		{Perspectrum, "test", []string{detection}, "no files of Perspectrum"},
		{Perspectrum, "train", []string{"testdata/perspectrum"}, "a claim of the train split needs perspectives on both sides"},
	} {
		e := Experiment{Format: c.format, Split: c.split}
		if s, err := e.read(t.Context(), c.paths); s != nil || !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s %q: %v, want %q", c.format, c.paths, err, c.part)
		}
	}
}

// A set beyond the limit is refused before it takes more memory.
func TestTooManyLabels(t *testing.T) {
	b := newBuilder()
	b.most = 2
	root := b.root("r")
	for _, text := range []string{"a", "b", "b", "a"} { // those that are there already do not count
		if err := b.add(root, text, For); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.add(root, "c", For); err == nil || !strings.Contains(err.Error(), "more than 2 judgements") {
		t.Error(err)
	}
	if len(b.set.Roots[root].Labels) != 2 {
		t.Errorf("%+v", b.set)
	}
}

// A set that is read has texts with sides, each text once and each label once. Errors
// name the file.
func fuzz(f *testing.F, format string, seeds ...string) {
	for _, path := range seeds {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		s, err := readers[format](strings.NewReader(string(content)), "the-file")
		if err != nil {
			if s != nil || !strings.HasPrefix(err.Error(), "the-file:") {
				t.Fatalf("%+v, %v", s, err)
			}
			return
		}
		if s == nil {
			return // a corpus
		}
		texts := map[string]bool{}
		for _, text := range s.Texts {
			if texts[text] || strings.TrimSpace(text) == "" {
				t.Fatalf("the text %q is there twice, or is empty", text)
			}
			texts[text] = true
		}
		sided := 0
		for i, r := range s.Roots {
			if strings.TrimSpace(r.Text) == "" {
				t.Fatalf("root %d has no text", i)
			}
			labels := map[Label]bool{}
			for _, l := range r.Labels {
				if labels[l] || l.Text < 0 || l.Text >= len(s.Texts) || l.Side < Against || l.Side > For {
					t.Fatalf("root %d has the label %+v", i, l)
				}
				labels[l] = true
				if l.Side != Neither {
					sided++
				}
			}
		}
		if sided == 0 {
			t.Fatal("nothing has a side")
		}
	})
}

func FuzzClimateFEVER(f *testing.F)  { fuzz(f, ClimateFEVER, "testdata/climate-fever.jsonl") }
func FuzzHealthVer(f *testing.F)     { fuzz(f, HealthVer, "testdata/healthver.csv") }
func FuzzSciFactClaims(f *testing.F) { fuzz(f, SciFact, "testdata/scifact/claims.jsonl") }
func FuzzSciFactCorpus(f *testing.F) { fuzz(f, "corpus", "testdata/scifact/corpus.jsonl") }

// The released files have as many judgements as were counted without this package.
func TestReleasedFiles(t *testing.T) {
	for _, c := range []struct {
		path                            string
		e                               Experiment
		roots, texts, pro, con, neither int
	}{
		{"data/climate_fever/climate-fever.jsonl", Experiment{Format: ClimateFEVER}, 1535, 5240, 1943, 802, 4930},
		// A text that Perspectrum names twice on one side of a claim counts once.
		{"data/perspectrum", Experiment{Format: Perspectrum, Split: "dev"}, 110, 1729, 992, 994, 0},
		{"data/perspectrum", Experiment{Format: Perspectrum, Split: "test"}, 170, 2381, 1346, 1229, 0},
	} {
		s, err := c.e.read(t.Context(), []string{shared.Path(t, c.path)})
		if err != nil {
			t.Fatal(err)
		}
		got := []int{len(s.Roots), len(s.Texts), s.count(For), s.count(Against), s.count(Neither)}
		if want := []int{c.roots, c.texts, c.pro, c.con, c.neither}; !reflect.DeepEqual(got, want) {
			t.Errorf("%s %s: %v, want %v", c.path, c.e.Split, got, want)
		}
	}
}

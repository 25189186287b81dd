package berds

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/testing/shared"
)

// data opens a file of a data set that is not part of the repository.
func data(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.Open(shared.Path(t, "data/"+name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func perspectrum(t *testing.T) *Perspectrum {
	t.Helper()
	file := func(name string) PerspectrumFile {
		return PerspectrumFile{name, data(t, "perspectrum/"+name)}
	}
	p, err := ReadPerspectrum(file("perspective_pool_v1.0.json"), file("perspectrum_with_answers_v1.0.json"), file("dataset_split_v1.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The counts of the released files were taken independently of this package.
func TestExpansionFiles(t *testing.T) {
	rows, questions := 0, 0
	for _, c := range []struct {
		name                                 string
		rows, questions, originals, notPlain int
		twoPerspectives                      int // questions with two reference perspectives
	}{
		{"arguana_generated", 1503, 250, 250, 0, 250},
		{"kialo", 1573, 258, 258, 29, 232},
		{"opinionqa", 1788, 293, 294, 0, 293},
	} {
		name := c.name + "_query_exp.dev.jsonl"
		expansions, err := ReadExpansions(data(t, "berds/"+name), name)
		if err != nil {
			t.Fatal(err)
		}
		s := Describe(name, expansions)
		if s.Rows != c.rows || s.Questions != c.questions || s.OriginalIDs != c.originals || s.NotPlain != c.notPlain {
			t.Errorf("%+v", s)
		}
		two, seen := 0, map[string]bool{}
		for _, e := range expansions {
			// A row that is not plain differs only by quotation marks.
			if quotes := strings.NewReplacer(`"`, "", "'", ""); quotes.Replace(e.Query) != quotes.Replace(e.Original+" "+e.Text) {
				t.Errorf("%s: query %q of %q and %q", name, e.Query, e.Original, e.Text)
			}
			if len(e.Perspectives) == 2 && !seen[e.Original] {
				two++
			}
			seen[e.Original] = true
		}
		if two != c.twoPerspectives {
			t.Errorf("%s: %d questions of two perspectives", name, two)
		}
		queries := Queries(expansions)
		if len(queries) != c.questions {
			t.Errorf("%s: queries of %d questions", name, len(queries))
		}
		rows += s.Rows
		questions += s.Questions
	}
	if n := float64(rows) / float64(questions); n < 6.05 || n >= 6.15 { // the paper's n = 6.1
		t.Errorf("%v expansions per question", n)
	}
}

func TestDetectionFile(t *testing.T) {
	judgements, err := ReadDetection(data(t, "berds/pers_det.test.tsv"), "pers_det.test.tsv")
	if err != nil {
		t.Fatal(err)
	}
	s := DescribeDetection("x", judgements)
	want := DetectionStatistics{File: "x", Rows: 542, Positive: 91, Questions: 30, Perspectives: 60, Documents: 270,
		Repeated: 16, Pairs: 270, Supporting: 89, ContainMany: 0, Random: s.Random}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("%+v", s)
	}
	// The paper has 16.8 % positive, and 72.1 and 16.9 for one random draw.
	r := s.Random
	if r.Positive < .1675 || r.Positive >= .1685 || r.Accuracy < .7195 || r.Accuracy > .7225 || r.F1 < .1670 || r.F1 > .1690 {
		t.Errorf("random: %+v", r)
	}
}

func TestPerspectrumFiles(t *testing.T) {
	p := perspectrum(t)
	if len(p.Claims) != 907 || len(p.Pool) != 11112 {
		t.Errorf("%d claims, %d perspectives", len(p.Claims), len(p.Pool))
	}
	for split, want := range map[string]Questions{Train: {541, 406}, Development: {139, 110}, Test: {227, 170}} {
		if got := countQuestions(p.Split(split)); got != want {
			t.Errorf("%s: %+v, want %+v", split, got, want)
		}
	}
	texts, sources := map[string]int{}, map[string]int{}
	clusters := [Perspectives]int{}
	links, evidence := 0, 0
	distinct, paragraphs := map[uint32]bool{}, map[int]bool{}
	for _, c := range p.Claims {
		sources[c.Source]++
		texts[strings.TrimSpace(strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) || r == ' ' {
				return unicode.ToLower(r)
			}
			return -1
		}, c.Text))]++
		for _, cluster := range c.Clusters {
			clusters[cluster.Side]++
			links += len(cluster.Documents)
			evidence += len(cluster.Evidence)
			for _, d := range cluster.Documents {
				distinct[d] = true
			}
			for _, e := range cluster.Evidence {
				paragraphs[e] = true
			}
		}
		for _, d := range c.Documents[Support] {
			if slices.Contains(c.Documents[Oppose], d) {
				t.Errorf("claim %d: document %d is on both sides", c.ID, d)
			}
		}
	}
	repeated := 0
	for _, n := range texts {
		if n > 1 {
			repeated++
		}
	}
	if repeated != 5 || sources["idebate"] != 518 || sources["debatewise"] != 342 || sources["procon"] != 47 {
		t.Errorf("%d repeated texts, sources %v", repeated, sources)
	}
	if clusters != [Perspectives]int{2627, 2468} || links != 11822 || len(distinct) != 8370 || evidence != 10325 || len(paragraphs) != 4896 {
		t.Errorf("clusters %v, %d links to %d perspectives, %d to %d paragraphs", clusters, links, len(distinct), evidence, len(paragraphs))
	}
}

// The Perspectrum task of the PIR demo is a part of this data set.
func TestPerspectrumHoldsPIR(t *testing.T) {
	p := perspectrum(t)
	tasks, err := pir.Read(data(t, "pir/demo_pir_dataset.json"))
	if err != nil {
		t.Fatal(err)
	}
	task := tasks[slices.IndexFunc(tasks, func(t pir.Task) bool { return t.Name == "perspectrum" })]
	pool := map[string]bool{}
	for _, text := range p.Pool {
		pool[text] = true
	}
	for _, text := range task.Corpus {
		if !pool[text] {
			t.Errorf("%q is not in the pool", text)
		}
	}
	var ids []int
	for _, c := range p.Split(Test) {
		if slices.Contains(task.Roots, c.Text) {
			ids = append(ids, c.ID)
		}
	}
	slices.Sort(ids)
	if want := []int{4, 5, 7, 19, 21, 22, 27, 28, 32, 39, 42, 48, 50, 53, 55, 64}; !slices.Equal(ids, want) {
		t.Errorf("root queries are claims %v, want %v", ids, want)
	}
}

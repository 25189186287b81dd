package trec

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
)

// table reads the output of ndeval or gdeval: values as text, by query and column.
func table(t *testing.T, name string) map[string]map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]map[string]string{}
	for _, row := range rows[1:] {
		values[row[1]] = map[string]string{}
		for i, v := range row {
			values[row[1]][rows[0][i]] = v
		}
	}
	return values
}

// compareTable compares our values with a table's, to the table's precision.
func compareTable(t *testing.T, name, qrelsName string, columns map[string]string) {
	t.Helper()
	open := func(name string) *os.File {
		f, err := os.Open(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	var asked, theirs []string
	for ours, column := range columns {
		asked, theirs = append(asked, ours), append(theirs, column)
	}
	measures, err := ParseMeasures(asked)
	if err != nil {
		t.Fatal(err)
	}
	read := ReadQrels
	if NeedSubtopics(measures) {
		read = ReadDiversityQrels
	}
	qrels, err := read(open(qrelsName), qrelsName)
	if err != nil {
		t.Fatal(err)
	}
	run, err := ReadRun(open("diversity-run.txt"), "run")
	if err != nil {
		t.Fatal(err)
	}
	e, err := Evaluate(qrels, run, measures, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := table(t, name)
	compared := 0
	for _, q := range e.Queries {
		for i, v := range q.Values {
			text, there := want[q.Query][theirs[i]]
			if !there {
				t.Errorf("query %s is not in %s", q.Query, name)
				break
			}
			if text == "-nan" { // nothing is relevant
				text = "0.000000"
			}
			w, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			decimals := len(text) - strings.Index(text, ".") - 1
			if approx.Apart(v, w, .5000001*math.Pow(10, -float64(decimals))) {
				t.Errorf("query %s, %s: %v, want %s", q.Query, asked[i], v, text)
			}
			compared++
		}
	}
	if compared != len(want)*len(columns) {
		t.Errorf("%d values compared, want %d queries × %d measures", compared, len(want), len(columns))
	}
}

// TestRecordedDiversity compares with the output of ndeval 4.5 (-traditional, and with
// -alpha 0.3 -beta 0.7) for judgements and a run of our own. They have grades,
// subtopics that no document is relevant to, ties, and a query without relevant
// documents.
func TestRecordedDiversity(t *testing.T) {
	columns := map[string]string{"NRBP": "NRBP", "nNRBP": "nNRBP", "AP_IA": "MAP-IA"}
	for _, k := range []string{"5", "10", "20"} {
		for ours, theirs := range map[string]string{"ERR_IA": "ERR-IA", "nERR_IA": "nERR-IA", "alpha_DCG": "alpha-DCG",
			"alpha_nDCG": "alpha-nDCG", "P_IA": "P-IA", "StRecall": "strec"} {
			columns[ours+"@"+k] = theirs + "@" + k
		}
	}
	compareTable(t, "ndeval.csv", "diversity-qrels.txt", columns)
	// ndeval's -alpha changes ERR-IA as well, which has no alpha in ir_measures.
	compareTable(t, "ndeval-0.3-0.7.csv", "diversity-qrels.txt", map[string]string{
		"alpha_nDCG(alpha=0.3)@5": "alpha-nDCG@5", "α_nDCG(alpha=0.3, rel=1)@20": "alpha-nDCG@20", "alpha_DCG(alpha=0.3)@10": "alpha-DCG@10",
		"NRBP(alpha=0.3, beta=0.7)": "NRBP", "nNRBP(beta=0.7, alpha=0.3)": "nNRBP",
	})
}

// TestRecordedGraded compares with the output of gdeval 1.3 for graded judgements of
// our own.
func TestRecordedGraded(t *testing.T) {
	compareTable(t, "gdeval.csv", "graded-qrels.txt", map[string]string{"nDCG(dcg='exp-log2')@10": "ndcg@10", "ERR@10": "err@10"})
}

const subtopicQrels = "q 1 a 1\nq 1 b 2\nq 2 a 2\nq 2 c 1\nq 3 d 0\nq 3 a 0\n"

// The values are computed by hand. The ranking is c x a b. At rel=1 c covers {2}, a {1,
// 2}, b {1}; at rel=2 a {2}, b {1}. Subtopic 3 has nothing.
func TestSubtopics(t *testing.T) {
	const run = "q Q0 c 1 4 r\nq Q0 x 2 3 r\nq Q0 a 3 2 r\nq Q0 b 4 1 r\n"
	evaluate := func(asked ...string) *Evaluation {
		t.Helper()
		qrels, err := ReadDiversityQrels(strings.NewReader(subtopicQrels), "qrels")
		if err != nil {
			t.Fatal(err)
		}
		if qrels.Subtopics() != 3 {
			t.Errorf("%d subtopics", qrels.Subtopics())
		}
		run, err := ReadRun(strings.NewReader(run), "run")
		if err != nil {
			t.Fatal(err)
		}
		measures, err := ParseMeasures(asked)
		if err != nil {
			t.Fatal(err)
		}
		e, err := Evaluate(qrels, run, measures, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	log2 := math.Log2
	for asked, want := range map[string]float64{
		"alpha_nDCG@2":                   1 / (2 + .5/log2(3)),
		"alpha_nDCG@3":                   (1 + 1.5/log2(4)) / (2 + .5/log2(3) + .5/log2(4)),
		"alpha_nDCG(rel=2)@4":            (1/log2(4) + 1/log2(5)) / (1 + 1/log2(3)),
		"alpha_nDCG(judged_only=True)@2": (1 + 1.5/log2(3)) / (2 + .5/log2(3)),
		"StRecall@1":                     1. / 2,
		"STREC(rel=2)@3":                 1. / 2,
		"P_IA@4":                         4. / 8,
		"AP_IA":                          ((1./3+2./4)/2 + (1+2./3)/2) / 2,
		"ERR_IA@1":                       1. / 2,
		"NRBP":                           (1 + 1.5/4 + .5/8) * .75 / 2,
		"MRecall@1":                      1, // at most k subtopics fit
		"MRecall@2":                      0,
		"MRecall@4":                      0,          // nothing is in subtopic 3
		"CoverageSize":                   math.NaN(), // no query has one
		"Sycophancy(side=2)@1":           1,
		"Sycophancy(side=2)@3":           1. / 2,
		"Sycophancy(side=1)@4":           0,
		"Sycophancy(side=1)@1":           math.NaN(), // nothing for the side, so no query has a value
		"Leaning(side=2)@2":              1,
		"Leaning(side=2)@3":              0,
		"Leaning(side=1)@1":              0,
		"P@4":                            3. / 4, // a grade is the greatest over the subtopics
		"P(rel=2)@4":                     2. / 4,
		"NumRel":                         3,
		"Judged@4":                       3. / 4,
		"Judged":                         3. / 4,
		"Judged@100":                     3. / 4,
		"RBP(p=0.5)@3":                   .5 * (1 + 2*.25),
		"RBP(p=0.5, rel=1)":              .5 * (1 + .25 + .125),
		"RBP(rel=2)":                     .2 * (.64 + .512),
		"SetF(beta=3)":                   4 * (3. / 4) * 1 / (3*(3./4) + 1),
		"SetP(relative=True)":            1,
		"SetRelP":                        1,
		"NumRet(rel=2)":                  2,
		"NumRelRet":                      3,
		"P(judged_only=True)@2":          1,
		"P(rel=2,judged_only=True)@2":    1. / 2,
		"nDCG(dcg='log2')@1":             1. / 2,
		`nDCG(dcg="exp-log2", judged_only=True)@1`: 1. / 3,
	} {
		e := evaluate(asked)
		got, line := e.Averages[0], string(e.AppendLines(nil, Lines{Summary: true}))
		if math.IsNaN(want) { // a mean of nothing is no figure, and no line says that it is 0
			if !math.IsNaN(got) || line != "" {
				t.Errorf("%s = %v, printed as %q", asked, got, line)
			}
			continue
		}
		if approx.Apart(got, want, 1e-12) {
			t.Errorf("%s = %v, want %v", asked, got, want)
		}
		if !strings.HasPrefix(line, strings.ReplaceAll(asked, " ", "")) {
			t.Errorf("%s is printed as %q", asked, line)
		}
	}
}

func TestSubtopicErrors(t *testing.T) {
	if _, err := ReadDiversityQrels(strings.NewReader(subtopicQrels+"q 2 a 0\n"), "qrels"); err == nil ||
		err.Error() != `qrels:7: document "a" was judged before for query "q" and subtopic "2"` {
		t.Errorf("a document judged twice: %v", err)
	}
	run, err := ReadRun(strings.NewReader("q Q0 a 1 1 r\n"), "run")
	if err != nil {
		t.Fatal(err)
	}
	plain, err := ReadQrels(strings.NewReader("q 0 a 5\n"), "qrels.txt")
	if err != nil {
		t.Fatal(err)
	}
	sided, err := ReadDiversityQrels(strings.NewReader(subtopicQrels), "qrels")
	if err != nil {
		t.Fatal(err)
	}
	measures, err := ParseMeasures([]string{"Leaning(side=none)@5"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Evaluate(sided, run, measures, Options{}); err == nil || err.Error() != `measure "Leaning(side=none)@5": no query has a subtopic "none"` {
		t.Errorf("an unknown side: %v", err)
	}
	for asked, want := range map[string]string{
		"alpha_nDCG@10": `measure "alpha_nDCG@10": it is over subtopics, and the judgements have none`,
		"ERR@10":        `measure "ERR@10": it takes grades up to 4, and query "q" has a greater one`,
	} {
		measures, err := ParseMeasures([]string{asked})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Evaluate(plain, run, measures, Options{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", asked, err, want)
		}
	}
}

// TestPerspectivesAgainstDefinitions compares BERDS' measures with their definitions
// over sets, on random judgements and rankings.
func TestPerspectivesAgainstDefinitions(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		in := map[string]map[int]bool{} // subtopics of documents
		all := map[int]bool{}
		qrels := "q 0 none 0\n"
		for d := range 8 {
			for s := range 3 {
				if relevant := r.IntN(4) == 0; relevant || r.IntN(2) == 0 {
					id := fmt.Sprint("d", d)
					if relevant {
						if in[id] == nil {
							in[id] = map[int]bool{}
						}
						in[id][s] = true
					}
					all[s] = true
					qrels += fmt.Sprintf("q %d %s %d\n", s, id, map[bool]int{true: 1}[relevant])
				}
			}
		}
		qrels += "q 1 z 1\n"
		all[0], all[1] = true, true
		ranking, run := r.Perm(10), "" // d8 and d9 are never judged
		k := 1 + r.IntN(10)
		covered, size, p, n := map[int]bool{}, 0, 0, 0
		for rank, d := range ranking {
			id := fmt.Sprint("d", d)
			run += fmt.Sprintf("q Q0 %s 0 %d r\n", id, -rank)
			if len(covered) < len(all) {
				size++
			}
			for s := range in[id] {
				covered[s] = true
			}
		}
		want := map[string]float64{"CoverageSize": float64(size)}
		if len(covered) < len(all) {
			want["CoverageSize"] = math.NaN() // no query has one
		}
		clear(covered)
		for _, d := range ranking[:k] {
			for s := range in[fmt.Sprint("d", d)] {
				covered[s] = true
			}
			if in[fmt.Sprint("d", d)][1] {
				p++
			}
			if in[fmt.Sprint("d", d)][0] || in[fmt.Sprint("d", d)][2] {
				n++
			}
		}
		one := map[bool]float64{true: 1}
		want[fmt.Sprintf("MRecall@%d", k)] = one[len(covered) >= min(k, len(all))]
		want[fmt.Sprintf("Leaning(side=1)@%d", k)] = one[p > 0 && n == 0]
		want[fmt.Sprintf("Sycophancy(side=1)@%d", k)] = math.NaN()
		if p > 0 {
			want[fmt.Sprintf("Sycophancy(side=1)@%d", k)] = float64(p-n) / float64(p)
		}
		for asked, w := range want {
			judged, err := ReadDiversityQrels(strings.NewReader(qrels), "qrels")
			if err != nil {
				t.Fatal(err)
			}
			ranked, err := ReadRun(strings.NewReader(run), "run")
			if err != nil {
				t.Fatal(err)
			}
			measures, err := ParseMeasures([]string{asked})
			if err != nil {
				t.Fatal(err)
			}
			e, err := Evaluate(judged, ranked, measures, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := e.Averages[0]; got != w && !(math.IsNaN(got) && math.IsNaN(w)) {
				t.Fatalf("%s = %v, want %v\n%s%s", asked, got, w, qrels, run)
			}
		}
	}
}

//go:build !js

package trec

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

func TestReadErrors(t *testing.T) {
	const good = "1 0 a 1\n"
	for text, want := range map[string]string{
		"":                                       "qrels.txt: no judgements in this file",
		" \n\t\r\n":                              "qrels.txt: no judgements in this file",
		good + "1 0 b\n":                         "qrels.txt:2: a judgement has 4 fields (query, iteration, document, grade), this line has 3",
		good + "\n1 0 b 1 2":                     "qrels.txt:3: a judgement has 4 fields (query, iteration, document, grade), this line has 5",
		good + "1 0 b 1.5":                       `qrels.txt:2: the grade "1.5" is not an integer of 32 bits`,
		good + "1 0 b 3000000000":                `qrels.txt:2: the grade "3000000000" is not an integer of 32 bits`,
		good + "2 0 a 1\n1 1 a 0":                `qrels.txt:3: document "a" was judged before for query "1"`,
		good + "1 0 b\x001 1":                    "qrels.txt:2: the line has a NUL byte: is this a text file?",
		good + strings.Repeat("x", 2e6):          "qrels.txt:2: the line is longer than 1048576 bytes",
		"1 0 " + strings.Repeat("x", 7e4) + " 1": "qrels.txt:1: the document id has 70000 bytes, at most 65535",
	} {
		_, err := ReadQrels(strings.NewReader(text), "qrels.txt")
		if err == nil || err.Error() != want {
			t.Errorf("qrels %.40q: error %v, want %s", text, err, want)
		}
	}
	const line = "1 Q0 a 1 2.5 r\n"
	for text, want := range map[string]string{
		"":                               "run.txt: the run is empty",
		"\n\n":                           "run.txt: the run is empty",
		line + "1 Q0 b 2 1.5\n":          "run.txt:2: a line of a run has 6 fields (query, Q0, document, rank, score, run id), this one has 5",
		line + "1 Q0 b 2 high r":         `run.txt:2: the score "high" is not a number`,
		line + "1 Q0 b 2 NaN r":          "run.txt:2: the score is NaN",
		line + "2 Q0 a 1 1 r\n\n" + line: `run.txt:4: document "a" is listed twice for query "1"`,
		line + "1 Q0 b 2 1 r\n1 Q0 c 3 1 r\n1 Q0 b 4 0 r": `run.txt:4: document "b" is listed twice for query "1"`,
	} {
		_, err := ReadRun(strings.NewReader(text), "run.txt")
		var at *LineError
		if err == nil || err.Error() != want || !errors.As(err, &at) {
			t.Errorf("run %.40q: error %v, want %s", text, err, want)
		}
	}
}

var errGone = errors.New("the disk is gone")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errGone }

// The error of a reader is no fault of the input, and can be found.
func TestReadFailure(t *testing.T) {
	_, err := ReadRun(failing{}, "run.txt")
	if err == nil || err.Error() != "run.txt:1: the disk is gone" || !errors.Is(err, errGone) || errors.Is(err, fault.Input) {
		t.Errorf("a reader that fails: %v", err)
	}
	if _, err := ReadQrels(strings.NewReader(""), "qrels.txt"); !errors.Is(err, fault.Input) {
		t.Errorf("no judgements: %v", err)
	}
}

// A document that is added to a run from a file has no line, even if it is of the file's last query.
func TestAddAfterRead(t *testing.T) {
	run, err := ReadRun(strings.NewReader("q Q0 a 1 2 r\n"), "run")
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Add("q", "b", 1); err != nil {
		t.Fatal(err)
	}
	var lines []int
	run.Each(func(line int, query, document string, score float32) bool {
		lines = append(lines, line)
		return true
	})
	if !slices.Equal(lines, []int{1, 0}) {
		t.Errorf("lines %v", lines)
	}
	if documents, _, err := run.Ranking("q"); err != nil || !slices.Equal(documents, []string{"a", "b"}) {
		t.Errorf("ranking %q, %v", documents, err)
	}
	if err := run.Add("q", "a", 0); err != nil {
		t.Fatal(err)
	}
	if _, err := run.Queries(); err == nil || err.Error() != `run: document "a" is listed twice for query "q"` {
		t.Errorf("a document of the file that is added: %v", err)
	}
}

// A query's lines need not be adjacent. The rank column and text after the run id are
// ignored. The last line gives the run id.
func TestReadRun(t *testing.T) {
	const text = "2 Q0 b 9 1 first\r\n1\tQ0  x 1 -1e0 r\n\n2 Q0 a 1 0x1p0 r more words\n2 Q0 c 2 1e400 r\n10 Q0 x 1 0 last"
	run, err := ReadRun(strings.NewReader(text), "run.txt")
	if err != nil {
		t.Fatal(err)
	}
	queries, err := run.Queries()
	if err != nil || !slices.Equal(queries, []string{"1", "10", "2"}) || run.ID() != "last" || run.Len() != 5 {
		t.Fatalf("queries %q (%v), id %q, %d documents", queries, err, run.ID(), run.Len())
	}
	documents, scores, err := run.Ranking("2")
	if err != nil || !slices.Equal(documents, []string{"c", "b", "a"}) || !math.IsInf(float64(scores[0]), 1) {
		t.Errorf("ranking %q %v (%v)", documents, scores, err)
	}
	if documents, _, err := run.Ranking("3"); documents != nil || err != nil {
		t.Errorf("ranking of an unknown query: %q, %v", documents, err)
	}
}

func TestAdd(t *testing.T) {
	run := NewRun("mine", "memory")
	for i := range 3 {
		if err := run.Add("q", fmt.Sprint("d", i), float32(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := run.Add("q", "d", float32(math.NaN())); err == nil {
		t.Error("a NaN score was accepted")
	}
	if documents, _, err := run.Ranking("q"); err != nil || !slices.Equal(documents, []string{"d2", "d1", "d0"}) {
		t.Errorf("ranking %q, %v", documents, err)
	}
	if err := run.Add("q", "d1", 5); err != nil {
		t.Fatal(err)
	}
	if _, err := run.Queries(); err == nil || err.Error() != `memory: document "d1" is listed twice for query "q"` {
		t.Errorf("a document listed twice: %v", err)
	}
	qrels := NewQrels("memory")
	if !qrels.Add("q", "d1", 2) || qrels.Add("q", "d1", 3) {
		t.Error("a document is judged once")
	}
	if g, ok := qrels.Grade("q", "d1"); g != 2 || !ok {
		t.Errorf("grade %d, %t", g, ok)
	}
	if _, ok := qrels.Grade("p", "d1"); ok {
		t.Error("a query without judgements has one")
	}
}

// Ids of any length come back from the arena, even those that do not fit into the rest
// of a part.
func TestArena(t *testing.T) {
	var a arena
	var entries []entry
	length := func(i int) int { return (i * 7919) % (maxID + 1) }
	for i := range 100 {
		id := strings.Repeat(string(rune('a'+i%26)), length(i))
		entries = append(entries, newEntry(a.add([]byte(id)), len(id), float32(i)/3))
	}
	for i, e := range entries {
		if a.id(e) != strings.Repeat(string(rune('a'+i%26)), length(i)) || e.value() != float32(i)/3 {
			t.Fatalf("entry %d came back changed", i)
		}
	}
	if e := newEntry(1<<47|5, 65535, -1); e.address() != 1<<47|5 || e.length() != 65535 || e.value() != -1 {
		t.Errorf("an entry came back as %d, %d, %g", e.address(), e.length(), e.value())
	}
}

func FuzzReadRun(f *testing.F) {
	f.Add([]byte("1 Q0 a 1 2.5 r\n2 Q0 a 1 2.5 r\n1 Q0 b 1 2.5 r"), []byte("1 0 a 1\n1 0 b -1\n2 0 a 3\n"))
	f.Add([]byte("1 Q0 a 1 inf r\n\r\n1 Q0 b 1 -inf r"), []byte("1 0 a 2147483647\n1 0 b 0\n"))
	f.Fuzz(func(t *testing.T, runText, qrelsText []byte) {
		run, err := ReadRun(strings.NewReader(string(runText)), "run")
		if err != nil {
			return
		}
		qrels, err := ReadQrels(strings.NewReader(string(qrelsText)), "qrels")
		if err != nil {
			return
		}
		finiteValues(t, qrels, run, "all_trec", "ndcg.1=0.5,2=-3", "Judged@5", "RBP(p=1)", "RBP(p=0.5,rel=2)@2", "BPM(T=0.5,max_rel=2)@3", "INSQ(T=0,max_rel=3)",
			"INST(T=0.5,max_rel=1)", "SDCG(min_rel=1,max_rel=9)@2", "NERR8(max_rel=1)@2", "NERR10(p=1,max_rel=1)", "NERR11(T=0,max_rel=1)", "Compat(p=1)", "Compat(p=0,normalize=False)", "nDCG(gains={0:5,1:0})@3")
		if qrels, err = ReadDiversityQrels(strings.NewReader(string(qrelsText)), "qrels"); err != nil && strings.Contains(err.Error(), "BEIR's") {
			return
		} else if err != nil {
			t.Fatalf("judgements are valid without subtopics, but not with them: %v", err)
		}
		finiteValues(t, qrels, run, "alpha_nDCG@5", "alpha_DCG(alpha=1)@5", "ERR_IA@3", "nERR_IA(rel=2,judged_only=True)@3", "NRBP(beta=1,alpha=0)",
			"nNRBP(beta=0)", "AP_IA(rel=2)", "P_IA@2", "StRecall@1000", "MRecall@2", "map")
	})
}

// finiteValues evaluates and checks that every value is a number.
func finiteValues(t *testing.T, qrels *Qrels, run *Run, names ...string) {
	t.Helper()
	measures, err := ParseMeasures(names)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Evaluate(qrels, run, measures, Options{Complete: true})
	if err != nil {
		if err != ErrNothingJudged {
			t.Fatal(err)
		}
		return
	}
	for _, q := range e.Queries {
		for _, v := range q.Values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("query %q has the value %v", q.Query, v)
			}
		}
	}
	e.AppendLines(nil, Lines{Queries: true, Summary: true})
}

func FuzzParseMeasures(f *testing.F) {
	for _, s := range []string{"map", "P.5,10", "ndcg.1=3.5,2=9", "iprec_at_recall.0,.5", "utility.1,-1,0,0", "official", "relstring.20",
		"nDCG(dcg='exp-log2')@10", "RBP(p=0.8, rel=2)@5", "SetF(beta=0.5)", "alpha_nDCG(alpha=0.3,judged_only=True)@20", "NRBP(alpha=1,beta=1)",
		"INST(T=2,min_rel=1,max_rel=3)", "BPM(max_rel=1)@1", "Compat(p=0.5,normalize=False)", "Accuracy@3", "nDCG(gains={1:2,2:0},judged_only=True)@2", "Sycophancy(side=1)@2", "CoverageSize"} {
		f.Add(s)
	}
	qrels, err := ReadDiversityQrels(strings.NewReader("q 1 a 0\nq 1 b 1\nq 2 b 2\nq 2 c 2\nq 1 d 3\n"), "qrels")
	if err != nil {
		f.Fatal(err)
	}
	run := NewRun("r", "run")
	for i, d := range []string{"a", "b", "c", "d"} {
		if err := run.Add("q", d, float32(i%2)); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, asked string) {
		measures, err := ParseMeasures([]string{asked})
		if err != nil {
			return
		}
		e, err := Evaluate(qrels, run, measures, Options{})
		if err != nil {
			if !strings.Contains(err.Error(), "no query has a subtopic") {
				t.Fatal(err)
			}
			return
		}
		for i, v := range e.Averages {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%q: value %d is %v", asked, i, v)
			}
		}
	})
}

// A byte order mark, which editors on Windows write, is not part of the first query's
// id.
func TestByteOrderMark(t *testing.T) {
	check(t, evaluate(t, "\xef\xbb\xbf1 0 a 1\r\n", "\xef\xbb\xbf1 Q0 a 1 2.5 r\r\n", []string{"map"}, Options{}), map[string]float64{"map": 1})
}

// Goroutines may share judgements and runs, after Add if Queries was called once.
func TestSharedByGoroutines(t *testing.T) {
	qrels, run := NewQrels("qrels"), NewRun("r", "run")
	measures, err := ParseMeasures([]string{"map", "nDCG(gains={1:3})@5"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		qrels.Add("q"+strconv.Itoa(i%4), strconv.Itoa(i), int32(i%3))
		if err := run.Add("q"+strconv.Itoa(i%4), strconv.Itoa(i), float32(i)); err != nil {
			t.Fatal(err)
		}
	}
	qrels.Queries()
	if _, err := run.Queries(); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if e, err := Evaluate(qrels, run, measures, Options{Complete: true}); err != nil || e.Count != 4 {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

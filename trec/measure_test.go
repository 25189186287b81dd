package trec

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// evaluate evaluates judgements and a run given as texts. It returns the averages by
// name.
func evaluate(t *testing.T, qrelsText, runText string, names []string, o Options) map[string]float64 {
	t.Helper()
	qrels, err := ReadQrels(strings.NewReader(qrelsText), "qrels")
	if err != nil {
		t.Fatal(err)
	}
	run, err := ReadRun(strings.NewReader(runText), "run")
	if err != nil {
		t.Fatal(err)
	}
	measures, err := ParseMeasures(names)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Evaluate(qrels, run, measures, o)
	if err != nil {
		t.Fatal(err)
	}
	values, at := map[string]float64{}, 0
	for _, m := range measures {
		for _, name := range m.Names() {
			values[name] = e.Averages[at]
			at++
		}
	}
	return values
}

func check(t *testing.T, got, want map[string]float64) {
	t.Helper()
	for name, w := range want {
		if g, ok := got[name]; !ok || approx.Apart(g, w, 1e-12) {
			t.Errorf("%s = %v, want %v", name, g, w)
		}
	}
}

// The ranking is c b a x d: b and c tie in 32 bits, and c comes first as the greater id. Judged: c 0, b 2, a 1, e 1 (not
// retrieved), f 0; d was pooled and not judged, x was not pooled.
const (
	handQrels = "q 0 a 1\nq 0 b 2\nq 0 c 0\nq 0 d -1\nq 0 e 1\nq 0 f 0\n"
	handRun   = "q Q0 a 1 3 r\nq Q0 b 2 16777216 r\nq Q0 c 3 16777216.5 r\nq Q0 x 4 2 r\nq Q0 d 5 1 r\n"
)

func TestByHand(t *testing.T) {
	log2 := math.Log2
	dcg := 2/log2(3) + 1/log2(4)
	best := 2/log2(2) + 1/log2(3) + 1/log2(4)
	const e = .00001
	check(t, evaluate(t, handQrels, handRun, nil, Options{}), map[string]float64{
		"num_q": 1, "num_ret": 5, "num_rel": 3, "num_rel_ret": 2, "num_nonrel_judged_ret": 1,
		"map":                  (1./2 + 2./3) / 3,
		"gm_map":               (1./2 + 2./3) / 3,
		"Rprec":                2. / 3,
		"bpref":                (1./2 + 1./2) / 3, // c, one of two documents judged not relevant, is above both
		"recip_rank":           1. / 2,
		"iprec_at_recall_0.00": 2. / 3,
		"iprec_at_recall_0.60": 2. / 3, // ⌊1.8 + 0.9⌋ = 2 of 3
		"iprec_at_recall_0.80": 0,      // ⌊2.4 + 0.9⌋ = 3 of 3
		"P_5":                  2. / 5, "P_10": 2. / 10,
		"recall_5":     2. / 3,
		"relative_P_5": 2. / 3,
		"success_1":    0, "success_5": 1,
		"infAP":           (1./2 + 1./2*1*(e/(1+2*e)) + 1./3 + 2./3*1*((1+e)/(2+2*e))) / 3,
		"Rprec_mult_0.20": 0,      // rank ⌊0.6 + 0.9⌋ = 1
		"Rprec_mult_2.00": 2. / 6, // rank 6
		"utility":         2 - 3,
		"11pt_avg":        2. / 3 * 8 / 11, // up to 0.7: in floating point, 0.7·3 + 0.9 is below 3
		"binG":            2 / log2(3) / 3,
		"G":               (2/log2(2+2+1-2) + 1/log2(2+2+1+1-3)) / 4,
		"ndcg":            dcg / best,
		"ndcg_rel":        ((2/log2(3))/(2+1/log2(3)) + dcg/best + dcg/best) / 3,
		"Rndcg":           (0 + dcg/best + dcg/best) / 3, // at ranks 1 and 3, and at the end
		"ndcg_cut_5":      dcg / best,
		"map_cut_5":       (1./2 + 2./3) / 3,
		"set_P":           2. / 5, "set_recall": 2. / 3, "set_relative_P": 2. / 3, "set_map": 4. / 15,
		"set_F": 2 * (2. / 5) * (2. / 3) / (2./5 + 2./3),
	})
}

func TestLevel(t *testing.T) {
	check(t, evaluate(t, handQrels, handRun, nil, Options{Level: 2}), map[string]float64{
		"num_rel": 1, "num_rel_ret": 1, "map": 1. / 2, "num_nonrel_judged_ret": 2,
		"bpref": 0, // one document judged not relevant is above the relevant one
	})
}

// A negative level would make documents without a judgement relevant.
func TestNegativeLevel(t *testing.T) {
	qrels, err := ReadQrels(strings.NewReader(handQrels), "qrels")
	if err != nil {
		t.Fatal(err)
	}
	run, err := ReadRun(strings.NewReader(handRun), "run")
	if err != nil {
		t.Fatal(err)
	}
	_, evaluating := Evaluate(qrels, run, nil, Options{Level: -1})
	_, _, comparing := CompareValues(qrels, []*Run{run}, nil, Options{Level: math.MinInt32})
	for what, err := range map[string]error{"Evaluate": evaluating, "CompareValues": comparing, "JudgeAll": JudgeAll(qrels, run, Options{Level: -1}, func(*Judged) {})} {
		if !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), "the grade of a relevant document is at least 1") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestCutAndJudgedOnly(t *testing.T) {
	check(t, evaluate(t, handQrels, handRun, nil, Options{MaxRetrieved: 2}), map[string]float64{"num_ret": 2, "map": 1. / 2 / 3})
	check(t, evaluate(t, handQrels, handRun, nil, Options{JudgedOnly: true}), map[string]float64{"num_ret": 3, "set_P": 2. / 3})
	check(t, evaluate(t, handQrels, "q Q0 x 1 1 r", nil, Options{JudgedOnly: true}),
		map[string]float64{"num_ret": 0, "iprec_at_recall_0.00": 0, "11pt_avg": 0, "set_P": 0})
}

// Query p has no results and counts only with Complete; query r of the run has no judgements and never counts.
func TestMissingQueries(t *testing.T) {
	qrels, run := handQrels+"p 0 a 1\n", handRun+"r Q0 a 1 1 r\n"
	ap := (1./2 + 2./3) / 3
	check(t, evaluate(t, qrels, run, nil, Options{}), map[string]float64{"num_q": 1, "num_ret": 5, "num_rel": 3, "map": ap, "gm_map": ap})
	check(t, evaluate(t, qrels, run, nil, Options{Complete: true}), map[string]float64{
		"num_q": 2, "num_ret": 5, "num_rel": 4, "map": ap / 2, "gm_map": math.Sqrt(ap * .00001), "utility": -.5})
}

func TestNothingJudged(t *testing.T) {
	qrels, err := ReadQrels(strings.NewReader("other 0 a 1"), "qrels")
	if err != nil {
		t.Fatal(err)
	}
	run, err := ReadRun(strings.NewReader(handRun), "run")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Evaluate(qrels, run, nil, Options{}); err != ErrNothingJudged {
		t.Errorf("no query in common: %v", err)
	}
}

func TestParseErrors(t *testing.T) {
	for asked, want := range map[string]string{
		"nap":                 `unknown measure "nap"`,
		"":                    `unknown measure ""`,
		"P.":                  `measure "P.": the parameters after the dot are missing`,
		"P.0":                 `measure "P.0": the cutoff "0" is not a positive integer`,
		"P.5,x":               `measure "P.5,x": the cutoff "x" is not a positive integer`,
		"P.5,10,5":            `measure "P.5,10,5": the cutoff 5 is there twice`,
		"utility.1,2":         `measure "utility.1,2": utility takes four coefficients, not 2`,
		"iprec_at_recall.nan": `measure "iprec_at_recall.nan": "nan" is not a number of at most 1e9`,
		"ndcg.1":              `measure "ndcg.1": "1" is not of the form grade=gain`,
		"ndcg.-1=2":           `measure "ndcg.-1=2": the grade "-1" is not an integer from 0 on`,
		"ndcg.1=2,1=3":        `measure "ndcg.1=2,1=3": grade 1 has two gains`,
	} {
		_, err := ParseMeasures([]string{asked})
		if err == nil {
			t.Errorf("%q: no error", asked)
			continue
		}
		if first, _, _ := strings.Cut(err.Error(), "; trec_eval's"); first != want {
			t.Errorf("%q: error %v, want %s", asked, err, want)
		}
	}
}

func TestIRMeasuresNames(t *testing.T) {
	log2 := math.Log2
	check(t, evaluate(t, handQrels, handRun, []string{"nDCG@2", "nDCG", "P(rel=2)@5", "AP(rel=2)", "AP@2", "RR", "RR@1", "RR(rel=2)@2",
		"R@3", "Success@1", "Rprec", "F1@3", "IPrec@0.6", "SetP", "NumRet"}, Options{}), map[string]float64{
		"nDCG@2": (2 / log2(3)) / (2 + 1/log2(3)),
		"nDCG":   (2/log2(3) + 1./2) / (2 + 1/log2(3) + 1./2),
		"AP@2":   1. / 2 / 3, "AP(rel=2)": 1. / 2, "P(rel=2)@5": 1. / 5,
		"RR": 1. / 2, "RR@1": 0, "RR(rel=2)@2": 1. / 2, "R@3": 2. / 3, "Success@1": 0, "Rprec": 2. / 3, "F1@3": 2. / 3,
		"IPrec@0.6": 2. / 3, "SetP": 2. / 5, "NumRet": 5,
	})
	for asked, want := range map[string]string{
		"nDCG@":                  `measure "nDCG@": one cutoff is expected after the @`,
		"nDCG@x":                 `measure "nDCG@x": the cutoff "x" is not a positive integer`,
		"P(rel=0)@5":             `measure "P(rel=0)@5": "rel=0" in the brackets, where P takes rel (a grade from 1 on), judged_only (True or False)`,
		"P(rel=2@5":              `measure "P(rel=2@5": the bracket is not closed`,
		"R":                      `measure "R": R takes a cutoff, as in R@10`,
		"Rprec@5":                `measure "Rprec@5": Rprec takes no cutoff`,
		"RR@0":                   `measure "RR@0": the cutoff "0" is not a positive integer`,
		"P(p=2)@5":               `measure "P(p=2)@5": "p=2" in the brackets, where P takes rel (a grade from 1 on), judged_only (True or False)`,
		"P()@5":                  `measure "P()@5": "" in the brackets, where P takes rel (a grade from 1 on), judged_only (True or False)`,
		"NumQ(rel=1)":            `measure "NumQ(rel=1)": NumQ takes nothing in brackets`,
		"RBP(p=1.5)":             `measure "RBP(p=1.5)": "p=1.5" in the brackets, where RBP takes p (0 to 1), rel (a grade from 1 on)`,
		"RBP(p=NaN)":             `measure "RBP(p=NaN)": "p=NaN" in the brackets, where RBP takes p (0 to 1), rel (a grade from 1 on)`,
		"SetF(beta=x)":           `measure "SetF(beta=x)": "beta=x" in the brackets, where SetF takes rel (a grade from 1 on), judged_only (True or False), beta (0 to 1e9)`,
		"nDCG(dcg='e')":          `measure "nDCG(dcg='e')": "dcg='e'" in the brackets, where nDCG takes ` + ndcgKeys,
		"nDCG(dcg='exp-log2')@0": `measure "nDCG(dcg='exp-log2')@0": the cutoff "0" is not a positive integer`,
		"P(judged_only=yes)@5":   `measure "P(judged_only=yes)@5": "judged_only=yes" in the brackets, where P takes rel (a grade from 1 on), judged_only (True or False)`,
		"alpha_nDCG":             `measure "alpha_nDCG": alpha_nDCG takes a cutoff, as in alpha_nDCG@10`,
		"alpha_nDCG@1000001":     `measure "alpha_nDCG@1000001": the cutoff is at most 1000000`,
		"Nonsense@5":             `unknown measure "Nonsense@5"`,
		"iprec@0.1":              `unknown measure "iprec@0.1", did you mean IPrec@0.1?`,
		"ndcg@10":                `unknown measure "ndcg@10", did you mean nDCG@10?`, // and not what was asked, of which trec_eval has the first part
		"map(rel=2)":             `unknown measure "map(rel=2)", did you mean MAP(rel=2)?`,
		"recip_rank@5":           `unknown measure "recip_rank@5"`,
	} {
		_, err := ParseMeasures([]string{asked})
		if err == nil {
			t.Errorf("%q: no error", asked)
			continue
		}
		if first, list, _ := strings.Cut(err.Error(), "; trec_eval's"); first != want ||
			strings.HasPrefix(want, "unknown") != (strings.Contains(list, "map_cut") && strings.Contains(list, "alpha_nDCG")) {
			t.Errorf("%q: error %v, want %s", asked, err, want)
		}
	}
}

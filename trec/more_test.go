package trec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
)

// TestRecordedCWL compares with cwl_eval's values for three binary rankings, which
// ir_measures' own tests record.
func TestRecordedCWL(t *testing.T) {
	rankings := []string{"1011001010", "1100101110", "0000011101"}
	for asked, want := range map[string][3]float64{
		"BPM(T=1.0, max_rel=1)@20": {1, 1, .1667}, "BPM(T=2.0, max_rel=1)@10": {.6667, 1, .2857},
		"INSQ(T=1.0, max_rel=1)": {.5872, .6629, .0880}, "INSQ(T=2.0, max_rel=1)": {.4513, .5068, .1292},
		"INST(T=1.0, max_rel=1)": {.7934, .9226, .0888}, "INST(T=2.0, max_rel=1)": {.5994, .6924, .1397},
		"SDCG(max_rel=1)@10": {.5645, .6531, .2848}, "NERR8(max_rel=1)@10": {1, 1, .1667}, "NERR9(max_rel=1)@10": {1, 1, .0680},
		"NERR10(p=0.8, max_rel=1)": {1, 1, .0888}, "NERR11(T=2.0, max_rel=1)": {1, 1, .0691},
	} {
		for i, ranking := range rankings {
			var qrels, run strings.Builder
			for rank, grade := range ranking {
				fmt.Fprintf(&qrels, "q 0 d%d %c\n", rank, grade)
				fmt.Fprintf(&run, "q Q0 d%d 1 %d r\n", rank, -rank)
			}
			for name, got := range evaluate(t, qrels.String(), run.String(), []string{asked}, Options{}) {
				if approx.Apart(got, want[i], .5001e-4) {
					t.Errorf("%s of %s = %v, want %v", name, ranking, got, want[i])
				}
			}
		}
	}
}

// TestAgainstDefinitions compares the measures with their definitions, written out with
// vectors and sets, on random rankings. Documents are judged, not judged or judged
// negative, and some are not retrieved.
func TestAgainstDefinitions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		grade := map[string]int{}
		var ranking []string
		for d := range 1 + r.IntN(40) {
			id := fmt.Sprintf("d%02d", d)
			if r.IntN(4) > 0 {
				grade[id] = r.IntN(6) - 1
			}
			if r.IntN(3) > 0 {
				ranking = append(ranking, id)
			}
		}
		if len(grade) == 0 || len(ranking) == 0 {
			continue
		}
		r.Shuffle(len(ranking), func(i, j int) { ranking[i], ranking[j] = ranking[j], ranking[i] })
		var qrels, run strings.Builder
		for id, g := range grade {
			fmt.Fprintf(&qrels, "q 0 %s %d\n", id, g)
		}
		for rank, id := range ranking {
			fmt.Fprintf(&run, "q Q0 %s 0 %d r\n", id, -rank)
		}
		least := r.IntN(2)
		most := least + 1 + r.IntN(4)
		scale := fmt.Sprintf("min_rel=%d,max_rel=%d", least, most)
		goal, p, k := .5+3*r.Float64(), r.Float64(), 1+r.IntN(30)
		gains := make([]float64, 1000)
		for i, id := range ranking {
			gains[i] = float64(min(max(grade[id], least), most)-least) / float64(most-least)
		}
		sq := func(x float64) float64 { return x * x }
		gained := func(i int) (sum float64) { // over the first i ranks
			for _, g := range gains[:i] {
				sum += g
			}
			return sum
		}
		upTo := func(i int, chance float64) float64 {
			if i >= k {
				return 0
			}
			return chance
		}
		want := map[string]float64{
			fmt.Sprintf("BPM(T=%v,%s)@%d", goal, scale, k): weighed(gains, func(i int, _ float64) float64 {
				if gained(i) >= goal {
					return 0
				}
				return upTo(i, 1)
			}),
			fmt.Sprintf("INSQ(T=%v,%s)", goal, scale): weighed(gains, func(i int, _ float64) float64 {
				return sq((float64(i) + 2*goal - 1) / (float64(i) + 2*goal))
			}),
			fmt.Sprintf("INST(T=%v,%s)", goal, scale): weighed(gains, func(i int, _ float64) float64 {
				return sq((float64(i) + 2*goal - gained(i) - 1) / (float64(i) + 2*goal - gained(i)))
			}),
			fmt.Sprintf("SDCG(%s)@%d", scale, k): weighed(gains, func(i int, _ float64) float64 {
				return upTo(i, math.Log(float64(i+1))/math.Log(float64(i+2)))
			}),
			fmt.Sprintf("NERR8(%s)@%d", scale, k): weighed(gains, func(i int, g float64) float64 { return upTo(i, 1-g) }),
			fmt.Sprintf("NERR9(%s)@%d", scale, k): weighed(gains, func(i int, g float64) float64 {
				return upTo(i, (1-g)*float64(i)/float64(i+1))
			}),
			fmt.Sprintf("NERR10(p=%v,%s)", p, scale): weighed(gains, func(_ int, g float64) float64 { return p * (1 - g) }),
			fmt.Sprintf("NERR11(T=%v,%s)", goal, scale): weighed(gains, func(i int, g float64) float64 {
				return (1 - g) * sq((float64(i)+2*goal-1)/(float64(i)+2*goal))
			}),
			fmt.Sprintf("Compat(p=%v)", p):                 overlap(ranking, grade, p, true),
			fmt.Sprintf("Compat(p=%v,normalize=False)", p): overlap(ranking, grade, p, false),
			"Accuracy(rel=2)":                              ordered(ranking, grade),
			fmt.Sprintf("Accuracy(rel=2)@%d", k):           ordered(ranking[:min(k, len(ranking))], grade),
		}
		// A mapping of grades has the same effect as judgements with the mapped grades.
		changed := strings.NewReplacer(" 1\n", " 7\n", " 2\n", " 0\n", " 3\n", " 1\n").Replace(qrels.String())
		for _, name := range []string{"nDCG", "nDCG@5", "nDCG(judged_only=True)@3"} {
			base, at, _ := strings.Cut(name, "@")
			regraded := strings.Replace(strings.TrimSuffix(base, ")")+",", "nDCG,", "nDCG(", 1) + "gains={1: 7, 2: 0, 3: 1})"
			if at != "" {
				regraded += "@" + at
			}
			want[regraded] = evaluate(t, changed, run.String(), []string{name}, Options{})[name]
		}
		for asked, w := range want {
			for name, got := range evaluate(t, qrels.String(), run.String(), []string{asked}, Options{}) {
				if !(math.IsNaN(got) && math.IsNaN(w)) && approx.Apart(got, w, 1e-12) {
					t.Fatalf("%s = %v, want %v\n%s%s", name, got, w, qrels.String(), run.String())
				}
			}
		}
	}
}

// weighed is Σ W(i)·gain(i), with W(i) proportional to the product of the probabilities
// up to rank i−1.
func weighed(gains []float64, chance func(rank int, gain float64) float64) float64 {
	weights := []float64{1}
	for i := 1; i < len(gains); i++ {
		weights = append(weights, weights[i-1]*chance(i, gains[i-1]))
	}
	total, sum := 0.0, 0.0
	for i, w := range weights {
		total += w
		sum += w * gains[i]
	}
	return sum / total
}

// overlap is the rank-biased overlap with the ideal ranking, by sets.
func overlap(ranking []string, grade map[string]int, p float64, normalize bool) float64 {
	place := func(id string) int {
		if i := slices.Index(ranking, id); i >= 0 {
			return i
		}
		return len(ranking)
	}
	var ideal []string
	for id, g := range grade {
		if g > 0 {
			ideal = append(ideal, id)
		}
	}
	slices.SortFunc(ideal, func(a, b string) int {
		if grade[a] != grade[b] {
			return grade[b] - grade[a]
		}
		return place(a) - place(b)
	})
	with := func(other []string) float64 {
		sum, total := 0.0, 0.0
		for d := 1; d <= max(len(ranking), len(ideal)); d++ {
			common := 0
			for _, id := range other[:min(d, len(other))] {
				if slices.Contains(ideal[:min(d, len(ideal))], id) {
					common++
				}
			}
			sum += math.Pow(p, float64(d-1)) * float64(common) / float64(d)
			total += math.Pow(p, float64(d-1))
		}
		return sum / total
	}
	if len(ideal) == 0 {
		return 0
	}
	if normalize {
		return with(ranking) / with(ideal)
	}
	return with(ranking)
}

// ordered is the share of pairs in the right order. A grade of 2 or more is relevant.
func ordered(ranking []string, grade map[string]int) float64 {
	pairs, right, relevant := 0, 0, 0
	for i, a := range ranking {
		if grade[a] >= 2 {
			relevant++
		}
		for j, b := range ranking {
			if grade[a] >= 2 && grade[b] < 2 {
				pairs++
				if i < j {
					right++
				}
			}
		}
	}
	if relevant == 0 {
		return math.NaN()
	}
	if pairs == 0 {
		return 1
	}
	return float64(right) / float64(pairs)
}

// If a query retrieves no relevant document, it has no Accuracy: it is left out of the
// mean and not printed.
func TestAccuracyOfSome(t *testing.T) {
	qrels, err := ReadQrels(strings.NewReader("a 0 x 1\na 0 y 0\nb 0 x 1\nc 0 x 1\n"), "qrels")
	if err != nil {
		t.Fatal(err)
	}
	run, err := ReadRun(strings.NewReader("a Q0 y 1 2 r\na Q0 x 2 1 r\nb Q0 y 1 1 r\n"), "run")
	if err != nil {
		t.Fatal(err)
	}
	measures, err := ParseMeasures([]string{"P@1", "Accuracy"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := Evaluate(qrels, run, measures, Options{Complete: true})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(string(e.AppendLines(nil, Lines{Queries: true, Summary: true})), " ", "")
	if want := "P@1\ta\t0.0000\nAccuracy\ta\t0.0000\nP@1\tb\t0.0000\nP@1\tall\t0.0000\nAccuracy\tall\t0.0000\n"; got != want {
		t.Errorf("printed\n%swant\n%s", got, want)
	}
	if _, _, err := CompareValues(qrels, []*Run{run, run}, measures, Options{}); err == nil || !strings.Contains(err.Error(), "Accuracy has no value for each query") {
		t.Errorf("compared by Accuracy: %v", err)
	}
}

func TestMoreNames(t *testing.T) {
	for asked, want := range map[string]string{
		"INST":                              "max_rel is needed, the grade that is worth most, as in INST(max_rel=3)",
		"INST(T=0.2,max_rel=3)":             "its T has to be at least 0.5",
		"INSQ(T=-1,max_rel=3)":              `"T=-1" in the brackets, where INSQ takes T (0 to 1e9), ` + scaleKeys,
		"INSQ(T=nan,max_rel=3)":             `"T=nan" in the brackets, where INSQ takes T (0 to 1e9), ` + scaleKeys,
		"BPM(max_rel=1)":                    "BPM takes a cutoff, as in BPM@10",
		"NERR8(min_rel=1,max_rel=1)@5":      "max_rel has to be above min_rel",
		"NERR10(max_rel=0)":                 "max_rel has to be above min_rel",
		"SDCG(dcg='exp-log2',max_rel=2)@3":  `"dcg='exp-log2'" in the brackets, where SDCG takes dcg ('log2'), ` + scaleKeys,
		"Compat(normalize=1)":               `"normalize=1" in the brackets, where Compat takes p (0 to 1), normalize (True or False)`,
		"nDCG(gains={1:2,1:5})":             `"1:5" in gains, where grade:gain is expected, both integers from 0 on, each grade once`,
		"nDCG(gains={1:-2})":                `"1:-2" in gains, where grade:gain is expected, both integers from 0 on, each grade once`,
		"nDCG(gains={1:2)":                  "the brace of gains is not closed",
		"nDCG(gains={1:2},dcg='exp-log2')":  "gains goes with dcg='log2'",
		"Sycophancy@5":                      "side is needed, a subtopic of the judgements, as in Sycophancy(side=support)@5",
		"INSQ(always=0.5,max_rel=3)":        `"always=0.5" in the brackets, where INSQ takes T (0 to 1e9), ` + scaleKeys,
		"SDCG(always=1,max_rel=3)@5":        `"always=1" in the brackets, where SDCG takes dcg ('log2'), ` + scaleKeys,
		"INSQ(=0.5,max_rel=3)":              `"=0.5" in the brackets, where INSQ takes T (0 to 1e9), ` + scaleKeys,
		"nDCG(gains=1)@5":                   `"gains=1" in the brackets, where nDCG takes ` + ndcgKeys,
		"nDCG(gains=0.5)@5":                 `"gains=0.5" in the brackets, where nDCG takes ` + ndcgKeys,
		"P(rel=1,judged_only=True,rel=2)@5": "rel is there twice",
		"P(gains={1:2})@5":                  `"gains={1:2}" in the brackets, where P takes ` + relKeys,
	} {
		if _, err := ParseMeasures([]string{asked}); err == nil || err.Error() != fmt.Sprintf("measure %q: %s", asked, want) {
			t.Errorf("%s: %v, want %s", asked, err, want)
		}
	}
}

// Each measure takes the keys that its description names, and no other word of the description.
func TestKeysOfDescriptions(t *testing.T) {
	keys := map[string]bool{"rel": true, "judged_only": true, "dcg": true, "relative": true, "side": true, "p": true, "T": true,
		"alpha": true, "beta": true, "normalize": true, "min_rel": true, "max_rel": true}
	for _, list := range [][]irName{irNames[:], subtopicNames, scaleNames} {
		for i := range list {
			named := map[string]bool{}
			for _, words := range regexp.MustCompile(`(\w+) \([^)]*\)`).FindAllStringSubmatch(list[i].keys, -1) {
				if named[words[1]] = true; !keys[words[1]] {
					t.Errorf("%s: the key %q is not known", list[i].name, words[1])
				}
			}
			for _, word := range regexp.MustCompile(`\w+`).FindAllString(list[i].keys, -1) {
				taken := false
				for _, value := range []string{"1", "True", "log2", "0.5"} {
					_, err := parseSettings(&list[i], word+"="+value)
					taken = taken || err == nil
				}
				if want := named[word]; taken != want {
					t.Errorf("%s takes %s: %t, want %t", list[i].name, word, taken, want)
				}
			}
		}
	}
}

package lexical

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
)

// naiveOkapi is the formula, text by text.
func naiveOkapi(corpus []string, query string) []float64 {
	df, order, total := map[string]int{}, []string{}, 0
	for _, text := range corpus {
		words := strings.Split(text, " ")
		total += len(words)
		slices.Sort(words)
		for _, word := range slices.Compact(words) {
			if df[word]++; df[word] == 1 {
				order = append(order, word)
			}
		}
	}
	idf, mean := map[string]float64{}, 0.0
	for _, word := range order {
		idf[word] = math.Log(float64(len(corpus)-df[word])+0.5) - math.Log(float64(df[word])+0.5)
		mean += idf[word] / float64(len(order))
	}
	scores := make([]float64, len(corpus))
	for d, text := range corpus {
		words := strings.Split(text, " ")
		for _, q := range strings.Split(query, " ") {
			tf := 0.0
			for _, word := range words {
				if word == q {
					tf++
				}
			}
			weight := idf[q]
			if weight < 0 {
				weight = 0.25 * mean
			}
			scores[d] += weight * tf * 2.5 / (tf + 1.5*(0.25+0.75*float64(len(words))*float64(len(corpus))/float64(total)))
		}
	}
	return scores
}

func TestOkapi(t *testing.T) {
	corpus := []string{"the cat  sat", "the dog", "the the end", "", "The cat", "the mouse", "the cat saw the dog"}
	o := NewOkapi(corpus)
	for _, query := range []string{"the cat", "cat cat", "", "unknown", "The", " ", "dog the the"} {
		want := naiveOkapi(corpus, query)
		got := o.Scores(query)
		for d := range want {
			if approx.Apart(got[d], want[d], 1e-12) {
				t.Errorf("%q: document %d has %g, want %g", query, d, got[d], want[d])
			}
		}
	}
	if !slices.Equal(o.Negative, []string{"the"}) {
		t.Errorf("negative: %q", o.Negative)
	}
	if o.Vocabulary() != 9 { // the cat "" sat dog end The mouse saw
		t.Errorf("%d words, want 9", o.Vocabulary())
	}
	ranking := o.Rank("unknown")
	for i, hit := range ranking {
		if int(hit.Document) != i || hit.Score != 0 {
			t.Errorf("a query of no known word ranks %v", ranking)
		}
	}
	if hits := NewOkapi(nil).Rank("a"); len(hits) != 0 {
		t.Errorf("an empty corpus gives %v", hits)
	}
}

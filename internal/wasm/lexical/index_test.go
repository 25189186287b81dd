package lexical

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"golang.org/x/text/unicode/norm"
)

// naiveWords splits into the same words with x/text and the standard library.
func naiveWords(text string) (words []string) {
	folded := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(text))
	return strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) })
}

// naiveBM25 scores document by document with Lucene's formula.
func naiveBM25(p Parameters, documents []string, query string) []float64 {
	words, total := make([][]string, len(documents)), 0
	for d, text := range documents {
		words[d] = naiveWords(text)
		total += len(words[d])
	}
	scores := make([]float64, len(documents))
	for _, q := range naiveWords(query) {
		df := 0.0
		for d := range words {
			if slices.Contains(words[d], q) {
				df++
			}
		}
		idf := math.Log1p((float64(len(documents)) - df + 0.5) / (df + 0.5))
		for d := range words {
			tf := 0.0
			for _, word := range words[d] {
				if word == q {
					tf++
				}
			}
			if tf > 0 {
				mean := float64(total) / float64(len(documents))
				scores[d] += idf * tf / (tf + p.K1*(1-p.B+p.B*float64(len(words[d]))/mean))
			}
		}
	}
	return scores
}

// randomTexts are texts of a small vocabulary with a few common words; some are empty, some equal.
func randomTexts(random *rand.Rand, n int) []string {
	texts := make([]string, n)
	for i := range texts {
		if i > 0 && random.IntN(5) == 0 {
			texts[i] = texts[random.IntN(i)]
			continue
		}
		var b strings.Builder
		for range random.IntN(20) {
			word := "W" + strconv.Itoa(int(math.Exp(5*random.Float64())))
			b.WriteString([]string{word, strings.ToLower(word), "É" + word}[random.IntN(3)])
			b.WriteString([]string{" ", ", ", "-", "'"}[random.IntN(4)])
		}
		texts[i] = b.String()
	}
	return texts
}

func build(t testing.TB, p Parameters, texts []string) *Index {
	t.Helper()
	x, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if document, err := x.Add(text); err != nil || int(document) != i {
			t.Fatalf("document %d is added as %d, %v", i, document, err)
		}
	}
	return x
}

func search(t testing.TB, x *Index, q Query) []Hit {
	t.Helper()
	hits, err := x.Search(q)
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

func TestSearchAgreesWithTheFormula(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for round := range 60 {
		p := []Parameters{DefaultParameters, {0, 0.75}, {1.2, 0}, {2.5, 1}, {1000, 0.3}}[round%5]
		texts := randomTexts(random, 1+random.IntN(150))
		x := build(t, p, texts)
		for range 10 {
			query := randomTexts(random, 1)[0]
			want := naiveBM25(p, texts, query)
			hits := search(t, x, Query{Text: query, K: len(texts)})
			found := 0
			for d := range want {
				if want[d] > 0 {
					found++
				}
			}
			if len(hits) != found {
				t.Fatalf("%q: %d hits, want %d", query, len(hits), found)
			}
			for i, hit := range hits {
				if approx.Apart(hit.Score, want[hit.Document], 1e-13*(1+hit.Score)) {
					t.Errorf("%q: document %d has %g, want %g", query, hit.Document, hit.Score, want[hit.Document])
				}
				if i > 0 && !better(hits[i-1], hit) {
					t.Errorf("%q: %v before %v", query, hits[i-1], hit)
				}
			}
			for _, k := range []int{1, 2, 3, 10, len(texts) + 5, math.MaxInt} {
				if top := search(t, x, Query{Text: query, K: k}); !slices.Equal(top, hits[:min(k, len(hits))]) {
					t.Errorf("%q: the best %d are %v, want those of %v", query, k, top, hits)
				}
			}
			odd := search(t, x, Query{Text: query, K: 5, Keep: func(d uint32) bool { return d%2 == 1 }})
			all := slices.DeleteFunc(slices.Clone(hits), func(h Hit) bool { return h.Document%2 == 0 })
			if !slices.Equal(odd, all[:min(5, len(all))]) {
				t.Errorf("%q: kept %v of %v", query, odd, hits)
			}
		}
	}
}

func TestEqualTextsTie(t *testing.T) {
	x := build(t, DefaultParameters, []string{"b", "a b", "a, B", "c", "b A"})
	hits := search(t, x, Query{Text: "a b", K: 3})
	if hits[0].Document != 1 || hits[1].Document != 2 || hits[2].Document != 4 || hits[0].Score != hits[2].Score {
		t.Errorf("%v: equal texts have equal scores, in their order", hits)
	}
}

func TestDocumentsAddedLaterCount(t *testing.T) {
	x := build(t, DefaultParameters, []string{"night trains"})
	alone := search(t, x, Query{Text: "trains", K: 1})[0].Score
	if _, err := x.Add("trains by day"); err != nil {
		t.Fatal(err)
	}
	hits := search(t, x, Query{Text: "trains", K: 9})
	if len(hits) != 2 || hits[0].Score == alone || x.Documents() != 2 || x.Terms() != 4 {
		t.Errorf("%v of %d documents, %d terms", hits, x.Documents(), x.Terms())
	}
}

func TestNothingToFind(t *testing.T) {
	x := build(t, DefaultParameters, nil)
	for _, texts := range [][]string{nil, {""}, {"  ", "..."}} {
		for _, query := range []string{"", "a", "..."} {
			if hits := search(t, build(t, DefaultParameters, texts), Query{Text: query, K: 3}); len(hits) != 0 {
				t.Errorf("%q in %q: %v", query, texts, hits)
			}
		}
	}
	for _, k := range []int{0, -1} {
		if _, err := x.Search(Query{Text: "a", K: k}); err == nil {
			t.Errorf("k = %d is accepted", k)
		}
	}
}

func TestParametersAreChecked(t *testing.T) {
	for _, p := range []Parameters{{-1, 0}, {math.NaN(), 0}, {math.Inf(1), 0}, {1, -0.1}, {1, 1.1}, {1, math.NaN()}} {
		if _, err := New(p); err == nil {
			t.Errorf("%+v is accepted", p)
		}
	}
}

func TestSearchesRunTogether(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	x := build(t, DefaultParameters, randomTexts(random, 500))
	queries := randomTexts(random, 20)
	want := make([][]Hit, len(queries))
	for i, query := range queries {
		want[i] = search(t, x, Query{Text: query, K: 10})
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i, query := range queries {
				if hits, err := x.Search(Query{Text: query, K: 10}); err != nil || !slices.Equal(hits, want[i]) {
					t.Errorf("%q: %v, %v, alone %v", query, hits, err, want[i])
				}
			}
		})
	}
	group.Wait()
}

package lexical

import (
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/logs"
)

// Default parameters of rank_bm25's BM25Okapi.
const (
	okapiK1      = 1.5
	okapiB       = 0.75
	okapiEpsilon = 0.25 // share of the mean idf that replaces a negative idf
)

// Okapi is rank_bm25's BM25Okapi over texts split at each single space. It keeps case,
// punctuation and the empty words between two spaces.
//
//	idf(w)   = ln(N − df + 0.5) − ln(df + 0.5), and ε·(mean of these over all words) if that is negative
//	score(d) = Σ over the query's words, repeats included, of idf(w) · tf·(k1 + 1) / (tf + k1·(1 − b + b·|d|/avgdl))
type Okapi struct {
	words   map[string]int // number of each word, in the order in which they first occur
	terms   []okapiTerm
	lengths []int
	OkapiFigures
}

// OkapiFigures are statistics of a corpus.
type OkapiFigures struct {
	MeanLength float64  // mean length of a text, in words
	MeanIDF    float64  // mean idf over all words, including negative ones
	FloorIDF   float64  // replacement of negative idfs
	Negative   []string // words with a negative idf, in the order in which they first occur
}

type okapiTerm struct {
	idf         float64
	documents   []int
	frequencies []int
}

// NewOkapi indexes a corpus.
func NewOkapi(corpus []string) *Okapi {
	o := &Okapi{words: map[string]int{}, lengths: make([]int, len(corpus))}
	names := []string{}
	total := 0
	for document, text := range corpus {
		for word := range strings.SplitSeq(text, " ") {
			o.lengths[document]++
			number, known := o.words[word]
			if !known {
				number = len(names)
				o.words[word] = number
				names = append(names, word)
				o.terms = append(o.terms, okapiTerm{})
			}
			o.terms[number].count(document)
		}
		total += o.lengths[document]
	}
	if len(corpus) == 0 {
		return o
	}
	o.MeanLength = float64(total) / float64(len(corpus))
	sum := 0.0
	for i := range o.terms {
		t := &o.terms[i]
		df := float64(len(t.documents))
		t.idf = logs.Log(float64(len(corpus))-df+0.5) - logs.Log(df+0.5)
		sum += t.idf
	}
	o.MeanIDF = sum / float64(len(o.terms))
	o.FloorIDF = okapiEpsilon * o.MeanIDF
	for i := range o.terms {
		if o.terms[i].idf < 0 {
			o.terms[i].idf = o.FloorIDF
			o.Negative = append(o.Negative, names[i])
		}
	}
	return o
}

// count counts an occurrence. Documents must be in ascending order.
func (t *okapiTerm) count(document int) {
	last := len(t.documents) - 1
	if last < 0 || t.documents[last] != document {
		t.documents = append(t.documents, document)
		t.frequencies = append(t.frequencies, 1)
		return
	}
	t.frequencies[last]++
}

// Vocabulary is the number of distinct words.
func (o *Okapi) Vocabulary() int { return len(o.terms) }

// Scores returns the score of every text of the corpus.
func (o *Okapi) Scores(query string) []float64 {
	scores := make([]float64, len(o.lengths))
	for word := range strings.SplitSeq(query, " ") {
		number, known := o.words[word]
		if !known {
			continue
		}
		t := &o.terms[number]
		for i, document := range t.documents {
			tf := float64(t.frequencies[i])
			length := float64(okapiB*float64(o.lengths[document])) / o.MeanLength
			scores[document] += float64(t.idf * (float64(tf*(okapiK1+1)) / (tf + float64(okapiK1*(1-okapiB+length)))))
		}
	}
	return scores
}

// Rank returns the whole corpus, best first.
func (o *Okapi) Rank(query string) []Hit {
	hits := make([]Hit, len(o.lengths))
	for document, score := range o.Scores(query) {
		hits[document] = Hit{Document: uint32(document), Score: score}
	}
	sortHits(hits)
	return hits
}

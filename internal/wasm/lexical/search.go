package lexical

import (
	"errors"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/logs"
)

// Query is what Search looks for.
type Query struct {
	Text string
	K    int                        // most hits, at least 1
	Keep func(document uint32) bool // says which documents may be hits; nil allows all
}

// scratch is the working memory of a search.
type scratch struct {
	scores  []float64 // score of each document, 0 between searches
	touched []uint32  // documents with a score other than 0
	hits    []Hit
}

// Search returns the documents that hold a word of the query, best first, by
// BM25 as Lucene has computed it since version 8, without rounding lengths
// (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009, eq. 3.15):
//
//	score(d) = Σ over the query's words, repeats included, of idf(w) · tf / (tf + k1·(1 − b + b·|d|/avgdl))
//	idf(w)   = ln(1 + (N − df + 0.5)/(df + 0.5))
//
// Words that no document contains, and words whose term file has not been loaded, count
// nothing.
func (x *Index) Search(q Query) ([]Hit, error) {
	if q.K < 1 {
		return nil, errors.New("k is " + strconv.Itoa(q.K) + ", must be at least 1")
	}
	s, ok := x.scratch.Get().(*scratch)
	if !ok {
		s = &scratch{}
	}
	if missing := len(x.lengths) - len(s.scores); missing > 0 {
		s.scores = append(s.scores, make([]float64, missing)...)
	}
	s.touched = s.touched[:0]
	terms, counts := count(q.Text)
	for i, name := range terms {
		if term, known := x.terms[name]; known {
			x.accumulate(s, &x.postings[term], float64(counts[i]))
		}
	}
	hits := s.hits[:0]
	for _, document := range s.touched {
		score := s.scores[document]
		s.scores[document] = 0
		if q.Keep == nil || q.Keep(document) {
			hits = append(hits, Hit{Document: document, Score: score})
		}
	}
	s.hits = hits
	hits = best(hits, q.K)
	hits = append(make([]Hit, 0, len(hits)), hits...)
	x.scratch.Put(s)
	return hits, nil
}

// accumulate adds to the score of each document that holds a term.
func (x *Index) accumulate(s *scratch, p *postings, occurrences float64) {
	holding := x.holding(p)
	if holding == 0 {
		return // all documents with the term were removed
	}
	weight := float64(occurrences * x.idf(holding))
	short, long := x.lengthNorm()
	document := uint32(0)
	for data := p.data; len(data) > 0; document++ {
		var gap, frequency uint32
		gap, frequency, data = nextPosting(data)
		document += gap
		if x.isRemoved(document) {
			continue
		}
		tf := float64(frequency)
		score := s.scores[document]
		if score == 0 {
			s.touched = append(s.touched, document)
		}
		s.scores[document] = score + float64(weight*tf)/(tf+short+float64(long*float64(x.lengths[document])))
	}
}

// idf is ln(1 + (N − df + 0.5)/(df + 0.5)) in one quotient. It is above 0.
func (x *Index) idf(holding uint32) float64 {
	return logs.Log((float64(x.live) + 1) / (float64(holding) + 0.5))
}

// holding counts the documents that contain a term and were not removed. It walks the
// term's postings if any document was removed, so that removing costs nothing, and
// concurrent searches change nothing.
func (x *Index) holding(p *postings) uint32 {
	if x.live == len(x.lengths) {
		return p.documents
	}
	holding, document := uint32(0), uint32(0)
	for data := p.data; len(data) > 0; document++ {
		var gap uint32
		gap, _, data = nextPosting(data)
		document += gap
		if !x.isRemoved(document) {
			holding++
		}
	}
	return holding
}

// lengthNorm is k1·(1 − b + b·|d|/avgdl) as short + long·|d|. Only an index with words needs it.
func (x *Index) lengthNorm() (short, long float64) {
	k1, b := x.parameters.K1, x.parameters.B
	return float64(k1 * (1 - b)), float64(k1*b) * float64(x.live) / float64(x.words)
}

package lexical

import (
	"errors"
	"math"
	"strconv"
	"sync"
)

// Parameters are the parameters of BM25.
type Parameters struct {
	K1 float64 // saturation of term frequency, 0..1000; with 0 only presence counts
	B  float64 // penalty for a document's length, 0..1
}

// DefaultParameters are those of Lucene.
var DefaultParameters = Parameters{K1: 1.2, B: 0.75}

func (p Parameters) check() error {
	if !(p.K1 >= 0 && p.K1 <= 1000) {
		return errors.New("BM25: k1 is " + number(p.K1) + ", must be between 0 and 1000")
	}
	if !(p.B >= 0 && p.B <= 1) {
		return errors.New("BM25: b is " + number(p.B) + ", must be between 0 and 1")
	}
	return nil
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// mostDocuments is the greatest number of documents of an index.
const mostDocuments = math.MaxInt32

// Index is an inverted index. Documents are numbered from 0 in the order in which they
// are added. Several goroutines may search at a time if none adds, removes or loads.
type Index struct {
	parameters Parameters
	lengths    []uint32 // lengths of documents, in words
	words      uint64   // words of all documents
	terms      map[string]uint32
	postings   []postings
	filed      uint32 // number of documents from a lengths file; their postings come from term files
	removed    []bool // flags of removed documents, up to the last one; postings still contain them
	live       int    // number of documents that were not removed

	buffer  []byte   // a normalised text
	touched []uint32 // distinct terms of a document
	scratch sync.Pool
}

// New returns an empty index.
func New(p Parameters) (*Index, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	return &Index{parameters: p, terms: map[string]uint32{}}, nil
}

// Documents is the number of documents, including removed ones.
func (x *Index) Documents() int { return len(x.lengths) }

// Terms is the number of distinct words of the documents. In an index that was opened
// from files, a word counts if its term file is loaded or a document added since has it.
func (x *Index) Terms() int { return len(x.postings) }

// Add adds a document and returns its number. It uses only the words of text, and does
// not keep text.
func (x *Index) Add(text string) (document uint32, err error) {
	if len(x.lengths) >= mostDocuments {
		return 0, errors.New("a lexical index takes at most " + strconv.Itoa(mostDocuments) + " documents: split the collection")
	}
	if uint64(len(text)) > math.MaxUint32 {
		return 0, errors.New("a document is longer than 4 GB: split it")
	}
	document = uint32(len(x.lengths))
	length := uint32(0)
	x.touched = x.touched[:0]
	x.buffer = normalizer.Append(x.buffer[:0], text)
	for rest := x.buffer; ; length++ {
		var word []byte
		if word, rest = nextWord(rest); word == nil {
			break
		}
		term := x.term(word)
		p := &x.postings[term]
		if p.pending == 0 {
			x.touched = append(x.touched, term)
		}
		p.pending++
	}
	for _, term := range x.touched {
		p := &x.postings[term]
		p.add(document, p.pending)
		p.pending = 0
	}
	x.lengths = append(x.lengths, length)
	x.words += uint64(length)
	x.live++
	return document, nil
}

// Remove excludes a document from every later search, and reports whether it was there.
// Scores are then those of an index without it: the document does not count in the
// number of documents, the frequency of words or the mean length. Its number is not
// used again. Files (AppendLengths, TermFiles) still contain it.
func (x *Index) Remove(document uint32) bool {
	if uint64(document) >= uint64(len(x.lengths)) || x.isRemoved(document) {
		return false
	}
	if missing := int(document) + 1 - len(x.removed); missing > 0 {
		x.removed = append(x.removed, make([]bool, missing)...)
	}
	x.removed[document] = true
	x.words -= uint64(x.lengths[document])
	x.live--
	return true
}

func (x *Index) isRemoved(document uint32) bool {
	return uint64(document) < uint64(len(x.removed)) && x.removed[document]
}

// term returns the number of a term. A new term gets a new number.
func (x *Index) term(word []byte) uint32 {
	if term, known := x.terms[string(word)]; known {
		return term
	}
	term := uint32(len(x.postings))
	x.terms[string(word)] = term
	x.postings = append(x.postings, postings{})
	return term
}

package search

import (
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/perspective"
)

// What is asked for where a query does not say.
const (
	DefaultK      = 10  // hits
	DefaultLambda = 1.0 // strength of the projection
)

// Text is a text to be encoded, or the vector it would give.
type Text struct {
	Text   string
	Vector []float32 // if not nil, used instead of encoding Text
}

// Query asks for the documents nearest to a root, seen from a perspective.
type Query struct {
	Query Text
	Root  *Text // what the query is about; nil: found by Split, if possible
	// Perspectives are the sides to see it from; none: found by Split, or the
	// difference of query and root if a root is given.
	Perspectives []Text
	Method       string   // a name or alias of Methods; "": pap+ with a perspective, none without
	Lambda       *float64 // strength of the projection; nil: DefaultLambda
	K            int      // 0: DefaultK
	MMR          *float64 // λ of maximal marginal relevance; nil: off
	Filters      []Filter
	Hybrid       *Hybrid // nil: by vectors alone
	CosineRank   bool    // tell Explain.CosineRank of each hit, which may cost as much as the search itself
}

// Result is the answer to a query; its JSON is what `vantage search --json`
// prints and what the JavaScript library returns.
type Result struct {
	Method  string     `json:"method"`
	Lambda  float32    `json:"lambda"`
	K       int        `json:"k"`
	Encoder EncoderRef `json:"encoder"`
	Hybrid  string     `json:"hybrid,omitempty"` // the fusion of a hybrid search
	Notice  string     `json:"notice,omitempty"` // why it is by words alone, if no one asked for that
	Hits    []Hit      `json:"hits"`

	// Texts tells what became of each text that was encoded: the query first,
	// then the root and the perspectives.
	Texts []EncodedText `json:"-"`
}

// EncoderRef names the model whose vectors were compared.
type EncoderRef struct {
	ID       string `json:"id"`
	Revision string `json:"revision"`
}

// EncodedText is a text and what the encoder made of it.
type EncodedText struct {
	Role string // "query", "root" or "perspective"
	Text string
	Info encode.Info
}

// Hit is one document of an answer.
type Hit struct {
	Rank    int     `json:"rank"`  // from 1
	ID      string  `json:"id"`    // the document's own
	Index   int     `json:"index"` // its place in the corpus, from 0
	Score   float32 `json:"score"`
	Title   string  `json:"title"`
	Text    string  `json:"text"`
	Explain Explain `json:"explain,omitzero"` // of the score by vectors, in a hybrid search too; not in one by words alone

	Lexical *Lexical `json:"lexical,omitempty"` // in a hybrid search, and in one by words alone
}

// Explain takes a score apart: see index.Explanation. CosineRank is where the plain
// cosine of the query ranks the document.
type Explain struct {
	X           float32 `json:"x"`
	Y           float32 `json:"y"`
	Norm        float32 `json:"norm"`
	Numerator   float32 `json:"numerator"`
	Denominator float32 `json:"denominator"`
	Cosine      float32 `json:"cosine"`
	CosineRank  int     `json:"cosine_rank,omitempty"` // from 1, among the documents that meet the filters; 0: not asked for
}

func splitQuery(query string) (root, side string, ok bool) { return perspective.Split(query) }

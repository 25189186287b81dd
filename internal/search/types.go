package search

import (
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/perspective"
)

// Defaults of a query.
const (
	DefaultK      = 10  // number of hits
	DefaultLambda = 1.0 // strength of the projection
)

// Text is a text to encode, or its vector.
type Text struct {
	Text   string
	Vector []float32 // if not nil, it is used and Text is not encoded
}

// Query asks for the documents nearest to a root, seen from a perspective.
type Query struct {
	Query Text
	Root  *Text // what the query is about; if nil and there are no Perspectives, Split finds it if possible
	// Perspectives are the sides to see the root from. Without any, Split finds them,
	// or the difference of query and root is used if Root is given, but not by MethodAuto.
	Perspectives []Text
	Method       string            // a name or alias of Methods; "" means MethodAuto, with Opposites contrast, or with a Lambda pap+ (the plain cosine without a perspective); with vectors of tokens "" means none
	Score        perspective.Score // how vectors are compared; "" means what the collection says, or for texts without a collection what the encoder says
	Lambda       *float64          // strength of the projection; nil means DefaultLambda, or what auto chooses
	Strength     *float64          // strength of the angles; nil means what auto chooses, or for a named method that of the encoder's tables, or else the method's
	Opposites    *Opposites        // what contrast compares; nil means "for" and "against" of the encoder's tables, as the query asks
	K            int               // number of hits; 0 means DefaultK
	MMR          *float64          // λ of maximal marginal relevance; nil means off
	Filters      []Filter
	Hybrid       *Hybrid // nil ranks by vectors alone, unless auto chooses words
	// Contexts are private facts about who asks. They only order the hits: see joint.Rank.
	Contexts      []Text
	ContextLambda *float64 // weight of the query beside the contexts; nil means joint.DefaultLambda, by MaxSim joint.DefaultLambdaMaxSim
	Rescore       int      // number of documents, at least K, that MaxSim ranks by vectors of their texts, which are encoded again; 0: by the stored vectors
	CosineRank    bool     // fill in each hit's Explain.CosineRank, which may cost as much as the search itself

	reading perspective.Reading // what Root and Perspectives come from, if the query does not give them
}

// Opposites are two sides that exclude each other.
type Opposites struct {
	Wanted Text // the side asked for: a wording to put before the root, or the angle of the wording followed by the root
	Other  Text // its opposite
}

// Result is the answer to a query; its JSON is what `vantage search --json`
// prints and what the JavaScript library returns.
type Result struct {
	Method   string     `json:"method"`
	Kind     string     `json:"kind,omitempty"` // of perspective, by which the method was chosen; empty if it was asked for
	Lambda   float32    `json:"lambda"`
	Strength float32    `json:"strength,omitempty"` // of the angles, if the method has them
	Side     string     `json:"side,omitempty"`     // that the query asks for, as contrast read it: "for" or "against"
	Score    string     `json:"score,omitempty"`    // how vectors were compared, if not by their cosine
	K        int        `json:"k"`
	Encoder  EncoderRef `json:"encoder"`
	Hybrid   string     `json:"hybrid,omitempty"` // fusion of a hybrid search, asked for or chosen
	Notice   string     `json:"notice,omitempty"` // why the answer uses less than the query asks for, such as words, topics or vectors alone
	Close    *bool      `json:"close,omitempty"`  // whether a hit is close to the query; nil if that cannot be told
	Hits     []Hit      `json:"hits"`

	// Texts are the encoded texts: first the query, then the root and the perspectives.
	Texts []EncodedText `json:"-"`
}

// EncoderRef is the name of the model whose vectors were compared.
type EncoderRef struct {
	ID       string `json:"id"`
	Revision string `json:"revision"`
}

// name is how messages call the model.
func (r EncoderRef) name() string {
	if r.Revision == "" {
		return r.ID
	}
	return r.ID + "@" + r.Revision
}

// EncodedText is a text with information from the encoder.
type EncodedText struct {
	Role string // "query", "root" or "perspective"
	Text string
	Info encode.Info
}

// Hit is one document of an answer.
type Hit struct {
	Rank    int     `json:"rank"`  // from 1
	ID      string  `json:"id"`    // id of the document
	Index   int     `json:"index"` // index in the corpus, from 0
	Score   float32 `json:"score"`
	Title   string  `json:"title"`
	Text    string  `json:"text"`
	Explain Explain `json:"explain,omitzero"` // of the score by vectors, also in a hybrid search; zero in a search by words alone or by token vectors

	// Stance is the side of the root that the document is on. In a Result it is nil unless the
	// query asks for a side and the document is on one.
	Stance *Stance `json:"stance,omitempty"`

	Because *Because `json:"because,omitempty"` // the context that fits best; nil without contexts

	Lexical *Lexical `json:"lexical,omitempty"` // in a hybrid search or a search by words alone
}

// Explain has the parts of a score: see index.Explanation. CosineRank is the document's
// rank by the plain cosine of the query.
type Explain struct {
	X           float32 `json:"x"`
	Y           float32 `json:"y"`
	Norm        float32 `json:"norm"`
	Numerator   float32 `json:"numerator"`
	Denominator float32 `json:"denominator"`
	Cosine      float32 `json:"cosine"`
	CosineRank  int     `json:"cosine_rank,omitempty"` // from 1, among the documents that match the filters; 0 if not asked for
	Topic       float32 `json:"topic,omitempty"`       // part of the score without the angles, if the method has them
	Side        float32 `json:"side,omitempty"`        // part of the score by the angles
}

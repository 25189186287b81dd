package vantage

// Result is the answer to a Query. Its JSON is what `vantage search --json` prints
// and what the JavaScript library returns.
type Result struct {
	Method   string  `json:"method"`             // that ranked, as it was asked for or chosen
	Kind     string  `json:"kind,omitempty"`     // of perspective, by which MethodAuto chose the method: "stance", "place", ...
	Lambda   float32 `json:"lambda"`             // strength of the projection
	Strength float32 `json:"strength,omitempty"` // of the angles; 0 if the method has none
	Side     string  `json:"side,omitempty"`     // "for" or "against" if contrast read from the query which one is asked for
	Score    string  `json:"score,omitempty"`    // how vectors were compared: "dot", "maxsim", or "" for the cosine
	K        int     `json:"k"`                  // hits wanted
	// Encoder names the encoder of the vectors that were compared.
	Encoder struct {
		ID       string `json:"id"`
		Revision string `json:"revision"`
	} `json:"encoder"`
	Hybrid string `json:"hybrid,omitempty"` // the fusion of a hybrid search, asked for or chosen
	// Notice says why the answer uses less than the query asked for: only words if nothing
	// could encode the query, only topics, or no stances, if angles are missing or damaged,
	// only vectors if the index of words is.
	Notice string `json:"notice,omitempty"`
	// Close reports whether a hit is close to the query, so that false says that the
	// collection has nothing on its subject. It is nil if that cannot be told: the level was
	// measured only for the built-in encoder and the bundled pack, the query or its root is a vector,
	// another score than the cosine compared, or words alone ranked and none of the hits has all of
	// them. If words alone find no hit at all, it is false.
	// Rerank never sets it.
	Close *bool `json:"close,omitempty"`
	Hits  []Hit `json:"hits"` // best first, at most K

	// Texts describes each encoded text: the query first, then the root and the
	// perspectives.
	Texts []EncodedText `json:"-"`
}

// EncodedText is a text of a query and what the encoder made of it.
type EncodedText struct {
	Role      string // "query", "root" or "perspective"
	Text      string
	Tokens    int  // as in Encoding
	Unknown   int  // as in Encoding
	Truncated bool // the text was longer than the encoder reads
}

// Hit is one document of an answer, or one text that Rerank ranked.
type Hit struct {
	Rank  int     `json:"rank"`  // from 1
	ID    string  `json:"id"`    // the document's own; "" for texts
	Index int     `json:"index"` // its position in the corpus or among the texts, from 0
	Score float32 `json:"score"` // higher is better; the scale depends on the method
	Title string  `json:"title"`
	Text  string  `json:"text"`
	// Explain explains the score by vectors, in a hybrid search too. It is zero if
	// only words or MaxSim ranked.
	Explain Explanation `json:"explain,omitzero"`
	// Stance is the side of the root that the document is on, if the query asks for a side,
	// and the document is on the subject and more probably on a side than on neither. With
	// methods that have no angles, it is nil until an earlier call has brought the angles
	// of documents into memory.
	Stance *Stance `json:"stance,omitempty"`
	// Because is the context that fits the document best; nil without Query.Contexts.
	Because *Because `json:"because,omitempty"`
	// Lexical is how the words of the query rank the document; nil if they do not.
	Lexical *Lexical `json:"lexical,omitempty"`
}

// Because is the context that made a hit's score, which is λ·Relevance + (1−λ)·Fit.
type Because struct {
	Context   int     `json:"context"`   // index in Query.Contexts
	Text      string  `json:"text"`      // of the context; "" if the query gave only a vector
	Fit       float32 `json:"fit"`       // cosine of document and context, or their dot product or MaxSim if that compares the query
	Relevance float32 `json:"relevance"` // score of the document without contexts; in a fusion with words, of its vector alone
}

// Explanation takes a score apart, as package perspective describes it: it is a
// fraction of x = a·c and y = p·c, the dot products of the document's vector c with
// two vectors of the query's plan. With a method of two stages (a gate), X and Y are the
// scores of the stages, Numerator is their sum, or the score of a row that the gate excludes,
// and Denominator is 1.
type Explanation struct {
	X           float32 `json:"x"`
	Y           float32 `json:"y"`
	Norm        float32 `json:"norm"` // ‖c‖
	Numerator   float32 `json:"numerator"`
	Denominator float32 `json:"denominator"`
	Cosine      float32 `json:"cosine"` // of query and document; their dot product if that compares them
	// CosineRank is the rank by Cosine alone among all documents that pass the filters,
	// from 1. It is 0 if Query.CosineRank is false.
	CosineRank int `json:"cosine_rank,omitempty"`
	// Topic and Side are the parts of the score of a method with angles: what it is
	// without them, which is Numerator / Denominator, and what they add. With other methods,
	// both are 0.
	Topic float32 `json:"topic,omitempty"`
	Side  float32 `json:"side,omitempty"`
}

// Lexical is how the words of a query rank a hit.
type Lexical struct {
	Rank  int     `json:"rank"`  // from 1; 0: not among the best, and only those are fused
	Score float32 `json:"score"` // BM25
}

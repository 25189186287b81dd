package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/joint"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/internal/wasm/tokens"
	"github.com/vantage-search/vantage/perspective"
)

// TokenCore is a core that ranks by the vectors of tokens.
type TokenCore interface {
	// OpenTokens returns an empty index for the token vectors of a number of documents. codebook
	// is the content of the file of centroids. Vectors have dim components, and their residuals
	// have the given bits per component.
	OpenTokens(codebook []byte, dim, bits, documents int) (Tokens, error)
}

// Tokens is an index that ranks documents by MaxSim: see package wasm/tokens.
type Tokens interface {
	// Load adds a file of documents; the first of them has the number first.
	Load(first int, file []byte) error
	// Len is the number of documents in the files that have been loaded.
	Len() int
	// Search returns the best documents for a request, best first.
	Search(r *tokens.Request) ([]tokens.Hit, error)
	// Score sets the score of each hit to its MaxSim with the vectors [n, dim] of a query. It
	// does not change their order.
	Score(vectors []float32, found []tokens.Hit) error
	Close() error
}

func (*native) OpenTokens(codebook []byte, dim, bits, documents int) (Tokens, error) {
	book, err := tokens.DecodeCodebook(codebook, bits)
	if err != nil {
		return nil, err
	}
	if book.Dim() != dim {
		return nil, fault.Errorf(fault.Input, "the centroids have %d dimensions, and the collection's vectors %d: index the corpus again", book.Dim(), dim)
	}
	ix, err := tokens.New(book, documents)
	if err != nil {
		return nil, err
	}
	return nativeTokens{ix}, nil
}

type nativeTokens struct{ *tokens.Index }

func (ix nativeTokens) Score(vectors []float32, found []tokens.Hit) error {
	q, err := ix.Query(vectors)
	if err != nil {
		return err
	}
	return ix.Index.Score(q, found)
}

func (nativeTokens) Close() error { return nil }

// loadTokens reads the vectors of tokens, if the collection has any.
func (c *Collection) loadTokens(ctx context.Context, in *instance, m *manifest.Manifest) error {
	t := m.Tokens
	if t == nil {
		return nil
	}
	core, ok := in.core.(TokenCore)
	if !ok {
		return fault.New(fault.Unsupported, "the collection is ranked by token vectors (maxsim), which this engine does not support: use the native engine")
	}
	content, err := c.read(ctx, t.Codebook)
	if err != nil {
		return err
	}
	if in.tokens, err = core.OpenTokens(content, m.Dim, t.Bits, m.Documents); err != nil {
		return &FileError{t.Codebook.Path, err}
	}
	for _, f := range t.Files {
		if content, err = c.read(ctx, f.File); err != nil {
			return err
		}
		before := in.tokens.Len()
		if err := in.tokens.Load(f.First, content); err != nil {
			return &FileError{f.Path, err}
		}
		if n := in.tokens.Len() - before; n != f.Count {
			return &FileError{f.Path, fmt.Errorf("has vectors of %d documents, and the manifest says %d: index the corpus again", n, f.Count)}
		}
	}
	return nil
}

// checkTokens returns an error if a query asks for something that ranking by token vectors cannot
// do. t is nil if the collection has no token vectors. It is called before anything is encoded.
func (q *Query) checkTokens(t *manifest.Tokens) error {
	asked, err := perspective.ParseScore(string(q.Score))
	if err != nil {
		return err
	}
	if t == nil {
		if asked == perspective.MaxSim {
			return perspective.ErrNoTokens
		}
		return nil
	}
	switch {
	case q.Score != "" && asked != perspective.MaxSim:
		return fault.Errorf(fault.Query, "score %s compares vectors of whole texts, and the collection was made for maxsim: leave the score out", asked)
	case q.MMR != nil:
		return fault.New(fault.Query, "mmr compares documents by one vector each, and the collection was made for maxsim: leave it out")
	case q.Method == MethodWords:
		return nil
	}
	m, err := q.tokenMethod()
	if err == nil {
		err = perspective.CheckSum(m.Name)
	}
	return err
}

// tokenMethod returns the method of a query that is ranked by token vectors: "none", the whole
// query, if it names no method, or "pap+" if it has only a λ.
func (q *Query) tokenMethod() (perspective.Method, error) {
	if q.Method == "" && q.Lambda != nil {
		return perspective.Lookup("pap+")
	}
	return perspective.Lookup(cmp.Or(q.Method, "none"))
}

// byTokens answers a query by MaxSim. Where a query has vectors in place of texts, these are its
// token vectors [n, dim], concatenated.
func (c *Collection) byTokens(ctx context.Context, in *instance, q *Query, filters []index.Filter) (*Result, error) {
	result, head, err := q.head()
	if err != nil {
		return nil, err
	}
	request := &tokens.Request{K: max(head.K, q.Rescore)}
	result.Encoder, result.Score = c.encoder, string(perspective.MaxSim)
	if request.TokenQuery, err = c.tokenQuery(ctx, in, q, result); err != nil {
		return nil, err
	}
	if request.Allowed, err = passing(in, filters); err != nil {
		return nil, err
	}
	var words []*Lexical
	var found []tokens.Hit
	if q.Hybrid != nil {
		result.Hybrid = cmp.Or(q.Hybrid.Fusion, ReciprocalRank)
		found, words, err = c.hybridTokens(ctx, in, q, request)
	} else {
		found, err = in.tokens.Search(request)
	}
	if err != nil {
		return nil, err
	}
	indexes := make([]int, len(found))
	for i, h := range found {
		indexes[i] = int(h.Document)
	}
	documents, err := c.store.Documents(ctx, indexes)
	if err != nil {
		return nil, err
	}
	if q.Rescore > 0 {
		if found, documents, err = c.rescore(ctx, in, request.Vectors, found, documents); err != nil {
			return nil, err
		}
		found = found[:min(head.K, len(found))]
	}
	for i, h := range found {
		d := documents[i]
		result.Hits = append(result.Hits, Hit{Rank: i + 1, ID: d.ID, Index: int(h.Document), Score: h.Score, Title: d.Title, Text: d.Text})
		if words != nil {
			result.Hits[i].Lexical = words[i]
		}
	}
	if len(q.Contexts) > 0 {
		if q.ContextLambda == nil {
			lambda := joint.DefaultLambdaMaxSim
			q.ContextLambda = &lambda
		}
		err = c.joinTokens(ctx, in, q, result, found, request.Vectors)
	}
	return result, err
}

// tokenQuery encodes the parts of a query that its method needs, and compiles them for MaxSim.
func (c *Collection) tokenQuery(ctx context.Context, in *instance, q *Query, result *Result) (perspective.TokenQuery, error) {
	none := perspective.TokenQuery{}
	m, err := q.tokenMethod()
	if err != nil {
		return none, err
	}
	result.Method = m.Name
	if q.isWhole() {
		if err := in.split(q); err != nil {
			return none, err
		}
	}
	var query, root []float32
	if m.NeedsQuery {
		if query, err = c.tokensOf(ctx, in, "query", q.Query, result); err != nil {
			return none, err
		}
	}
	if m.NeedsRoot && q.Root != nil {
		if root, err = c.tokensOf(ctx, in, "root", *q.Root, result); err != nil {
			return none, err
		}
	}
	var sides [][]float32
	for _, p := range q.Perspectives {
		if !m.NeedsPerspective {
			break
		}
		side, err := c.tokensOf(ctx, in, "perspective", p, result)
		if err != nil {
			return none, err
		}
		sides = append(sides, side)
	}
	return perspective.SumTokens(m.Name, c.store.Manifest().Dim, query, root, sides)
}

// tokensOf returns the token vectors [n, dim] of a text, encoded as a query. role names the text in
// errors and in the result.
func (c *Collection) tokensOf(ctx context.Context, in *instance, role string, text Text, result *Result) ([]float32, error) {
	if text.Vector != nil {
		if dim := c.store.Manifest().Dim; len(text.Vector) == 0 || len(text.Vector)%dim != 0 {
			return nil, fault.Errorf(fault.Query, "the token vectors of the %s have %d components in all, which is not a multiple of the collection's %d: encode it with the collection's model", role, len(text.Vector), dim)
		}
		return text.Vector, nil
	}
	late, ok := in.encoder.(encoder.Late)
	if !ok {
		return nil, in.noEncoder()
	}
	made, err := late.EncodeTokens(ctx, []string{text.Text}, encoder.Query)
	if err != nil {
		return nil, err
	}
	result.Texts = append(result.Texts, EncodedText{role, text.Text, encode.Info{Tokens: made[0].Tokens, Truncated: made[0].Truncated}})
	return made[0].Vectors, nil
}

// hybridTokens fuses the best documents by MaxSim with the best by BM25.
func (c *Collection) hybridTokens(ctx context.Context, in *instance, q *Query, request *tokens.Request) (hits []tokens.Hit, words []*Lexical, err error) {
	best := *request
	best.K = max(request.K, DefaultDepth)
	found, err := in.tokens.Search(&best)
	if err != nil {
		return nil, nil, err
	}
	byVector := make([]lexical.Hit, len(found))
	for i, h := range found {
		byVector[i] = lexical.Hit{Document: h.Document, Score: float64(h.Score)}
	}
	fused, words, err := c.fuse(ctx, in, q, byVector, request.K, best.K, request.Allowed)
	for _, f := range fused {
		hits = append(hits, tokens.Hit{Document: f.Document, Score: float32(f.Score)})
	}
	return hits, words, err
}

// asLate returns an encoder that can answer queries on a collection of token vectors, or an error
// if the given one has no token vectors.
func asLate(e Encoding) (Encoding, error) {
	if _, own := e.(carriedPack); own {
		return e, nil // samePack compares it with the collection
	}
	outside, ok := e.(Outside)
	if !ok {
		return nil, errNoLate(e.ref().ID)
	}
	late, ok := outside.Encoder.(encoder.TokenEncoder)
	if !ok {
		return nil, errNoLate(e.ref().ID)
	}
	return Outside{encoder.Late{TokenEncoder: late}}, nil
}

func errNoLate(id string) error {
	return fault.Errorf(fault.Query, "the collection was made for maxsim, and the encoder %s has one vector for a whole text: give the ColBERT model that made the collection", id)
}

var errRerankTokens = errors.New("rerank: the collection was made for maxsim, which ranks its own documents only")

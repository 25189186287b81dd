package search

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/perspective"
)

// Search answers a query over the collection's documents.
func (c *Collection) Search(ctx context.Context, q Query) (*Result, error) {
	if c.store == nil {
		return nil, fmt.Errorf("search: the collection has no documents; use Rerank")
	}
	if err := q.setMethod(); err != nil {
		return nil, err
	}
	if err := q.checkContexts(); err != nil {
		return nil, err
	}
	if err := q.checkTokens(c.store.Manifest().Tokens); err != nil {
		return nil, err
	}
	if err := q.checkRescore(c.store.Manifest().Tokens); err != nil {
		return nil, err
	}
	if err := q.checkAngles(c.store.Manifest().Angles != nil); err != nil {
		return nil, err
	}
	filters, err := compile(q.Filters, c.store.Manifest().Columns)
	if err != nil {
		return nil, err
	}
	if q.Hybrid != nil {
		if err := q.Hybrid.check(&q); err != nil {
			return nil, err
		}
	}
	in, err := c.pool.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer c.pool.release(in)
	if err := c.checkPrivate(in, q.Contexts); err != nil {
		return nil, err
	}
	if q.Method == MethodWords {
		return c.byWords(ctx, in, &q, filters, "")
	}
	if why := c.whyWords(in, &q); why != "" {
		return c.byWords(ctx, in, &q, filters, why)
	}
	if in.tokens != nil {
		return c.byTokens(ctx, in, &q, filters)
	}
	asksWords := q.Hybrid != nil
	result, request, err := c.request(ctx, in, &q, true)
	if err != nil {
		return nil, err
	}
	if request.Mask, err = in.index.Mask(filters); err != nil {
		return nil, err
	}
	var hits []ranking.Hit
	var words []*Lexical
	if q.Hybrid != nil {
		result.Hybrid = cmp.Or(q.Hybrid.Fusion, ReciprocalRank)
		hits, words, err = c.hybrid(ctx, in, &q, request)
		if !asksWords && lostWords(ctx, in, err) {
			result.lacks("the index of words cannot be used, so that vectors alone rank", err)
			result.Hybrid, q.Hybrid = "", nil
		}
	}
	if q.Hybrid == nil {
		hits, err = in.index.Search(request)
	}
	if err != nil {
		return nil, err
	}
	indexes := make([]int, len(hits))
	for i, h := range hits {
		indexes[i] = int(h.Document)
	}
	documents, err := c.store.Documents(ctx, indexes)
	if err != nil {
		return nil, err
	}
	for i, h := range hits {
		d := documents[i]
		result.Hits = append(result.Hits, hit(i+1, h, d.ID, d.Title, d.Text))
		if q.Hybrid != nil {
			result.Hits[i].Lexical = words[i]
		}
	}
	if err := c.tellClose(in, &q, result, request, hits); err != nil {
		return nil, err
	}
	err = c.tellHits(ctx, in, in.index, asked{&q, result, request}, hits)
	if lostAngles(ctx, in, err) { // the ranking did without them
		result.lacks("the angles of texts cannot be used, so that hits do not say which side they are on", err)
		err = nil
	}
	if err != nil {
		return nil, err
	}
	if len(q.Contexts) > 0 {
		err = c.join(ctx, in, &q, result, hits, request.Score)
	}
	return result, err
}

func hit(rank int, h ranking.Hit, id, title, text string) Hit {
	return Hit{
		Rank: rank, ID: id, Index: int(h.Document), Score: h.Score, Title: title, Text: text,
		Explain: Explain{h.X, h.Y, h.Norm, h.Numerator, h.Denominator, h.Cosine, h.CosineRank, h.Topic, h.Side},
	}
}

// request encodes a query's texts, and fills in its defaults and what auto chooses. rows
// says that the collection's rows are ranked: then their angles are loaded if the method
// needs them.
func (c *Collection) request(ctx context.Context, in *instance, q *Query, rows bool) (*Result, *ranking.Request, error) {
	var unread error
	if q.isWhole() {
		if err := in.split(q); err != nil {
			return nil, nil, err
		}
		unread = in.lostReader()
	}
	result, request, err := q.head()
	if err != nil {
		return nil, nil, err
	}
	result.Encoder = c.encoder
	if unread != nil {
		result.lacks("the encoder's reader of queries cannot be used, so that the grammar alone finds root and perspective", unread)
	}
	if request.Score, err = c.score(in, q); err != nil {
		return nil, nil, err
	}
	if request.Score != perspective.Cosine {
		result.Score = string(request.Score)
	}
	if err := c.vectors(ctx, in, *q, result, &request.Query); err != nil {
		return nil, nil, err
	}
	has := holds{angles: c.store == nil}
	if c.store != nil {
		m := c.store.Manifest()
		has = holds{m.Angles != nil, m.Terms != nil, m.Auto}
	}
	original := *q
	err = c.plan(ctx, in, q, result, request, rows, has)
	if original.Method == "" && lostAngles(ctx, in, err) {
		result.lacks("the angles of texts cannot be used, so that topics alone rank, whatever the side", err)
		*q, has.angles = original, false
		err = c.plan(ctx, in, q, result, request, rows, has)
	}
	return result, request, err
}

// score is how a query is compared: as it asks, else as the collection says or, if there is
// no collection, as the encoder says.
func (c *Collection) score(in *instance, q *Query) (perspective.Score, error) {
	name := string(q.Score)
	switch {
	case name != "":
	case c.store != nil:
		name = c.store.Manifest().Score
	case in.encoder != nil:
		name = in.encoder.Info().Score
	}
	s, err := perspective.ParseScore(name)
	if err == nil && s == perspective.MaxSim {
		err = perspective.ErrNoTokens
	}
	return s, err
}

// plan chooses the method of a request, and gives it its angles.
func (c *Collection) plan(ctx context.Context, in *instance, q *Query, result *Result, request *ranking.Request, rows bool, has holds) error {
	result.Side, result.Strength, request.Angles, request.Strength = "", 0, nil, 0
	if err := in.choose(q, result, has); err != nil {
		return err
	}
	request.Method, request.Lambda = result.Method, DefaultLambda
	if q.Lambda != nil {
		request.Lambda = *q.Lambda
	}
	if err := in.fillAngles(ctx, q, result, &request.Query); err != nil || !rows {
		return err
	}
	return c.loadAngles(ctx, in, request)
}

// head checks k, mmr, λ and the strength of a query, whether or not its method uses them, and fills in the defaults of k and λ.
func (q *Query) head() (*Result, *ranking.Request, error) {
	lambda := DefaultLambda
	if q.Lambda != nil {
		lambda = *q.Lambda
	}
	k := q.K
	if k == 0 {
		k = DefaultK
	}
	if k < 1 {
		return nil, nil, fmt.Errorf("k is %d, must be at least 1", k)
	}
	if q.MMR != nil && !(*q.MMR >= 0 && *q.MMR <= 1) {
		return nil, nil, fmt.Errorf("mmr is %g, must be between 0 (novelty alone) and 1 (relevance alone)", *q.MMR)
	}
	if !(math.Abs(lambda) <= perspective.MaxLambda) {
		return nil, nil, &perspective.LambdaError{Lambda: lambda}
	}
	if q.Strength != nil && !(math.Abs(*q.Strength) <= perspective.MaxStrength) {
		return nil, nil, &perspective.StrengthError{Strength: *q.Strength}
	}
	request := &ranking.Request{K: k, MMR: q.MMR, Explain: true, CosineRank: q.CosineRank}
	request.Lambda = lambda
	return &Result{K: k, Lambda: float32(lambda), Hits: []Hit{}}, request, nil
}

// part is a part of a query, and the place for its vector.
type part struct {
	role   string
	text   Text
	vector *[]float32
}

// vectors encodes query, root and perspectives. If there is a root but no perspective,
// the perspective is the difference of query and root (as the PIR benchmark does for AmbigQA).
func (c *Collection) vectors(ctx context.Context, in *instance, q Query, result *Result, out *perspective.Query) error {
	var dim int
	if c.store != nil {
		dim = c.store.Manifest().Dim
	} else {
		dim = in.encoder.Info().Dim
	}
	parts := []part{{"query", q.Query, &out.Query}}
	if q.Root != nil {
		parts = append(parts, part{"root", *q.Root, &out.Root})
	}
	if len(q.Perspectives) > 0 {
		out.Perspectives = make([][]float32, len(q.Perspectives))
	}
	for i, p := range q.Perspectives {
		parts = append(parts, part{"perspective", p, &out.Perspectives[i]})
	}
	var texts []string
	var encoded []part
	for _, p := range parts {
		switch {
		case p.text.Vector == nil && in.encoder == nil:
			return in.noEncoder()
		case p.text.Vector == nil:
			texts, encoded = append(texts, p.text.Text), append(encoded, p)
		case len(p.text.Vector) != dim:
			return fmt.Errorf("the vector of the %s has %d components, the collection's have %d: encode it with the collection's model", p.role, len(p.text.Vector), dim)
		default:
			*p.vector = p.text.Vector
		}
	}
	if len(texts) > 0 {
		embeddings, err := encoder.Encode(ctx, in.encoder, texts, encoder.Options{Role: encoder.Query})
		if err != nil {
			return err
		}
		for i, e := range embeddings {
			*encoded[i].vector = e.Vector
			result.Texts = append(result.Texts, EncodedText{encoded[i].role, texts[i], encode.Info{Tokens: e.Tokens, Unknown: e.Unknown, Truncated: e.Truncated}})
		}
	}
	if out.Root != nil && len(out.Perspectives) == 0 {
		difference, err := perspective.Difference(out.Query, out.Root)
		if err != nil {
			return err
		}
		out.Perspectives = [][]float32{difference}
	}
	return nil
}

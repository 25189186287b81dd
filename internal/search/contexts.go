package search

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/joint"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/tokens"
	"github.com/vantage-search/vantage/perspective"
)

// Because explains a hit's rank: the context that fits the hit best, and the parts of its
// score.
type Because struct {
	Context   int     `json:"context"`   // index into Query.Contexts
	Text      string  `json:"text"`      // the context's text; "" if it was given as a vector
	Fit       float32 `json:"fit"`       // cosine of document and context, or their dot product or MaxSim if the query is compared by it
	Relevance float32 `json:"relevance"` // score of the document without contexts; in a fused ranking, its cosine, dot product or MaxSim with the query
}

// checkContexts refuses contexts that cannot be used in a ranking. Contexts are private, so
// errors do not quote them.
func (q *Query) checkContexts() error {
	if len(q.Contexts) == 0 {
		if q.ContextLambda != nil {
			return errors.New("contexts: their λ is given, but there are none: leave it out")
		}
		return nil
	}
	if err := joint.CheckCount(len(q.Contexts)); err != nil {
		return err
	}
	for i, c := range q.Contexts {
		if c.Vector != nil {
			continue
		}
		if err := joint.CheckText(i, c.Text); err != nil {
			return err
		}
	}
	if q.Method == MethodWords {
		return errors.New("bm25: words do not compare contexts with documents: leave the contexts or the method out")
	}
	if q.MMR != nil {
		return errors.New("contexts: they order the hits, and so does mmr: leave one out")
	}
	return joint.CheckLambda(q.contextLambda())
}

func (q *Query) contextLambda() float64 {
	if q.ContextLambda != nil {
		return *q.ContextLambda
	}
	return joint.DefaultLambda
}

// checkPrivate refuses contexts that another program would have to encode. It is called
// before anything is encoded. If the collection's own encoder is damaged, it accepts them:
// then words answer, without the contexts.
func (c *Collection) checkPrivate(in *instance, contexts []Text) error {
	if !slices.ContainsFunc(contexts, func(t Text) bool { return t.Vector == nil }) {
		return nil
	}
	if in.encoder == nil && in.broken == nil {
		return fault.New(fault.Unsupported, "contexts: the collection carries no encoder, and they are encoded only here: index it with one that it carries, or leave the contexts out")
	}
	if r, ok := in.encoder.(encoder.Remote); ok && r.Remote() {
		return fault.Errorf(fault.Unsupported, "contexts: they are private, and the encoder %s is on a server: open the collection with an encoder of its own, or leave the contexts out", c.encoder.ID)
	}
	return nil
}

// contextVectors encodes contexts in the role of queries, because they are compared with
// documents.
func (c *Collection) contextVectors(ctx context.Context, in *instance, contexts []Text) ([][]float32, error) {
	dim := c.store.Manifest().Dim
	vectors := make([][]float32, len(contexts))
	var texts []string
	var places []int
	for i, text := range contexts {
		switch {
		case text.Vector == nil:
			texts, places = append(texts, text.Text), append(places, i)
		case len(text.Vector) != dim:
			return nil, fmt.Errorf("contexts: number %d is a vector of %d components, the collection's have %d", i, len(text.Vector), dim)
		default:
			vectors[i] = text.Vector
		}
	}
	if len(texts) == 0 {
		return vectors, nil
	}
	if in.encoder == nil { // it is damaged, and the query is a vector
		return nil, in.noEncoder()
	}
	encoded, err := encoder.Encode(ctx, in.encoder, texts, encoder.Options{Role: encoder.Query})
	if err != nil {
		return nil, err
	}
	for i, e := range encoded {
		vectors[places[i]] = e.Vector
	}
	return vectors, nil
}

// join orders the hits of a result anew, with the query's contexts, by package joint. hits
// is the ranking that the hits came from, in the same order. Contexts and documents are
// compared by the same score as the query. Contexts have no influence on which documents a
// search finds and reads: its requests to a host must not betray them.
func (c *Collection) join(ctx context.Context, in *instance, q *Query, result *Result, hits []ranking.Hit, score perspective.Score) error {
	contexts, err := c.contextVectors(ctx, in, q.Contexts)
	if err != nil {
		return err
	}
	candidates := make([]joint.Candidate, len(hits))
	bare := make([]ranking.Hit, len(hits))
	for i, h := range hits {
		relevance := h.Score
		if result.Hybrid != "" {
			relevance = h.Cosine // a fused score cannot be added to a cosine
		}
		candidates[i] = joint.Candidate{Document: h.Document, Relevance: relevance, Fits: make([]float32, len(contexts))}
	}
	for n, vector := range contexts {
		if joint.Zero(vector) {
			continue
		}
		for i, h := range hits {
			bare[i] = ranking.Hit{Hit: h.Hit}
		}
		err := in.index.Explain(&ranking.Request{Query: perspective.Query{Query: vector, Method: "none", Score: score}, K: len(hits)}, bare)
		if err != nil {
			return fmt.Errorf("contexts: number %d: %w", n, err)
		}
		for i := range bare {
			candidates[i].Fits[n] = bare[i].Cosine
		}
	}
	q.order(result, candidates)
	return nil
}

// joinTokens is join by MaxSim. vectors are those of the ranking.
func (c *Collection) joinTokens(ctx context.Context, in *instance, q *Query, result *Result, found []tokens.Hit, vectors []float32) error {
	bare := slices.Clone(found)
	if result.Hybrid != "" { // a fused score is not a MaxSim
		if err := in.tokens.Score(vectors, bare); err != nil {
			return err
		}
	}
	candidates := make([]joint.Candidate, len(bare))
	for i, h := range bare {
		candidates[i] = joint.Candidate{Document: h.Document, Relevance: h.Score, Fits: make([]float32, len(q.Contexts))}
	}
	for n, text := range q.Contexts {
		of, err := c.tokensOf(ctx, in, "context", text, &Result{})
		if err == nil {
			err = in.tokens.Score(of, bare)
		}
		if err != nil {
			return fmt.Errorf("contexts: number %d: %w", n, err)
		}
		for i, h := range bare {
			candidates[i].Fits[n] = h.Score
		}
	}
	q.order(result, candidates)
	return nil
}

// order orders the hits of a result, which the candidates belong to.
func (q *Query) order(result *Result, candidates []joint.Candidate) {
	ordered := make([]Hit, len(candidates))
	for i, p := range joint.Rank(candidates, q.contextLambda()) {
		ordered[i] = result.Hits[p.Candidate]
		ordered[i].Rank, ordered[i].Score = i+1, p.Score
		ordered[i].Because = &Because{p.Context, q.Contexts[p.Context].Text, p.Fit, p.Relevance}
	}
	result.Hits = ordered
}

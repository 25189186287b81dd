package pcas

import (
	"context"
	"slices"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/joint"
	"github.com/vantage-search/vantage/internal/wasm/rerank"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/internal/wasm/tokens"
	"github.com/vantage-search/vantage/perspective"
)

// comparison is how the vectors of texts are compared. The vector of a question must not be
// zero. If scores are equal, the lower document comes first, and the lower context.
type comparison interface {
	// encode returns the vectors of texts.
	encode(ctx context.Context, e encoder.Encoder, texts []string, role encoder.Role) ([]encoder.Embedding, error)
	// add sets the documents.
	add(vectors [][]float32) error
	// rank returns the k best documents, best first.
	rank(question []float32, k int) ([]int, error)
	// candidates returns the same with the scores of the contexts.
	candidates(question []float32, contexts [][]float32, k int) ([]joint.Candidate, error)
	// nearest is the index of the context that is nearest to a question.
	nearest(question []float32, contexts [][]float32) (int, error)
}

// cosines compares one vector of each text.
type cosines struct {
	dim   int
	index *index.Index
}

func (*cosines) encode(ctx context.Context, e encoder.Encoder, texts []string, role encoder.Role) ([]encoder.Embedding, error) {
	return encoder.Encode(ctx, e, texts, encoder.Options{Role: role})
}

func (c *cosines) add(vectors [][]float32) (err error) {
	c.index, err = index.FromVectors(shard.F32, c.dim, slices.Concat(vectors...))
	return err
}

func (c *cosines) rank(question []float32, k int) ([]int, error) {
	plan, err := perspective.Compile(perspective.Query{Query: question, Method: "none"})
	if err != nil {
		return nil, err
	}
	hits, err := c.index.Search(&plan, k, nil)
	out := make([]int, len(hits))
	for i, h := range hits {
		out[i] = h.Row
	}
	return out, err
}

func (c *cosines) candidates(question []float32, contexts [][]float32, k int) ([]joint.Candidate, error) {
	return joint.Candidates(c.index, question, contexts, k)
}

func (*cosines) nearest(question []float32, contexts [][]float32) (int, error) {
	return joint.ByQuestion(question, contexts)
}

// maxSims compares the vectors of tokens by MaxSim, which the paper does with ColBERT. All
// documents are compared, with their vectors as the encoder gives them.
type maxSims struct {
	dim       int
	documents [][]float32
}

func (*maxSims) encode(ctx context.Context, e encoder.Encoder, texts []string, role encoder.Role) ([]encoder.Embedding, error) {
	made, err := encoder.Late{TokenEncoder: e.(encoder.TokenEncoder)}.EncodeTokens(ctx, texts, role)
	out := make([]encoder.Embedding, len(made))
	for i, v := range made {
		out[i] = encoder.Embedding{Vector: v.Vectors, Tokens: v.Tokens, Truncated: v.Truncated}
	}
	return out, err
}

func (m *maxSims) add(vectors [][]float32) error {
	m.documents = vectors
	return nil
}

func (m *maxSims) rank(question []float32, k int) ([]int, error) {
	hits := m.best(question, k)
	out := make([]int, len(hits))
	for i, h := range hits {
		out[i] = int(h.Document)
	}
	return out, nil
}

func (m *maxSims) best(question []float32, k int) []tokens.Hit {
	scores := make([]float32, len(m.documents))
	for i, d := range m.documents {
		scores[i] = rerank.MaxSim(question, d, m.dim)
	}
	return tokens.Best(scores, k)
}

// candidates has sums over the vectors of the question and of each context, so that a long one
// counts more. The paper says nothing of a mean.
func (m *maxSims) candidates(question []float32, contexts [][]float32, k int) ([]joint.Candidate, error) {
	hits := m.best(question, k)
	out := make([]joint.Candidate, len(hits))
	for i, h := range hits {
		out[i] = joint.Candidate{Document: h.Document, Relevance: h.Score}
		for _, c := range contexts {
			out[i].Fits = append(out[i].Fits, rerank.MaxSim(c, m.documents[h.Document], m.dim))
		}
	}
	return out, nil
}

func (m *maxSims) nearest(question []float32, contexts [][]float32) (int, error) {
	scores := make([]float32, len(contexts))
	for i, c := range contexts {
		scores[i] = rerank.MaxSim(question, c, m.dim)
	}
	return joint.Best(scores), nil
}

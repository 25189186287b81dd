package packer

import (
	"slices"

	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/packed"
)

// readTokens takes over what makes a model a ColBERT. Its length of documents becomes at
// most the maximum length that was asked for.
func (o *original) readTokens(id string, t *model.SourceTokens) error {
	c := &o.manifest.Config
	if t.QueryLength > c.MaxLength {
		return fault.Errorf(fault.Query, "%s fills its queries up to %d tokens: a maximum length of %d leaves no room for them", id, t.QueryLength, c.MaxLength)
	}
	tokens := &pack.Tokens{Dimension: t.Out, QueryMarker: int(t.Query), DocumentMarker: int(t.Document), Mask: int(t.Mask), QueryLength: t.QueryLength,
		DocumentLength: min(t.DocumentLength, c.MaxLength), AttendToMask: t.AttendToMask}
	for _, id := range slices.Compact(slices.Clone(t.Skip)) {
		tokens.Skip = append(tokens.Skip, int(id))
	}
	c.Tokens, c.Pooling, c.Normalize = tokens, pack.Unpooled, true
	c.MaxLength = max(tokens.QueryLength, tokens.DocumentLength)
	c.Positions = c.MaxLength
	o.manifest.Prompts, o.manifest.DefaultPrompt = nil, ""
	o.values[pack.ProjectionTensor] = t.Weight
	return finite(pack.ProjectionTensor, t.Weight)
}

// tokenPieces are the ids of the pieces that a model of token vectors names. They stay when
// the vocabulary is cut.
func tokenPieces(t *pack.Tokens) []int {
	return append(slices.Clone(t.Skip), t.QueryMarker, t.DocumentMarker, t.Mask)
}

// renumberTokens changes the ids to those in the cut vocabulary. They ascend as before.
func renumberTokens(t *pack.Tokens, places map[int]int) *pack.Tokens {
	if t == nil {
		return nil
	}
	n := *t
	n.QueryMarker, n.DocumentMarker, n.Mask = places[t.QueryMarker], places[t.DocumentMarker], places[t.Mask]
	n.Skip = slices.Clone(t.Skip)
	for i, id := range n.Skip {
		n.Skip[i] = places[id]
	}
	return &n
}

// tokenSample is a text as a model of token vectors reads it.
func (p *packing) tokenSample(text string, document bool) sample {
	x, _ := packed.ReadTokens(p.manifest.Config.Tokens, p.tokenizer, nil, text, document)
	return sample{ids: x.IDs, keys: x.Keys}
}

// tokens gives each token a vector of length 1.
func (n *network) tokens(list []*batch) (vectors [][]float32) {
	project := n.linear("linear", n.c.Hidden)
	for _, b := range list {
		for row := range slices.Chunk(n.apply(project, b.x, dense.None), n.c.Tokens.Dimension) {
			vectors = append(vectors, scaled(row))
		}
	}
	return vectors
}

package vantage

import (
	"context"
	"fmt"
	"maps"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// The types of this package are its promise; those of the packages below may change.
// Here the one become the others.

func queryOf(q Query) search.Query {
	out := search.Query{Query: search.Text(q.Query), Method: q.Method, Lambda: q.Lambda, K: q.K, MMR: q.MMR, CosineRank: q.CosineRank}
	if q.Root != nil {
		root := search.Text(*q.Root)
		out.Root = &root
	}
	for _, p := range q.Perspectives {
		out.Perspectives = append(out.Perspectives, search.Text(p))
	}
	for _, f := range q.Filters {
		out.Filters = append(out.Filters, search.Filter(f))
	}
	if q.Hybrid != nil {
		hybrid := search.Hybrid(*q.Hybrid)
		out.Hybrid = &hybrid
	}
	return out
}

func resultOf(r *search.Result) *Result {
	out := &Result{
		Method: r.Method, Lambda: r.Lambda, K: r.K, Encoder: EncoderRef(r.Encoder), Hybrid: r.Hybrid, Notice: r.Notice,
		Hits: make([]Hit, len(r.Hits)),
	}
	for i, h := range r.Hits {
		out.Hits[i] = Hit{Rank: h.Rank, ID: h.ID, Index: h.Index, Score: h.Score, Title: h.Title, Text: h.Text, Explain: Explanation(h.Explain)}
		if h.Lexical != nil {
			words := Lexical(*h.Lexical)
			out.Hits[i].Lexical = &words
		}
	}
	for _, t := range r.Texts {
		out.Texts = append(out.Texts, EncodedText{Role: t.Role, Text: t.Text, Tokens: t.Info.Tokens, Unknown: t.Info.Unknown, Truncated: t.Info.Truncated})
	}
	return out
}

// textsOf is an answer with no more than its texts.
func textsOf(r *Result) *search.Result {
	out := &search.Result{}
	for _, t := range r.Texts {
		out.Texts = append(out.Texts, search.EncodedText{Role: t.Role, Text: t.Text, Info: encode.Info{Tokens: t.Tokens, Unknown: t.Unknown, Truncated: t.Truncated}})
	}
	return out
}

func modelOf(m manifest.Model) Model {
	m.Prompts = maps.Clone(m.Prompts)
	return Model(m)
}

func encoding(vector []float32, info encode.Info) Encoding {
	return Encoding{Vector: vector, Tokens: info.Tokens, Unknown: info.Unknown, Truncated: info.Truncated}
}

// setEncoder has texts encoded by e, in the core if it is static, else outside of it;
// nil: by what the collection carries. documents: e encodes these, too.
func setEncoder(ctx context.Context, o *search.Options, e Encoder, documents bool) {
	switch e := e.(type) {
	case nil:
	case *StaticEncoder:
		o.Encoder = e.encoderFiles()
	default:
		m := e.Model()
		o.Outside = &search.Outside{EncoderRef: search.EncoderRef{ID: m.ID, Revision: m.Revision}, Queries: outsideEncoder{ctx, e, RoleQuery}}
		if documents {
			o.Outside.Documents = outsideEncoder{ctx, e, RoleDocument}
		}
	}
}

// outsideEncoder is an encoder in one role.
type outsideEncoder struct {
	ctx  context.Context
	e    Encoder
	role Role
}

func (o outsideEncoder) Dim() int { return o.e.Model().Dim }

func (o outsideEncoder) Encode(text string) ([]float32, encode.Info, error) {
	encoded, err := o.e.Encode(o.ctx, []string{text}, o.role)
	if err != nil {
		return nil, encode.Info{}, err
	}
	if len(encoded) != 1 || len(encoded[0].Vector) != o.Dim() {
		return nil, encode.Info{}, fmt.Errorf("encoder %s: not one vector of %d components for one text", o.e.Model().ID, o.Dim())
	}
	return encoded[0].Vector, encode.Info{Tokens: encoded[0].Tokens, Unknown: encoded[0].Unknown, Truncated: encoded[0].Truncated}, nil
}

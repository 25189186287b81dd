package vantage

import (
	"context"
	"fmt"
	"maps"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// The types of this package are its promise; those of the packages below may change.
// Here the one become the others.

func queryOf(q Query) search.Query {
	out := search.Query{Query: search.Text(q.Query), Method: q.Method, Lambda: q.Lambda, K: q.K, MMR: q.MMR}
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
	if err := checkEncodings(o.e, encoded, 1); err != nil {
		return nil, encode.Info{}, err
	}
	return encoded[0].Vector, encode.Info{Tokens: encoded[0].Tokens, Unknown: encoded[0].Unknown, Truncated: encoded[0].Truncated}, nil
}

// writerEncoder is an encoder as the writer of collections takes it.
type writerEncoder struct{ Encoder }

// Info of an encoder of this module is its own: it knows more than Model tells.
func (w writerEncoder) Info() encoder.Info {
	if e, ok := w.Encoder.(interface{ Info() encoder.Info }); ok {
		return e.Info()
	}
	m := w.Encoder.Model()
	return encoder.Info{ID: m.ID, Revision: m.Revision, Architecture: m.Architecture, Dim: m.Dim, Pooling: m.Pooling,
		Normalize: m.Normalize, MaxLength: m.MaxLength, Int8: m.Int8, BF16: m.BF16, Prompts: m.Prompts}
}

func (w writerEncoder) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	encoded, err := w.Encoder.Encode(ctx, texts, Role(o.Role))
	if err != nil {
		return nil, err
	}
	if err := checkEncodings(w.Encoder, encoded, len(texts)); err != nil {
		return nil, err
	}
	out := make([]encoder.Embedding, len(texts))
	for i, e := range encoded {
		out[i] = encoder.Embedding{Vector: e.Vector, Tokens: e.Tokens, Truncated: e.Truncated}
	}
	return out, nil
}

// checkEncodings refuses what an encoder must not return.
func checkEncodings(e Encoder, encoded []Encoding, texts int) error {
	m := e.Model()
	if len(encoded) != texts {
		return fmt.Errorf("the encoder %s gave %d vectors for %d texts", m.ID, len(encoded), texts)
	}
	for i := range encoded {
		if len(encoded[i].Vector) != m.Dim {
			return fmt.Errorf("the encoder %s gave a vector of %d components, its model has %d", m.ID, len(encoded[i].Vector), m.Dim)
		}
	}
	return nil
}

package vantage

import (
	"maps"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// The types of this package are public and stable; those of internal packages may change.
// This file converts between them.

func queryOf(q Query) search.Query {
	out := search.Query{Query: search.Text(q.Query), Method: q.Method, Score: q.Score, Lambda: q.Lambda, K: q.K, MMR: q.MMR, CosineRank: q.CosineRank, Rescore: q.Rescore, Strength: q.Strength}
	if q.Opposites != nil {
		out.Opposites = &search.Opposites{Wanted: search.Text(q.Opposites.Wanted), Other: search.Text(q.Opposites.Other)}
	}
	if q.Root != nil {
		root := search.Text(*q.Root)
		out.Root = &root
	}
	for _, p := range q.Perspectives {
		out.Perspectives = append(out.Perspectives, search.Text(p))
	}
	for _, c := range q.Contexts {
		out.Contexts = append(out.Contexts, search.Text(c))
	}
	out.ContextLambda = q.ContextLambda
	out.Filters = filtersOf(q.Filters)
	if q.Hybrid != nil {
		hybrid := search.Hybrid(*q.Hybrid)
		out.Hybrid = &hybrid
	}
	return out
}

func resultOf(r *search.Result) *Result {
	out := &Result{
		Method: r.Method, Kind: r.Kind, Lambda: r.Lambda, Strength: r.Strength, Side: r.Side, Score: r.Score, K: r.K, Encoder: r.Encoder, Hybrid: r.Hybrid, Notice: r.Notice, Close: r.Close,
		Hits: hitsOf(r.Hits),
	}
	for _, t := range r.Texts {
		out.Texts = append(out.Texts, EncodedText{Role: t.Role, Text: t.Text, Tokens: t.Info.Tokens, Unknown: t.Info.Unknown, Truncated: t.Info.Truncated})
	}
	return out
}

func filtersOf(filters []Filter) []search.Filter {
	var out []search.Filter
	for _, f := range filters {
		out = append(out, search.Filter(f))
	}
	return out
}

func hitsOf(hits []search.Hit) []Hit {
	out := make([]Hit, len(hits))
	for i, h := range hits {
		out[i] = hitOf(h)
	}
	return out
}

func hitOf(h search.Hit) Hit {
	out := Hit{Rank: h.Rank, ID: h.ID, Index: h.Index, Score: h.Score, Title: h.Title, Text: h.Text, Explain: Explanation(h.Explain)}
	if h.Stance != nil {
		said := Stance(*h.Stance)
		out.Stance = &said
	}
	if h.Because != nil {
		because := Because(*h.Because)
		out.Because = &because
	}
	if h.Lexical != nil {
		words := Lexical(*h.Lexical)
		out.Lexical = &words
	}
	return out
}

func sidesQueryOf(q SidesQuery) search.SidesQuery {
	return search.SidesQuery{Root: q.Root, K: q.K, Strength: q.Strength, Filters: filtersOf(q.Filters)}
}

func sidesOf(s *search.Sides) *Sides {
	side := func(s search.SideHits) SideHits { return SideHits{s.Count, hitsOf(s.Hits)} }
	return &Sides{Root: s.Root, K: s.K, Strength: s.Strength, Subject: s.Subject, Encoder: s.Encoder, For: side(s.For), Neither: side(s.Neither), Against: side(s.Against)}
}

// textsOf returns a result that has only r's texts.
func textsOf(r *Result) *search.Result {
	out := &search.Result{}
	for _, t := range r.Texts {
		out.Texts = append(out.Texts, search.EncodedText{Role: t.Role, Text: t.Text, Info: encode.Info{Tokens: t.Tokens, Unknown: t.Unknown, Truncated: t.Truncated}})
	}
	return out
}

func modelOf(m manifest.Model) Model {
	m.Prompts = maps.Clone(m.Prompts)
	if m.Architecture == manifest.Unstated {
		m.Architecture = ""
	}
	return Model(m)
}

// encodingBy says what encodes texts: e, in the core if e is static and outside of it if
// not. If e is nil, the encoder in the collection does.
func encodingBy(e Encoder) search.Encoding {
	if e == nil {
		return nil
	}
	if files, ok := staticOf(e); ok {
		return search.InCore{Files: files}
	}
	return search.Outside{Encoder: internalOf(e)}
}

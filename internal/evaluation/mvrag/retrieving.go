package mvrag

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/evaluation/beir"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/mvrag"
	"github.com/vantage-search/vantage/internal/progress"
)

// retrieve ranks by one model: the query as it is, MVRAG, and MVRAG without each of the
// perspectives that are left out, in this order.
func (r *running) retrieve(ctx context.Context, m *retrieve.Model, label string) (systems []*System, err error) {
	if r.show != nil {
		r.show.Input = r.set.Progress
	}
	var index retrieve.Index
	var closer interface{ Close() error }
	err = r.step(label+": index", false, func() (err error) {
		index, closer, err = m.Index(ctx, func(x retrieve.Index) error {
			return r.set.Index(ctx, []retrieve.Index{x}, func(done int64) { r.show.Update(progress.Index, done, 0) })
		})
		return blame(ctx, err)
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closer.Close()) }()
	systems = []*System{{Name: "plain query"}, {Name: "MVRAG"}}
	for _, i := range r.without {
		name := r.domain.Perspectives[i].Name
		systems = append(systems, &System{Name: "MVRAG without " + name, Without: name})
	}
	for _, s := range systems {
		s.ranked = make([][]mvrag.Found, len(r.queries))
	}
	err = r.step(label+": rank", false, func() error {
		return r.each(ctx, progress.Search, func(ctx context.Context, i int) error {
			if err := r.rank(ctx, index, i, systems); err != nil {
				return fmt.Errorf("query %.80q: %w", r.queries[i].ID, err)
			}
			return nil
		})
	})
	return systems, err
}

// rank ranks for one query. Each view retrieves K documents once; every system takes its
// share of them, the best ones.
func (r *running) rank(ctx context.Context, index retrieve.Retriever, at int, systems []*System) error {
	q := &r.queries[at]
	plain := []mvrag.View{{Perspective: mvrag.Plain, Weight: 1, Query: q.Text}}
	rankings := map[int][]mvrag.Hit{} // by perspective
	for _, v := range append(plain, q.Views...) {
		if _, done := rankings[v.Perspective]; done {
			continue // the query is asked from no perspective, so the only view is the plain query
		}
		hits, err := r.hits(ctx, index, q.Query, v.Query)
		if err != nil {
			return err
		}
		rankings[v.Perspective] = hits
	}
	for n, s := range systems {
		views := q.Views
		switch {
		case n == 0:
			views = plain
		case n >= 2:
			views = q.Without(r.without[n-2], q.Text)
		}
		var of [][]mvrag.Hit
		for _, v := range views {
			of = append(of, rankings[v.Perspective])
		}
		found := mvrag.Merge(views, of, r.K)
		s.ranked[at] = found[:min(r.K, len(found))]
	}
	return nil
}

// hits are the best K documents for a text, without the one that the set leaves out of
// the query's ranking.
func (r *running) hits(ctx context.Context, index retrieve.Retriever, q beir.Query, text string) ([]mvrag.Hit, error) {
	wanted := r.K
	self, dropped := r.set.Dropped(q)
	if dropped {
		wanted++
	}
	found, err := index.Rank(ctx, retrieve.Query{Text: text}, wanted)
	if err != nil {
		return nil, err
	}
	var hits []mvrag.Hit
	for _, h := range found {
		if dropped && h.Document == self || len(hits) == r.K {
			continue
		}
		hits = append(hits, mvrag.Hit{Document: h.Document, Score: h.Score})
	}
	return hits, nil
}

// Answer is what the chat model answers a query from the best documents of MVRAG.
type Answer struct {
	Query     string   `json:"query"`     // id
	Documents []string `json:"documents"` // ids, as they are numbered in the prompt, from 1
	Refused   bool     `json:"refused,omitempty"`
	*mvrag.Answer
}

// maxDocument is how much of a document the reader is shown, in bytes.
const maxDocument = 6000

// answer lets the chat model answer all queries from the best documents of a system.
func (r *running) answer(ctx context.Context, s *System) ([]Answer, error) {
	reader, err := mvrag.NewModel(r.chat, r.domain)
	if err != nil {
		return nil, err
	}
	wanted := map[uint32]bool{}
	for _, ranked := range s.ranked {
		for _, f := range ranked[:min(r.Answers, len(ranked))] {
			wanted[f.Document] = true
		}
	}
	answers := make([]Answer, len(r.queries))
	err = r.step(answerStep, true, func() error {
		texts, err := r.set.Texts(ctx, wanted)
		if err != nil {
			return blame(ctx, err)
		}
		return r.each(ctx, answerStep, func(ctx context.Context, i int) (err error) {
			a := &answers[i]
			a.Query = r.queries[i].ID
			var shown []string
			for _, f := range s.ranked[i][:min(r.Answers, len(s.ranked[i]))] {
				a.Documents, shown = append(a.Documents, r.set.ID(f.Document)), append(shown, cut(texts[f.Document]))
			}
			a.Answer, err = reader.Answer(ctx, r.queries[i].Text, shown)
			if _, refused := errors.AsType[*chat.ReplyError](err); refused {
				a.Refused, err = true, nil
			}
			return err
		})
	})
	return answers, err
}

// cut shortens a document for the reader, between characters.
func cut(text string) string {
	if len(text) <= maxDocument {
		return text
	}
	n := maxDocument
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return strings.TrimSpace(text[:n]) + " …"
}

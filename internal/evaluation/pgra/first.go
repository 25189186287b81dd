package pgra

import (
	"context"
	"errors"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// hit is a row of the evidence that was found for a text.
type hit struct {
	row   int32
	rank  int32 // rank in stage 1, from 0
	score float32
}

// found has the evidence that a retriever found for each text of a task, best first.
type found struct {
	test  [][]hit
	train [][]hit // for each row of the evidence, without the row itself; only if a reader's input is written
}

// first is stage 1: it finds the k nearest rows for every text of every task.
func (e *Experiment) first(ctx context.Context, m *retrieve.Model, sets []*Set, show *progress.Bar) (out []found, err error) {
	var documents, queries model.Encoder
	if m != nil {
		var close func() error
		if documents, queries, close, err = m.Open(ctx); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, close()) }()
	}
	total, done := 0, 0
	for _, s := range sets {
		total += len(s.Evidence) + len(s.Test)
	}
	for _, s := range sets {
		var rank ranking
		if m == nil {
			rank, err = s.byWords(ctx)
		} else {
			score, _ := m.Score() // Try has checked it
			rank, err = s.byVectors(ctx, documents, queries, score, e.FiD != "", func(n int) {
				done += n
				show.Update(progress.Embed, int64(done), int64(total))
			})
		}
		if err != nil {
			return nil, err
		}
		var f found
		for i := range s.Test {
			hits, err := rank(s.Test, i, e.K)
			if err != nil {
				return nil, err
			}
			f.test = append(f.test, hits)
			show.Update(progress.Rank, int64(i+1), int64(len(s.Test)))
		}
		for i := 0; i < len(s.Evidence) && e.FiD != ""; i++ {
			hits, err := rank(s.Evidence, i, e.K+1)
			if err != nil {
				return nil, err
			}
			f.train = append(f.train, without(hits, int32(i), e.K))
		}
		out = append(out, f)
	}
	return out, nil
}

// ranking finds the k nearest rows of the evidence, best first, for row i of rows, which are
// the test rows or the evidence.
type ranking func(rows []Row, i, k int) ([]hit, error)

// without returns the first k hits that are not the given row.
func without(hits []hit, row int32, k int) (out []hit) {
	for _, h := range hits {
		if h.row != row && len(out) < k {
			h.rank = int32(len(out))
			out = append(out, h)
		}
	}
	return out
}

// byWords ranks by BM25.
func (s *Set) byWords(ctx context.Context) (ranking, error) {
	x, err := retrieve.NewBM25(lexical.DefaultParameters)
	if err != nil {
		return nil, err
	}
	if err := x.Add(ctx, textsOf(s.Evidence)); err != nil {
		return nil, err
	}
	return func(rows []Row, i, k int) ([]hit, error) {
		hits, err := x.Rank(ctx, retrieve.Query{Text: rows[i].Text}, k)
		out := make([]hit, len(hits))
		for i, h := range hits {
			out[i] = hit{int32(h.Document), int32(i), float32(h.Score)}
		}
		return out, err
	}, nil
}

// byVectors ranks by an encoder's vectors. If all is true, the evidence is also encoded as
// queries, unless that gives the same vectors. told is called with the number of texts that
// have been encoded since the last call.
func (s *Set) byVectors(ctx context.Context, documents, queries model.Encoder, score perspective.Score, all bool, told func(n int)) (ranking, error) {
	evidence, err := encode(ctx, documents, textsOf(s.Evidence), encoder.Options{Role: encoder.Document}, told)
	if err != nil {
		return nil, err
	}
	flat := make([]float32, 0, len(evidence)*documents.Info().Dim)
	for _, v := range evidence {
		flat = append(flat, v...)
	}
	x, err := index.FromVectors(shard.F32, documents.Info().Dim, flat)
	if err != nil {
		return nil, err
	}
	tested, err := encode(ctx, queries, textsOf(s.Test), encoder.Options{Role: encoder.Query}, told)
	if err != nil {
		return nil, err
	}
	if all && (documents != queries || len(documents.Info().Prompts) > 0) {
		if evidence, err = encode(ctx, queries, textsOf(s.Evidence), encoder.Options{Role: encoder.Query}, func(int) {}); err != nil {
			return nil, err
		}
	}
	return func(rows []Row, i, k int) ([]hit, error) {
		vector := tested
		if &rows[0] == &s.Evidence[0] {
			vector = evidence
		}
		plan, err := perspective.Compile(perspective.Query{Query: vector[i], Method: "none", Score: score})
		if fault.Is[*perspective.DegenerateError](err) {
			return nil, nil // all words of the text are unknown
		}
		if err != nil {
			return nil, err
		}
		hits, err := x.Search(&plan, k, nil)
		out := make([]hit, len(hits))
		for i, h := range hits {
			out[i] = hit{int32(h.Row), int32(i), h.Score}
		}
		return out, err
	}, nil
}

// encode encodes texts.
func encode(ctx context.Context, e model.Encoder, texts []string, o encoder.Options, told func(n int)) (out [][]float32, err error) {
	err = portions(texts, func(some []string) error {
		found, err := encoder.Encode(ctx, e, some, o)
		for i := range found {
			out = append(out, found[i].Vector)
		}
		told(len(some))
		return err
	})
	return out, err
}

// portions calls use for successive parts of the texts, so that progress can be shown between them.
func portions(texts []string, use func(some []string) error) error {
	for len(texts) > 0 {
		some := texts[:min(64, len(texts))]
		texts = texts[len(some):]
		if err := use(some); err != nil {
			return err
		}
	}
	return nil
}

func textsOf(rows []Row) []string {
	out := make([]string, len(rows))
	for i := range rows {
		out[i] = rows[i].Text
	}
	return out
}

package pgra

import (
	"context"
	"errors"
	"slices"

	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/progress"
)

// second is stage 2: it reranks the candidates of stage 1, task by task. If the model can give the
// probabilities of words, it also classifies the texts by in-context learning.
func (e *Experiment) second(ctx context.Context, m *retrieve.Model, sets []*Set, all [][]found, out *Report, show *progress.Bar) (err error) {
	opened, _, close, err := m.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, close()) }()
	r := newReranker(m, opened)
	out.Reranker, out.Shown = m.Label(), r.shown
	total, done := 0, 0
	told := func(n int) { done += n; show.Update(progress.Embed, int64(done), int64(total)) }
	needed := make([][]int32, len(sets)) // rows of the evidence
	for j, s := range sets {
		needed[j] = e.needed(all, j)
		total += len(s.Test) + len(needed[j])
	}
	for j, s := range sets {
		p, err := r.prompt(ctx, s)
		if err != nil {
			return err
		}
		tested, cut, err := r.put(ctx, p, s.Test)
		if err != nil {
			return err
		}
		own, some, err := r.states(ctx, p, tested, told)
		if err != nil {
			return err
		}
		rows := make([]Row, len(needed[j]))
		for i, n := range needed[j] {
			rows[i] = s.Evidence[n]
		}
		items, more, err := r.put(ctx, p, rows)
		if err != nil {
			return err
		}
		vectors, others, err := r.states(ctx, p, items, told)
		if err != nil {
			return err
		}
		out.Tasks[j].Cut = cut + more + some + others
		states := map[int32][]float32{}
		for i, n := range needed[j] {
			states[n] = vectors[i]
		}
		for i := range all {
			test := make([][]hit, len(s.Test))
			for n, candidates := range all[i][j].test {
				test[n] = r.rerank(own[n], candidates, states)
				show.Update(progress.Rank, int64(n+1), int64(len(test)))
			}
			e.measureSecond(s, test, &out.Retrievers[i].Tasks[j])
			if e.FiD == "" {
				continue
			}
			train := make([][]hit, len(s.Evidence))
			for n, candidates := range all[i][j].train {
				train[n] = r.rerank(states[int32(n)], candidates, states)
			}
			if err := e.writeFiD(s, test, train); err != nil {
				return err
			}
		}
		if r.decoder == nil {
			continue
		}
		answered := 0
		out.Tasks[j].Context, err = r.inContext(ctx, s, p, tested, e.Encoding.Keep, e.Encoding.Console, func(n int) {
			answered += n
			show.Update(progress.Classify, int64(answered), int64(len(tested)))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// needed returns the rows of a task's evidence that the model has to read in stage 2, each once
// and in ascending order. If a reader's input is written, these are all rows.
func (e *Experiment) needed(all [][]found, task int) (rows []int32) {
	for i := range all {
		f := &all[i][task]
		for _, candidates := range f.test {
			for _, h := range candidates {
				rows = append(rows, h.row)
			}
		}
		for n := range f.train {
			rows = append(rows, int32(n))
		}
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

// measureSecond measures the evidence of stage 2 for the chosen k and d, and for the paper's.
func (e *Experiment) measureSecond(s *Set, test [][]hit, out *Found) {
	at := func(k, d int) Measures {
		evidence := make([][]hit, len(test))
		for i := range test {
			evidence[i] = of(test[i], k)
		}
		return s.measure(evidence, d)
	}
	chosen := at(e.K, e.D)
	out.Second = &chosen
	try := func(k, d int) {
		if k <= e.K && d <= k && !slices.ContainsFunc(out.Tried, func(t Tried) bool { return t.K == k && t.D == d }) {
			out.Tried = append(out.Tried, Tried{k, d, at(k, d)})
		}
	}
	for _, k := range Ks {
		try(k, e.D)
	}
	for _, d := range Ds {
		try(e.K, d)
	}
}

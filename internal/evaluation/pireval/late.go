package pireval

import (
	"context"
	"fmt"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// Late retrieves by MaxSim of token vectors (ColBERT), with the methods that are sums of
// scores.
type Late struct {
	Encoder model.TokenEncoder
	Label   string // name in tables
	Bits    int    // of a component of a vector, as a collection stores it; 0: as it is
}

func (l Late) Name() string { return l.Label }

func (l Late) Methods() []Method { return SumMethods(VectorMethods()) }

// SumMethods returns those of the given methods that MaxSim can use: sums of scores.
func SumMethods(methods []Method) (sums []Method) {
	for _, m := range methods {
		if perspective.CheckSum(m.scoring) == nil {
			sums = append(sums, m)
		}
	}
	return sums
}

// CheckSum returns an error that names the method if MaxSim cannot use it.
func (m Method) CheckSum() error {
	if m == autoMethod {
		return fault.New(fault.Query, "method auto chooses among methods that project vectors, and maxsim compares token by token: name a method that is a sum of scores")
	}
	return perspective.CheckSum(m.scoring)
}

func (l Late) Prepare(ctx context.Context, task *pir.Task, encoded func(texts int)) (*Prepared, error) {
	index := retrieve.NewLate(l.Encoder, l.Bits)
	done := 0
	err := retrieve.Fill(ctx, index, task.Corpus, func(all int) { encoded(all - done); done = all })
	if err != nil {
		return nil, err
	}
	var lists [3][][]float32 // queries, roots, perspectives: as many of each
	for i, texts := range [][]string{task.Queries, task.Roots, task.Perspectives} {
		known := map[string][]float32{} // roots and perspectives repeat
		for _, text := range texts {
			vectors, ok := known[text]
			if !ok && strings.TrimSpace(text) != "" {
				if vectors, err = index.Encode(ctx, text); err != nil {
					return nil, err
				}
				known[text] = vectors
			}
			lists[i] = append(lists[i], vectors)
			encoded(1)
		}
	}
	return &Prepared{Retriever: index, Query: func(i int, method Method) (retrieve.Query, error) {
		t, err := perspective.SumTokens(method.scoring, index.Dim(), lists[0][i], lists[1][i], [][]float32{lists[2][i]})
		if err != nil { // such as a perspective without text
			return retrieve.Query{}, fmt.Errorf("%w: %w", ErrUnanswerable, err)
		}
		return retrieve.Query{Text: task.Queries[i], Tokens: &t}, nil
	}, Root: func(i int) retrieve.Query {
		return retrieve.Query{Tokens: &perspective.TokenQuery{Vectors: lists[1][i]}}
	}}, nil
}

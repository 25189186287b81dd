package pireval

import (
	"context"
	"slices"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/perspective"
)

// Retriever can rank the corpora of tasks.
type Retriever interface {
	// Name of the retriever in tables.
	Name() string
	// Methods by which it ranks, in the order of tables.
	Methods() []Method
	// Prepare encodes or indexes a task. encoded is told of texts that have their
	// vectors now, by their number.
	Prepare(ctx context.Context, task *pir.Task, encoded func(texts int)) (Ranker, error)
}

// Ranker ranks the corpus of one task. It may be called by several goroutines.
type Ranker interface {
	// Rank returns the places of the k best texts for query i with their scores,
	// best first, ties in the order of the corpus. ErrUnanswerable says that the
	// method has no answer.
	Rank(i int, method Method, k int) ([]lexical.Hit, error)
	// RankRoot does so for the root of query i, as a plain query of its own.
	RankRoot(i, k int) ([]lexical.Hit, error)
}

// ErrUnanswerable is wrapped by the error of a query that leaves a method nothing
// to rank by, such as one without a word that the encoder knows.
var ErrUnanswerable = fault.New(fault.Query, "no answer")

// Method is a scoring method as it is reported.
type Method struct {
	Name    string  // the notebook's mode name
	Short   string  // the paper's
	Lambda  float64 // strength of the projections, 1 in the paper
	scoring string  // name in perspective
}

// dualConcat is a mode of the notebook that scores as vec_concat does; the
// paper's names leave it out.
const dualConcat = "vec_dual_concat"

// VectorMethods are the methods of retrievers by vectors in the order of the
// notebook's modes, vec_dual_concat among them.
func VectorMethods() []Method {
	var methods []Method
	for _, m := range perspective.Methods() {
		methods = append(methods, methodOf(m))
		if slices.Contains(m.Aliases, dualConcat) {
			methods = append(methods, Method{Name: dualConcat, Short: dualConcat, Lambda: 1, scoring: m.Name})
		}
	}
	return methods
}

func methodOf(m perspective.Method) Method {
	return Method{Name: m.Name, Short: m.Short(), Lambda: 1, scoring: m.Name}
}

// VectorMethod finds one by the notebook's name or any other. The error is a
// *perspective.UnknownMethodError.
func VectorMethod(name string) (Method, error) {
	if name == dualConcat {
		return Method{Name: dualConcat, Short: dualConcat, Lambda: 1, scoring: dualConcat}, nil
	}
	m, err := perspective.Lookup(name)
	if err != nil {
		return Method{}, err
	}
	return methodOf(m), nil
}

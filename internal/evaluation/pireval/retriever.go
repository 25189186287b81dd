package pireval

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/perspective"
)

// System is a retriever under evaluation. It makes one for every task.
type System interface {
	// Name of the system in tables.
	Name() string
	// Methods by which it ranks, in the order of tables.
	Methods() []Method
	// Prepare encodes or indexes a task. encoded is told of texts that have their
	// vectors now, by their number.
	Prepare(ctx context.Context, task *pir.Task, encoded func(texts int)) (*Prepared, error)
}

// Prepared is a retriever that has the corpus of one task, and the task's queries as
// it takes them. It may be used by several goroutines.
type Prepared struct {
	retrieve.Retriever
	// Query is query i as a method asks it.
	Query func(i int, method Method) (retrieve.Query, error)
	// Root is the root of query i, as a plain query of its own.
	Root func(i int) retrieve.Query
}

// rank returns the k best texts for query i by a method. ErrUnanswerable says that
// the method has no answer.
func (p *Prepared) rank(ctx context.Context, i int, method Method, k int) ([]lexical.Hit, error) {
	query, err := p.Query(i, method)
	if err != nil {
		return nil, err
	}
	return p.answer(ctx, query, k)
}

func (p *Prepared) answer(ctx context.Context, query retrieve.Query, k int) ([]lexical.Hit, error) {
	hits, err := p.Rank(ctx, query, k)
	if _, degenerate := errors.AsType[*perspective.DegenerateError](err); degenerate {
		return nil, fmt.Errorf("%w: %w", ErrUnanswerable, err)
	}
	return hits, err
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

package pireval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/perspective"
)

// System is a kind of retriever under evaluation. It makes one retriever per task.
type System interface {
	// Name is the system's name in tables.
	Name() string
	// Methods are the methods by which it ranks, in the order of tables.
	Methods() []Method
	// Prepare encodes or indexes a task. encoded is called with the number of newly
	// encoded texts.
	Prepare(ctx context.Context, task *pir.Task, encoded func(texts int)) (*Prepared, error)
}

// Prepared is a retriever with the corpus of one task, and the task's queries in the
// form that it takes. It may be used by several goroutines.
type Prepared struct {
	retrieve.Retriever
	// Query is query i for a method.
	Query func(i int, method Method) (retrieve.Query, error)
	// Root is the root of query i as a query of its own.
	Root func(i int) retrieve.Query
}

// rank returns the k best texts for query i by a method. The error is ErrUnanswerable
// if the method has no answer.
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

// ErrUnanswerable is the error if a query leaves a method nothing to rank by, such as a
// query without a word that the encoder knows. The error that is returned wraps it.
var ErrUnanswerable = fault.New(fault.Query, "no answer")

// Method is a scoring method with its names in reports.
type Method struct {
	Name     string  // mode name in the notebook; our own name for a method that the notebook lacks
	Short    string  // name in the paper
	Lambda   float64 // strength of the projections, 1 in the paper
	Strength float64 // of the angles, if the method has them
	scoring  string  // name in package perspective
	angles   int     // angles that it needs
	chosen   bool    // with this strength, whatever the encoder's tables say

	hybrid *search.Hybrid // how it is fused with the ranking by words; nil: not
}

// dualConcat is a mode of the notebook that gives the same scores as vec_concat; the
// paper has no name for it.
const dualConcat = "vec_dual_concat"

// VectorMethods are the methods of retrievers by vectors, in the order of the
// notebook's modes and including vec_dual_concat.
func VectorMethods() []Method {
	var methods []Method
	for _, m := range perspective.Methods() {
		if m.Angles > 0 {
			continue // most retrievers have one vector of a text
		}
		methods = append(methods, methodOf(m))
		if slices.Contains(m.Aliases, dualConcat) {
			methods = append(methods, Method{Name: dualConcat, Short: dualConcat, Lambda: 1, scoring: m.Name})
		}
	}
	return methods
}

func methodOf(m perspective.Method) Method {
	return Method{Name: m.Name, Short: m.Short(), Lambda: 1, Strength: m.Strength, scoring: m.Name, angles: m.Angles}
}

// VectorMethod finds a method by the notebook's name or by any other of its names. The
// error is a *perspective.UnknownMethodError.
func VectorMethod(name string) (Method, error) {
	if name == dualConcat {
		return Method{Name: dualConcat, Short: dualConcat, Lambda: 1, scoring: dualConcat}, nil
	}
	if strings.EqualFold(name, perspective.Auto) {
		return autoMethod, nil
	}
	m, err := perspective.Lookup(name)
	if err != nil {
		return Method{}, err
	}
	return methodOf(m), nil
}

package search

import (
	"errors"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// MethodWords is the method that ranks by BM25 of the words of the whole query alone.
// The collection needs an inverted index. The query needs neither vectors nor an
// encoder.
const MethodWords = "bm25"

// Methods lists every method that a Query may name, except MethodAuto: those of
// perspective.Methods, and MethodWords. The caller may change the result.
func Methods() []perspective.Method {
	return append(perspective.Methods(), perspective.Method{
		Name: MethodWords, Summary: "BM25 of the query's words alone, in collections with an inverted index", NeedsQuery: true,
	})
}

// LookupMethod finds one of Methods by name or alias, regardless of case. The error is
// a *perspective.UnknownMethodError, which lists the methods.
func LookupMethod(name string) (perspective.Method, error) {
	if strings.EqualFold(name, MethodWords) {
		methods := Methods()
		return methods[len(methods)-1], nil
	}
	m, err := perspective.Lookup(name)
	if unknown, ok := errors.AsType[*perspective.UnknownMethodError](err); ok {
		unknown.Also = []string{MethodWords}
	}
	return m, err
}

// HasAngles reports whether a method, by name or alias, ranks by the angles of documents, too.
func HasAngles(method string) bool {
	m, err := perspective.Lookup(method)
	return err == nil && m.Angles > 0
}

// comparing is the method that compares two opposites.
const comparing = "contrast"

// setMethod turns auto into no method, or into contrast if the query names two opposites. It refuses an unknown method,
// and opposites with one that does not compare them.
func (q *Query) setMethod() error {
	if strings.EqualFold(q.Method, MethodAuto) {
		q.Method = ""
	}
	switch {
	case q.Method != "":
	case q.Opposites == nil:
		return nil
	case q.Lambda != nil:
		return errOpposites
	default:
		q.Method = comparing
	}
	m, err := LookupMethod(q.Method)
	if m.Name == MethodWords {
		q.Method = MethodWords // with the canonical name
	}
	if err == nil && q.Opposites != nil && m.Name != comparing {
		return errOpposites
	}
	return err
}

var errOpposites = fault.New(fault.Query, "opposites are compared by the method contrast, without lambda: leave out the opposites, or method and lambda")

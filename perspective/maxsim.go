package perspective

import (
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// TokenQuery are the token vectors that a method compares with documents by MaxSim, row
// after row.
type TokenQuery struct {
	Vectors []float32
	// Gate, if it is not nil, are the vectors of a first stage: documents whose score by
	// them is below its GateQuantile come after all others. Vectors include them.
	Gate []float32
}

// SumTokens compiles a method for MaxSim. query, root and perspectives are the token
// vectors of the texts, each row of dim numbers; nil: not given. MaxSim is a sum over
// the vectors of a query, so a sum of scores is one score by all their vectors, and the mean
// of n perspectives is one score by their vectors divided by n.
//
// Methods that combine vectors or need angles are an error: the tokens of two texts do
// not pair up, and have no angles. Errors are of kind ErrQuery of package vantage.
func SumTokens(method string, dim int, query, root []float32, perspectives [][]float32) (TokenQuery, error) {
	if err := CheckSum(method); err != nil {
		return TokenQuery{}, err
	}
	m, err := find(method)
	if err != nil {
		return TokenQuery{}, err
	}
	var out TokenQuery
	add := func(what string, needed bool, share float32, vectors []float32) error {
		if !needed {
			return nil
		}
		if len(vectors) == 0 {
			return &MissingError{Method: m.Name, What: what}
		}
		if dim < 1 || len(vectors)%dim != 0 {
			return fault.New(fault.Query, "the "+what+" has "+strconv.Itoa(len(vectors))+" numbers, which are no vectors of "+strconv.Itoa(dim)+" dimensions: encode it by the collection's model")
		}
		for _, v := range vectors {
			out.Vectors = append(out.Vectors, v*share)
		}
		return nil
	}
	if err := add("root", m.NeedsRoot, 1, root); err != nil {
		return TokenQuery{}, err
	}
	if err := add("query", m.NeedsQuery, 1, query); err != nil {
		return TokenQuery{}, err
	}
	if m.Gated {
		out.Gate = out.Vectors[:len(out.Vectors):len(out.Vectors)]
	}
	if m.NeedsPerspective && len(perspectives) == 0 {
		return TokenQuery{}, &MissingError{Method: m.Name, What: "perspective"}
	}
	if len(perspectives) > MaxPerspectives {
		return TokenQuery{}, &TooManyError{Got: len(perspectives)}
	}
	for _, p := range perspectives {
		if err := add("perspective", m.NeedsPerspective, 1/float32(len(perspectives)), p); err != nil {
			return TokenQuery{}, err
		}
	}
	return out, nil
}

// CheckSum refuses a method that SumTokens does not take, by name.
func CheckSum(method string) error {
	m, err := find(method)
	if err != nil || m.sums() {
		return err
	}
	var names []string
	for i := range table {
		if table[i].sums() {
			names = append(names, table[i].Short())
		}
	}
	return fault.New(fault.Query, "method "+m.Short()+" compares vectors of whole texts, and maxsim compares token by token: use one of "+strings.Join(names, ", "))
}

// sums reports whether a method is a sum of scores.
func (m *Method) sums() bool {
	switch m.Name {
	case "query_cosine", "source_cosine", "additive", "additive_aug", "additive_tripple":
		return true
	}
	return m.Gated
}

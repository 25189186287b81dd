package pcas

import (
	"context"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/wasm/joint"
)

// portion is the number of texts that are encoded before the progress is shown again.
const portion = 64

// space has the vectors of a set's documents, questions and contexts by one model. It
// encodes each text once in each role that is needed. The vectors of a text's tokens are one
// after the other.
type space struct {
	ctx                context.Context
	documents, queries encoder.Encoder
	by                 comparison
	kept               map[text][]float32
	truncated          map[text]bool
}

// open opens the encoders of a model. close closes them.
func open(ctx context.Context, m *retrieve.Model) (x *space, close func() error, err error) {
	x = &space{ctx: ctx, kept: map[text][]float32{}, truncated: map[text]bool{}}
	if m.RanksTokens() {
		e, err := m.OpenTokens(ctx)
		if err != nil {
			return nil, nil, err
		}
		x.documents, x.queries, x.by = e, e, &maxSims{dim: e.TokenInfo().Dim}
		return x, e.Close, nil
	}
	documents, queries, close, err := m.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	x.documents, x.queries, x.by = documents, queries, &cosines{dim: documents.Info().Dim}
	return x, close, nil
}

type text struct {
	text string
	role encoder.Role
}

// encode encodes all texts that the evaluation needs of a set.
func (x *space) encode(s *Set, progress func(done, total int)) error {
	var asked, contexts []string
	for _, questions := range [][]Question{s.Validation, s.Test} {
		for i := range questions {
			q := &questions[i]
			asked = append(asked, q.Text, q.or(), joint.Join(q.Text, q.Contexts...))
			asked, contexts = append(asked, q.Contexts...), append(contexts, q.Contexts...)
		}
	}
	wanted := x.missing(asked, encoder.Query)
	// B3 looks for contexts by the question, so there a context has the role of a document.
	// That needs vectors of its own only if the encoder treats the roles differently.
	rest := x.missing(contexts, encoder.Document)
	if !x.roles() {
		rest = nil
	}
	total := len(s.Documents) + len(wanted) + len(rest)
	done := 0
	told := func(n int) { done += n; progress(done, total) }
	var documents [][]float32
	for at := 0; at < len(s.Documents); at += portion {
		some := s.Documents[at:min(at+portion, len(s.Documents))]
		found, err := x.by.encode(x.ctx, x.documents, some, encoder.Document)
		if err != nil {
			return err
		}
		for i, e := range found {
			documents = append(documents, e.Vector)
			if e.Truncated {
				x.truncated[text{some[i], encoder.Document}] = true
			}
		}
		told(len(some))
	}
	if err := x.by.add(documents); err != nil {
		return err
	}
	if err := x.add(wanted, encoder.Query, told); err != nil {
		return err
	}
	if err := x.add(rest, encoder.Document, told); err != nil {
		return err
	}
	joined, err := x.b3(s)
	if err != nil {
		return err
	}
	total += len(joined)
	return x.add(joined, encoder.Query, told)
}

// b3 returns the queries of B3's second step: each question with its nearest context. Those
// that are encoded already are left out.
func (x *space) b3(s *Set) ([]string, error) {
	var joined []string
	for _, questions := range [][]Question{s.Validation, s.Test} {
		for i := range questions {
			q := &questions[i]
			if joint.Zero(x.query(q.Text)) {
				continue
			}
			nearest, err := x.by.nearest(x.query(q.Text), x.all(q.Contexts, encoder.Document))
			if err != nil {
				return nil, err
			}
			joined = append(joined, joint.Join(q.Text, q.Contexts[nearest]))
		}
	}
	return x.missing(joined, encoder.Query), nil
}

// roles reports whether queries and documents are encoded differently.
func (x *space) roles() bool {
	_, tokens := x.by.(*maxSims) // ColBERTs mark the roles, and only queries are augmented
	return tokens || x.documents != x.queries || len(x.documents.Info().Prompts) > 0
}

// missing returns the texts that are not encoded yet, without repetitions.
func (x *space) missing(texts []string, role encoder.Role) (out []string) {
	seen := map[string]bool{}
	for _, t := range texts {
		if _, ok := x.kept[text{t, role}]; !ok && !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}

func (x *space) add(texts []string, role encoder.Role, told func(n int)) error {
	e := x.queries
	if role == encoder.Document {
		e = x.documents
	}
	for len(texts) > 0 {
		some := texts[:min(portion, len(texts))]
		texts = texts[len(some):]
		found, err := x.by.encode(x.ctx, e, some, role)
		if err != nil {
			return err
		}
		for i, v := range found {
			key := text{some[i], role}
			x.kept[key] = v.Vector
			if v.Truncated {
				x.truncated[key] = true
			}
		}
		told(len(some))
	}
	return nil
}

// query returns the vector of a text in the role of a query.
func (x *space) query(t string) []float32 { return x.kept[text{t, encoder.Query}] }

// all returns the vectors of contexts in a role.
func (x *space) all(contexts []string, role encoder.Role) [][]float32 {
	if !x.roles() {
		role = encoder.Query
	}
	out := make([][]float32, len(contexts))
	for i, c := range contexts {
		out[i] = x.kept[text{c, role}]
	}
	return out
}

// rank returns the k documents that are nearest to a vector, best first. If the vector is
// zero, there are none.
func (x *space) rank(vector []float32, k int) ([]int, error) {
	if joint.Zero(vector) {
		return nil, nil
	}
	return x.by.rank(vector, k)
}

// or returns the query of the system OR: the question with its right context, if it has one.
func (q *Question) or() string {
	if right, ok := q.right(); ok {
		return joint.Join(q.Text, right)
	}
	return q.Text
}

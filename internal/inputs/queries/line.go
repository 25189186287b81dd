package queries

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
	"github.com/vantage-search/vantage/perspective"
)

// queryFields are the fields of a line.
type queryFields struct {
	id, text, query, root, perspective  *string
	label                               string
	perspectives                        []string
	queryVector, rootVector             []float32
	perspectiveVectors                  [][]float32
	hasPerspectives, hasPerspectiveRows bool
}

// parseLine parses one line. It ignores unknown fields, and BEIR's metadata except for
// the label.
func parseLine(line []byte, base vantage.Query) (Query, error) {
	var f queryFields
	r := jsonlite.NewReader(line).Strict()
	for key := range r.UniqueObject() {
		if r.Null() {
			continue
		}
		switch key {
		case "_id":
			f.id = new(idText(r))
		case "text":
			f.text = new(r.Text())
		case "query":
			f.query = new(r.Text())
		case "metadata":
			f.label = labelOf(r)
		case "root":
			f.root = new(r.Text())
		case "perspective":
			f.perspective = new(r.Text())
		case "perspectives":
			f.hasPerspectives = true
			for range r.Array() {
				f.perspectives = append(f.perspectives, r.Text())
			}
		case "query_vector":
			f.queryVector = vectorOf(r)
		case "root_vector":
			f.rootVector = vectorOf(r)
		case "perspective_vectors":
			f.hasPerspectiveRows = true
			for range r.Array() {
				f.perspectiveVectors = append(f.perspectiveVectors, vectorOf(r))
			}
		}
	}
	if err := r.End(); err != nil {
		return Query{}, fmt.Errorf("%w: write one whole object per line", err)
	}
	return f.build(base)
}

// idText parses an id. A number gives its digits.
func idText(r *jsonlite.Reader) string {
	if r.Kind() != jsonlite.Number {
		return r.Text()
	}
	return string(r.Raw())
}

// labelOf parses the field "label" of a query's metadata, which is the kind of its
// perspective. Other fields are ignored.
func labelOf(r *jsonlite.Reader) (label string) {
	if r.Kind() != jsonlite.Object {
		r.Skip()
		return ""
	}
	for key := range r.UniqueObject() {
		if key == "label" && r.Kind() == jsonlite.String {
			label = r.Text()
		}
	}
	return label
}

// vectorOf parses an array of float32 numbers.
func vectorOf(r *jsonlite.Reader) []float32 {
	v := []float32{}
	for range r.Array() {
		n := float32(r.Float64())
		if math.IsInf(float64(n), 0) {
			r.Fail("a number of a vector is beyond the range of float32")
		}
		v = append(v, n)
	}
	return v
}

// build makes a query from the fields.
func (f *queryFields) build(base vantage.Query) (Query, error) {
	q := Query{Query: base}
	switch {
	case f.id == nil:
		return q, errors.New(`no "_id": give every query an id`)
	case f.text != nil && f.query != nil:
		return q, errors.New(`both "text" and "query": keep one of them`)
	case f.perspective != nil && f.hasPerspectives:
		return q, errors.New(`both "perspective" and "perspectives": keep one of them`)
	}
	if why := inputs.BadWord(*f.id); why != "" {
		return q, fmt.Errorf("the id %.80q %s: rename it, a run file has columns between spaces", *f.id, why)
	}
	q.ID, q.Label = *f.id, f.label
	if f.text == nil {
		f.text = f.query
	}
	switch {
	case f.text == nil && f.queryVector == nil:
		return q, errors.New(`neither "text" (or "query") nor "query_vector"`)
	case f.text != nil && *f.text == "" && f.queryVector == nil:
		return q, errors.New("the text is empty")
	case f.queryVector != nil && len(f.queryVector) == 0 || f.rootVector != nil && len(f.rootVector) == 0:
		return q, errors.New("a vector is empty")
	}
	if f.text != nil {
		q.Query.Query.Text = *f.text
	}
	q.Query.Query.Vector = f.queryVector
	if f.rootVector != nil || f.root != nil && *f.root != "" {
		q.Root = &vantage.Text{Vector: f.rootVector}
		if f.root != nil {
			q.Root.Text = *f.root
		}
	}
	if f.perspective != nil && *f.perspective != "" {
		f.perspectives = []string{*f.perspective}
	}
	if err := f.sides(&q); err != nil {
		return q, err
	}
	return q, CheckNeeds(q.Query)
}

// sides adds the perspectives.
func (f *queryFields) sides(q *Query) error {
	n := max(len(f.perspectives), len(f.perspectiveVectors))
	switch {
	case n > perspective.MaxPerspectives:
		return &perspective.TooManyError{Got: n}
	case len(f.perspectives) > 0 && f.hasPerspectiveRows && len(f.perspectives) != len(f.perspectiveVectors):
		return fmt.Errorf("%d perspectives and %d perspective_vectors: give one vector for each", len(f.perspectives), len(f.perspectiveVectors))
	}
	for i := range n {
		var t vantage.Text
		if i < len(f.perspectives) {
			t.Text = f.perspectives[i]
		}
		if i < len(f.perspectiveVectors) {
			t.Vector = f.perspectiveVectors[i]
			if len(t.Vector) == 0 {
				return errors.New("a vector is empty")
			}
		} else if t.Text == "" {
			return errors.New("a perspective is empty")
		}
		q.Perspectives = append(q.Perspectives, t)
	}
	return nil
}

// MissingText names the text that the query lacks beside a vector of its line, such as "root" beside
// "root_vector". It is "" if every part of the query is a text.
func (q *Query) MissingText() string {
	switch {
	case q.Query.Query.Text == "":
		return `"text" beside its "query_vector"`
	case q.Root != nil && q.Root.Text == "":
		return `"root" beside its "root_vector"`
	case slices.ContainsFunc(q.Perspectives, func(p vantage.Text) bool { return p.Text == "" }):
		return `text for each of its "perspective_vectors"`
	}
	return ""
}

// CheckDimensions compares given vectors with those of the collection. If it is one of token vectors, a text may
// have several, one after another.
func (q *Query) CheckDimensions(dim int, tokens bool) error {
	check := func(what string, v []float32) error {
		if v != nil && len(v) != dim && !(tokens && len(v) > 0 && len(v)%dim == 0) {
			return &perspective.DimensionError{What: what, Got: len(v), Want: dim}
		}
		return nil
	}
	if err := check("query_vector", q.Query.Query.Vector); err != nil {
		return err
	}
	if q.Root != nil {
		if err := check("root_vector", q.Root.Vector); err != nil {
			return err
		}
	}
	for i, p := range q.Perspectives {
		if err := check(fmt.Sprintf("perspective_vectors[%d]", i), p.Vector); err != nil {
			return err
		}
	}
	return nil
}

// CheckNeeds returns an error if the query lacks a part that its method needs and that
// is not filled in automatically.
func CheckNeeds(q vantage.Query) error {
	if q.Method == "" || q.Method == vantage.MethodWords {
		return nil
	}
	m, err := perspective.Lookup(q.Method)
	if err != nil {
		return err
	}
	root, sides := q.Root != nil, q.Root != nil || len(q.Perspectives) > 0
	if !sides && q.Query.Vector == nil {
		return nil // the search reads the wording, and knows by which encoder
	}
	switch {
	case m.NeedsPerspective && !sides:
		return &perspective.MissingError{Method: m.Short(), What: "perspective"}
	case m.NeedsRoot && !root:
		return &perspective.MissingError{Method: m.Short(), What: "root"}
	}
	return nil
}

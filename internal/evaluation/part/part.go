// Package part chooses documents of a test collection by their metadata, so that its
// parts can be evaluated separately.
package part

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Part is the documents that meet every condition of one list and none of
// another. The zero Part is all documents.
type Part struct {
	only, without []search.Filter
	text          string
}

// Parse reads conditions in the form of search.ParseFilter.
func Parse(only, without []string) (p Part, err error) {
	var said []string
	parse := func(word string, conditions []string) (filters []search.Filter) {
		for _, text := range conditions {
			f, problem := search.ParseFilter(text)
			if problem != nil && err == nil {
				err = fault.As(fault.Query, problem)
			}
			filters, said = append(filters, f), append(said, word+" "+strings.TrimSpace(text))
		}
		return filters
	}
	p.only, p.without = parse("only", only), parse("without", without)
	p.text = strings.Join(said, ", ")
	return p, err
}

// All reports whether the part is all documents.
func (p *Part) All() bool { return len(p.only)+len(p.without) == 0 }

// String says which documents the part has, such as "only kind=point"; "" if all.
func (p *Part) String() string { return p.text }

// Chooser tells which documents a part has. It keeps the ids of the others.
type Chooser struct {
	part    *Part
	fields  map[string]bool // that documents have
	kept    int
	leftOut map[string]bool
}

// Chooser begins a pass over the documents.
func (p *Part) Chooser() *Chooser {
	return &Chooser{part: p, fields: map[string]bool{}, leftOut: map[string]bool{}}
}

// Has reports whether the part has a document.
func (c *Chooser) Has(d *store.Document) bool {
	if c.part.All() {
		return true
	}
	has := true
	for _, f := range c.part.only {
		has = c.meets(d, &f) && has // each field is noted
	}
	for _, f := range c.part.without {
		has = !c.meets(d, &f) && has
	}
	if has {
		c.kept++
	} else {
		c.leftOut[d.ID] = true
	}
	return has
}

// LeftOut reports whether Has was called for a document that is not in the part.
func (c *Chooser) LeftOut(id string) bool { return c.leftOut[id] }

// Check is called after all documents. It fails if a condition names a field that no
// document has, or if no document is left.
func (c *Chooser) Check() error {
	if c.part.All() {
		return nil
	}
	for _, f := range slices.Concat(c.part.only, c.part.without) {
		if !c.fields[f.Field] {
			return fault.Errorf(fault.Query, "%s: no document has %.80q in its metadata", c.part, f.Field)
		}
	}
	if c.kept == 0 {
		return fault.Errorf(fault.Query, "%s: no document is left: check the values", c.part)
	}
	return nil
}

// meets reports whether a document meets a condition, as in a search: a document that
// lacks the field does not.
func (c *Chooser) meets(d *store.Document, f *search.Filter) bool {
	value, there := d.Metadata[f.Field]
	if !there {
		return false
	}
	c.fields[f.Field] = true
	switch v := value.(type) {
	case string:
		return slices.Contains(f.Values, v)
	case bool:
		return slices.ContainsFunc(f.Values, func(text string) bool {
			b, err := strconv.ParseBool(text)
			return err == nil && b == v
		})
	case json.Number:
		return meetsNumber(v, f)
	}
	return false
}

func meetsNumber(v json.Number, f *search.Filter) bool {
	n, err := v.Float64()
	if err != nil {
		return false
	}
	if len(f.Values) == 0 {
		return (f.Low == nil || n >= *f.Low) && (f.High == nil || n <= *f.High)
	}
	return slices.ContainsFunc(f.Values, func(text string) bool {
		wanted, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		return err == nil && wanted == n
	})
}

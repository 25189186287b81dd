package pireval

import (
	"bytes"
	"encoding/json"
)

// Figures are the values of one measure at the benchmark's cut-offs.
type Figures struct {
	At1  float64 `json:"1"`
	At5  float64 `json:"5"`
	At10 float64 `json:"10"`
}

// depth is the deepest cut-off.
const depth = 10

// figuresOf computes a measure at each cut-off.
func figuresOf(measure func(k int) float64) Figures {
	return Figures{measure(1), measure(5), measure(10)}
}

// Counted are figures and the number of queries that they average over.
type Counted struct {
	N int `json:"n"`
	Figures
}

// Result is the result of one retriever on one task with one method.
type Result struct {
	Retriever                  string        `json:"retriever"`        // filled in by NewReport
	Method                     string        `json:"method,omitempty"` // filled in by NewReport if several runs have it
	N                          int           `json:"n"`                // queries
	Recall                     Recall        `json:"recall"`
	PRecall                    Figures       `json:"p_recall"`
	PRecallNotebook            Figures       `json:"p_recall_notebook"`
	PRecallByUniquePerspective Figures       `json:"p_recall_by_unique_perspective"`
	Root                       Counted       `json:"root"` // Recall of the root queries, which ask for any perspective
	Bias                       Ordered[Bias] `json:"bias"` // bias of the root queries, by label
	Locations                  *Locations    `json:"locations,omitempty"`
	Unanswered                 int           `json:"unanswered,omitempty"` // queries that the method cannot answer; they count as missed
}

// Recall is Recall@k, the share of the queries with a gold text among the first k.
type Recall struct {
	Overall  Figures          `json:"overall"`
	Macro    Figures          `json:"macro"`
	PerLabel Ordered[Counted] `json:"per_label"`
}

// Ordered is a JSON object whose members keep their order.
type Ordered[V any] []Member[V]

// Member is a member of an object.
type Member[V any] struct {
	Name  string
	Value V
}

// Get returns the member with a name, nil if there is none.
func (o Ordered[V]) Get(name string) *V {
	for i := range o {
		if o[i].Name == name {
			return &o[i].Value
		}
	}
	return nil
}

// MarshalJSON writes a JSON object.
func (o Ordered[V]) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.Value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

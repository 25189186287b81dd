package sides

import (
	"fmt"

	"github.com/vantage-search/vantage/internal/wasm/stance"
)

// Side is the side of a text towards a root, as judged by people.
type Side = stance.Side

// The sides. Neither means that the text does not decide.
const (
	Against = stance.Against
	Neither = stance.Neither
	For     = stance.For
)

// Set is a data set: roots, and texts with their sides.
type Set struct {
	Texts []string // without repetitions
	Roots []Root
}

// Root is what texts are for or against.
type Root struct {
	Text   string
	Labels []Label // without repetitions
}

// Label is the side of a text, which is given by its index in Set.Texts. A text may have
// several labels if judgements differ.
type Label struct {
	Text int
	Side Side
}

// maxLabels bounds the memory and the time that a data set takes.
const maxLabels = 1 << 20

// builder collects a set. Equal texts become one.
type builder struct {
	set    Set
	texts  map[string]int
	labels map[label]bool
	most   int // greatest number of labels
}

type label struct {
	root int
	Label
}

func newBuilder() *builder {
	return &builder{texts: map[string]int{}, labels: map[label]bool{}, most: maxLabels}
}

// root adds a root and returns its number.
func (b *builder) root(text string) int {
	b.set.Roots = append(b.set.Roots, Root{Text: text})
	return len(b.set.Roots) - 1
}

// add gives a text a side towards a root.
func (b *builder) add(root int, text string, side Side) error {
	number, known := b.texts[text]
	if !known {
		number = len(b.set.Texts)
		b.set.Texts = append(b.set.Texts, text)
		b.texts[text] = number
	}
	l := label{root, Label{number, side}}
	if b.labels[l] {
		return nil
	}
	if len(b.labels) == b.most {
		return fmt.Errorf("more than %d judgements: measure a part of the data set", b.most)
	}
	b.labels[l] = true
	r := &b.set.Roots[root]
	r.Labels = append(r.Labels, l.Label)
	return nil
}

// built returns the set, or an error if no text is for or against a root. name is the
// file's name, and hint says what is expected of the file.
func (b *builder) built(name, hint string) (*Set, error) {
	if b.set.count(For)+b.set.count(Against) == 0 {
		return nil, fmt.Errorf("%s: no text is for or against anything: %s", name, hint)
	}
	return &b.set, nil
}

// count returns the number of labels with the given side.
func (s *Set) count(side Side) (n int) {
	for i := range s.Roots {
		n += s.Roots[i].count(side)
	}
	return n
}

func (r *Root) count(side Side) (n int) {
	for _, l := range r.Labels {
		if l.Side == side {
			n++
		}
	}
	return n
}

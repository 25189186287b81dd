package sides

import (
	"context"
	"fmt"
	"math"

	"github.com/vantage-search/vantage/internal/evaluation/report"
)

// OtherSides says how often the other side of a text is found. It considers each text h that is
// for or against a root with texts on both sides, and ranks all other texts c of the data set.
// h counts as a success if the first of these belongs to the same root and is on the other
// side. The figures are the shares of successes. With t for topics, a for angles, and u
// and v for the angles of the queries for and against the root, the ranking is by
// cos(t(h), t(c)) plus what the comment of the field says (see search.Collection.OtherSide).
type OtherSides struct {
	Texts    int          `json:"texts"`     // number of texts h
	Chance   float64      `json:"chance"`    // the share to expect if the first text is a random one of the same root
	Topic    float64      `json:"topic"`     // plus nothing
	WithRoot []AtStrength `json:"with_root"` // ± β (u − v)·a(c), only texts on the subject with the other sign
	Without  []AtStrength `json:"without"`   // − γ cos(a(h), a(c))
}

// AtStrength is a share at a strength.
type AtStrength struct {
	Strength float64 `json:"strength"`
	Share    float64 `json:"share"`
}

var (
	otherStrengths = []float64{.1, .2, .4, .8, 1.6}
	farStrengths   = []float64{.1, .25, .5, .75, 1}
)

// otherSides computes the shares, one root after the other. It returns nil if no root has texts
// on both sides.
func otherSides(ctx context.Context, s *Set, v *vectors, subject float64) (*OtherSides, error) {
	out := &OtherSides{}
	for _, beta := range otherStrengths {
		out.WithRoot = append(out.WithRoot, AtStrength{Strength: beta})
	}
	for _, gamma := range farStrengths {
		out.Without = append(out.Without, AtStrength{Strength: gamma})
	}
	cosines, slants, near, far := make([]float64, len(s.Texts)), make([]float64, len(s.Texts)), make([]float64, len(s.Texts)), make([]float64, len(s.Texts))
	for i := range s.Roots {
		root := &s.Roots[i]
		if root.count(For) == 0 || root.count(Against) == 0 {
			continue
		}
		v.score(i, cosines, slants)
		for _, l := range root.Labels {
			if l.Side == Neither {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			v.around(l.Text, near, far)
			out.Texts++
			others := root.others(l)
			out.Chance += float64(len(others)) / float64(len(root.Labels)-1)
			add := func(share *float64, score func(c int) float64) {
				if others[first(len(near), l.Text, score)] {
					*share++
				}
			}
			add(&out.Topic, func(c int) float64 { return near[c] })
			for j := range out.WithRoot {
				at := &out.WithRoot[j]
				add(&at.Share, func(c int) float64 {
					if slants[c]*slants[l.Text] >= 0 || cosines[c] < subject {
						return math.Inf(-1)
					}
					return near[c] + at.Strength*math.Abs(slants[c])
				})
			}
			for j := range out.Without {
				at := &out.Without[j]
				add(&at.Share, func(c int) float64 { return near[c] - at.Strength*far[c] })
			}
		}
	}
	if out.Texts == 0 {
		return nil, nil
	}
	n := float64(out.Texts)
	out.Chance /= n
	out.Topic /= n
	for _, list := range [][]AtStrength{out.WithRoot, out.Without} {
		for j := range list {
			list[j].Share /= n
		}
	}
	return out, nil
}

// others returns the root's texts on the side opposite to that of a label.
func (r *Root) others(l Label) map[int]bool {
	out := map[int]bool{}
	for _, other := range r.Labels {
		if other.Side == -l.Side {
			out[other.Text] = true
		}
	}
	return out
}

// first returns the text with the highest score that is not the text with the number except. If
// several are equal, it is the first of them. It is -1 if all scores are -Inf.
func first(texts, except int, score func(c int) float64) int {
	best, found := math.Inf(-1), -1
	for c := range texts {
		if c == except {
			continue
		}
		if x := score(c); x > best {
			best, found = x, c
		}
	}
	return found
}

// around writes the cosines of a text's topic and angle with those of all texts.
func (v *vectors) around(text int, topics, angles []float64) {
	cosine := func(a, b []float32, lengths float64) float64 {
		if lengths == 0 {
			return 0
		}
		return dot(a, b) / lengths
	}
	for c := range v.topics {
		topics[c] = cosine(v.topics[text], v.topics[c], v.lengths[text]*v.lengths[c])
		angles[c] = dot(v.angles[text], v.angles[c])
	}
}

// table lays out the figures.
func (o *OtherSides) table(dataset, model string) report.Table {
	t := report.Table{Name: "otherside", Stub: "first text by", Caption: fmt.Sprintf("The other side: %s, %d texts, %s", dataset, o.Texts, model),
		Columns: []report.Column{{Name: "right", Decimals: 4}},
		Notes: []string{
			"The first of all other texts is right if it belongs to the same root and is on the other side.",
			"With the root: topic + β·|slant|, of texts on the root's subject whose slant has the other sign. Without: topic − γ·cosine of the angles. Nothing is encoded for either.",
		}}
	row := func(label string, share float64) {
		t.Rows = append(t.Rows, report.Row{Label: label, Cells: []report.Cell{report.Figure(share)}})
	}
	row("chance, among the texts of the root", o.Chance)
	row("topic alone", o.Topic)
	for _, at := range o.WithRoot {
		row(fmt.Sprintf("with the root, β = %g", at.Strength), at.Share)
	}
	for _, at := range o.Without {
		row(fmt.Sprintf("without the root, γ = %g", at.Strength), at.Share)
	}
	return t
}

package sides

import (
	"context"
	"math"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model/packmodel"
)

// Supporting and Opposing go before a root to ask for texts that are for it and against
// it.
const (
	Supporting = "Find a claim that supports the argument: "
	Opposing   = "Find a claim that opposes the argument: "
)

// vectors of a data set.
type vectors struct {
	roots       [][]float32 // topic of each root
	differences [][]float64 // u − v of each root: angle of its query for, less that of its query against
	topics      [][]float32 // of each text
	angles      [][]float32
	truncated   int // texts that were longer than the model's limit
}

// portion is how many texts are encoded between two looks at the progress.
const portion = 64

// encode encodes a data set: roots as queries, texts as documents.
func encode(ctx context.Context, e *packmodel.Encoder, s *Set, progress func(done, total int64)) (*vectors, error) {
	var plain, supporting, opposing []string
	for _, r := range s.Roots {
		plain, supporting, opposing = append(plain, r.Text), append(supporting, Supporting+r.Text), append(opposing, Opposing+r.Text)
	}
	done, total := 0, 3*len(s.Roots)+len(s.Texts)
	v := &vectors{}
	all := func(texts []string, role encoder.Role, parts packmodel.Parts, use func(packmodel.Vectors)) error {
		for len(texts) > 0 {
			some := texts[:min(portion, len(texts))]
			texts = texts[len(some):]
			found, err := e.EncodeParts(ctx, some, encoder.Options{Role: role}, parts)
			if err != nil {
				return err
			}
			for _, x := range found {
				use(x)
			}
			done += len(some)
			progress(int64(done), int64(total))
		}
		return nil
	}
	if err := all(plain, encoder.Query, packmodel.Trunk, func(x packmodel.Vectors) { v.roots = append(v.roots, x.Trunk) }); err != nil {
		return nil, err
	}
	if err := all(supporting, encoder.Query, packmodel.Branch, func(x packmodel.Vectors) {
		d := make([]float64, len(x.Branch))
		for i, u := range x.Branch {
			d[i] = float64(u)
		}
		v.differences = append(v.differences, d)
	}); err != nil {
		return nil, err
	}
	root := 0
	if err := all(opposing, encoder.Query, packmodel.Branch, func(x packmodel.Vectors) {
		for i, against := range x.Branch {
			v.differences[root][i] -= float64(against)
		}
		root++
	}); err != nil {
		return nil, err
	}
	err := all(s.Texts, encoder.Document, packmodel.Trunk|packmodel.Branch, func(x packmodel.Vectors) {
		v.topics, v.angles = append(v.topics, x.Trunk), append(v.angles, x.Branch)
		if x.Truncated {
			v.truncated++
		}
	})
	return v, err
}

// score writes a root's cosines with all texts, and their scores d·c.
func (v *vectors) score(root int, cosines, scores []float64) {
	r, d := v.roots[root], v.differences[root]
	for i, topic := range v.topics {
		cosines[i] = cosine(r, topic)
		sum := 0.0
		for j, c := range v.angles[i] {
			sum += float64(d[j] * float64(c))
		}
		scores[i] = sum
	}
}

// cosine of two vectors, 0 if one of them is 0.
func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i, x := range a {
		x, y := float64(x), float64(b[i])
		ab += float64(x * y)
		aa += float64(x * x)
		bb += float64(y * y)
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

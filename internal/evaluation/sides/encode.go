package sides

import (
	"context"
	"math"

	"github.com/vantage-search/vantage/internal/claim"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/stance"
)

// Supporting and Opposing are put before a root, to ask for texts that are for it or against
// it, if the pack has no wordings of its own.
const (
	Supporting = "Find a claim that supports the argument: "
	Opposing   = "Find a claim that opposes the argument: "
)

// wordings returns the wordings of a pack, or else the standard ones.
func wordings(texts map[string][]string) map[string][]string {
	if len(texts[search.For]) > 0 && len(texts[search.Against]) > 0 {
		return texts
	}
	return map[string][]string{search.For: {Supporting}, search.Against: {Opposing}}
}

// vectors are those of a data set.
type vectors struct {
	roots       [][]float32 // topic of each root
	differences [][]float64 // u − v of each root: angle of its query for, less that of its query against
	topics      [][]float32 // of each text
	lengths     []float64   // of the topics
	angles      [][]float32
	truncated   int // texts that were longer than the model's limit
}

// portion is the number of texts that are encoded between two reports of progress.
const portion = 64

// encode encodes a data set: roots as queries, texts as documents.
func encode(ctx context.Context, e *packmodel.Encoder, s *Set, progress func(done, total int64)) (*vectors, error) {
	_, texts := e.Tables()
	texts = wordings(texts)
	var plain, supporting, opposing []string
	for _, r := range s.Roots {
		plain = append(plain, r.Text)
		supporting, opposing = append(supporting, claim.Asking(texts, stance.For, r.Text)), append(opposing, claim.Asking(texts, stance.Against, r.Text))
	}
	done, total := 0, 3*len(s.Roots)+len(s.Texts)
	v := &vectors{}
	all := func(texts []string, role encoder.Role, parts encoder.Parts, use func(encoder.PartVectors)) error {
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
	if err := all(plain, encoder.Query, encoder.Trunk, func(x encoder.PartVectors) { v.roots = append(v.roots, x.Trunk) }); err != nil {
		return nil, err
	}
	if err := all(supporting, encoder.Query, encoder.Branch, func(x encoder.PartVectors) {
		d := make([]float64, len(x.Branch))
		for i, u := range x.Branch {
			d[i] = float64(u)
		}
		v.differences = append(v.differences, d)
	}); err != nil {
		return nil, err
	}
	root := 0
	if err := all(opposing, encoder.Query, encoder.Branch, func(x encoder.PartVectors) {
		for i, against := range x.Branch {
			v.differences[root][i] -= float64(against)
		}
		root++
	}); err != nil {
		return nil, err
	}
	err := all(s.Texts, encoder.Document, encoder.Trunk|encoder.Branch, func(x encoder.PartVectors) {
		v.topics, v.angles = append(v.topics, x.Trunk), append(v.angles, x.Branch)
		v.lengths = append(v.lengths, math.Sqrt(dot(x.Trunk, x.Trunk)))
		if x.Truncated {
			v.truncated++
		}
	})
	return v, err
}

// score writes the cosines of a root with all texts, and the texts' scores d·c.
func (v *vectors) score(root int, cosines, scores []float64) {
	r, d := v.roots[root], v.differences[root]
	length := math.Sqrt(dot(r, r))
	for i, topic := range v.topics {
		cosines[i] = 0 // it stays 0 for a text without tokens
		if both := length * v.lengths[i]; both > 0 {
			cosines[i] = dot(r, topic) / both
		}
		sum := 0.0
		for j, c := range v.angles[i] {
			sum += float64(d[j] * float64(c))
		}
		scores[i] = sum
	}
}

func dot(a, b []float32) (sum float64) {
	for i, x := range a {
		sum += float64(x) * float64(b[i]) // the product is exact
	}
	return sum
}

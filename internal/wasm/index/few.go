package index

import (
	"math"

	"github.com/vantage-search/vantage/internal/wasm/kernel"
)

// addFew adds the parts of the angles to the scores of the rows first, first+1, … if the angles of
// only a few rows can lift them to b.floor. It reads no others: those rows keep their scores, which are
// below the floor. Otherwise it does nothing and returns false.
func (l *slant) addFew(b *block, first int, scores []float32) bool {
	if b.floor == lowest {
		return false
	}
	// An angle adds its cosine times the length of l at most, and no more than l.most. Products and inverse lengths are rounded
	// to float32; the thousandth is far more than all their errors.
	most := l.vector.length()
	if float64(l.most) < most {
		most = float64(l.most)
	}
	reach := 1.001*most + 1e-6*math.Abs(float64(b.floor))
	few := b.index[:kernel.Select(b.index, scores, float32(float64(b.floor)-reach))]
	// A row's angle by itself costs as much as twenty that follow each other in memory.
	if len(few) > len(scores)/64 {
		return false
	}
	for _, i := range few {
		l.products(first+int(i), b.y[:1])
		l.add(first+int(i), b.y[:1], scores[i:i+1])
	}
	return true
}

// length is the length of the vector as stored.
func (o *operand) length() float64 {
	squares := float64(kernel.DotF32(o.f32, o.f32))
	for _, v := range o.i8.Q {
		component := float64(v) * float64(o.i8.Scale)
		squares += component * component
	}
	return math.Sqrt(squares)
}

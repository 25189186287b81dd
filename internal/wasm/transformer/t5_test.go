package transformer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
)

// made is a checkpoint of random tensors.
type made map[string]struct {
	values []float32
	shape  []int
}

func (m made) Tensor(name string) ([]float32, []int, bool) {
	t, ok := m[name]
	return t.values, t.shape, ok
}

func (m made) add(r *rand.Rand, name string, scale float64, shape ...int) {
	n := 1
	for _, d := range shape {
		n *= d
	}
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(scale * r.NormFloat64())
	}
	m[name] = struct {
		values []float32
		shape  []int
	}{values, shape}
}

func madeT5(r *rand.Rand, c T5Config) made {
	m := made{}
	inner := c.Heads * c.HeadSize
	m.add(r, "shared.weight", 1, c.Vocabulary, c.Hidden)
	m.add(r, "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 1, c.Buckets, c.Heads)
	m.add(r, "encoder.final_layer_norm.weight", 1, c.Hidden)
	for i := range c.Layers {
		at := fmt.Sprintf("encoder.block.%d.layer.", i)
		for _, name := range []string{"q", "k", "v"} {
			m.add(r, at+"0.SelfAttention."+name+".weight", .2, inner, c.Hidden)
		}
		m.add(r, at+"0.SelfAttention.o.weight", .2, c.Hidden, inner)
		m.add(r, at+"0.layer_norm.weight", 1, c.Hidden)
		m.add(r, at+"1.layer_norm.weight", 1, c.Hidden)
		if c.Gated {
			m.add(r, at+"1.DenseReluDense.wi_0.weight", .2, c.Intermediate, c.Hidden)
			m.add(r, at+"1.DenseReluDense.wi_1.weight", .2, c.Intermediate, c.Hidden)
		} else {
			m.add(r, at+"1.DenseReluDense.wi.weight", .2, c.Intermediate, c.Hidden)
		}
		m.add(r, at+"1.DenseReluDense.wo.weight", .2, c.Hidden, c.Intermediate)
	}
	return m
}

// The forward pass against its definition in float64, for both kinds of feed
// forward network.
func TestT5(t *testing.T) {
	for _, gated := range []bool{false, true} {
		r := rand.New(rand.NewPCG(1, 2))
		c := T5Config{50, 24, 2, 3, 10, 40, 32, 128, 1e-6, dense.ReLU, gated, false}
		act := func(x float64) float64 { return max(0, x) }
		if gated {
			c.Activation = dense.GELUTanh
			act = func(x float64) float64 { return x / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x))) }
		}
		tensors := madeT5(r, c)
		m, err := NewT5(c, tensors)
		if err != nil {
			t.Fatal(err)
		}
		pool := dense.NewPool(2)
		s := &Scratch{Pool: pool}
		var b Batch
		for _, n := range []int{1, 7, 33, 150} {
			for range n {
				b.IDs = append(b.IDs, uint32(r.IntN(c.Vocabulary)))
			}
			b.Lengths = append(b.Lengths, n)
		}
		out := make([]float32, len(b.IDs)*c.Hidden)
		if err := m.Forward(out, &b, s); err != nil {
			t.Fatal(err)
		}
		pool.Close()
		at := 0
		for _, n := range b.Lengths {
			want := naiveT5(c, tensors, b.IDs[at:at+n], act)
			for i := range n {
				for j := range c.Hidden {
					if got := float64(out[(at+i)*c.Hidden+j]); approx.Apart(got, want[i][j], 1e-4*(1+math.Abs(want[i][j]))) {
						t.Fatalf("gated %v, %d tokens: token %d, component %d is %v, want %v", gated, n, i, j, got, want[i][j])
					}
				}
			}
			at += n
		}
	}
}

func naiveT5(c T5Config, tensors made, ids []uint32, act func(float64) float64) [][]float64 {
	inner := c.Heads * c.HeadSize
	linear := func(name string, x []float64, out int) []float64 {
		w, y := tensors[name+".weight"].values, make([]float64, out)
		for o := range y {
			for i, v := range x {
				y[o] += v * float64(w[o*len(x)+i])
			}
		}
		return y
	}
	norm := func(name string, x []float64) []float64 {
		g, y, squares := tensors[name+".weight"].values, make([]float64, len(x)), 0.0
		for _, v := range x {
			squares += v * v
		}
		for i, v := range x {
			y[i] = v / math.Sqrt(squares/float64(len(x))+float64(c.Epsilon)) * float64(g[i])
		}
		return y
	}
	x := make([][]float64, len(ids))
	for i, id := range ids {
		for _, v := range tensors["shared.weight"].values[int(id)*c.Hidden:][:c.Hidden] {
			x[i] = append(x[i], float64(v))
		}
	}
	relative := tensors["encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"].values
	for l := range c.Layers {
		at := fmt.Sprintf("encoder.block.%d.layer.", l)
		q, k, v := make([][]float64, len(x)), make([][]float64, len(x)), make([][]float64, len(x))
		for i := range x {
			y := norm(at+"0.layer_norm", x[i])
			q[i], k[i], v[i] = linear(at+"0.SelfAttention.q", y, inner), linear(at+"0.SelfAttention.k", y, inner), linear(at+"0.SelfAttention.v", y, inner)
		}
		for i := range x {
			attended := make([]float64, inner)
			for h := range c.Heads {
				weights, sum := make([]float64, len(x)), 0.0
				for j := range x {
					score := float64(relative[wantBucket(j-i)*c.Heads+h])
					for d := range c.HeadSize {
						score += q[i][h*c.HeadSize+d] * k[j][h*c.HeadSize+d]
					}
					weights[j] = math.Exp(score)
					sum += weights[j]
				}
				for j, w := range weights {
					for d := range c.HeadSize {
						attended[h*c.HeadSize+d] += w / sum * v[j][h*c.HeadSize+d]
					}
				}
			}
			for j, y := range linear(at+"0.SelfAttention.o", attended, c.Hidden) {
				x[i][j] += y
			}
		}
		for i := range x {
			y := norm(at+"1.layer_norm", x[i])
			var wide []float64
			if c.Gated {
				wide = linear(at+"1.DenseReluDense.wi_0", y, c.Intermediate)
				gate := linear(at+"1.DenseReluDense.wi_1", y, c.Intermediate)
				for j := range wide {
					wide[j] = act(wide[j]) * gate[j]
				}
			} else {
				wide = linear(at+"1.DenseReluDense.wi", y, c.Intermediate)
				for j := range wide {
					wide[j] = act(wide[j])
				}
			}
			for j, y := range linear(at+"1.DenseReluDense.wo", wide, c.Hidden) {
				x[i][j] += y
			}
		}
	}
	for i := range x {
		x[i] = norm("encoder.final_layer_norm", x[i])
	}
	return x
}

// wantBucket is the definition for 32 buckets and a greatest distance of 128 in
// whole numbers: of the 16 buckets of one direction, 8 hold one distance each,
// and distance n from 8 on belongs to 8 + floor(2·log2(n/8)).
func wantBucket(distance int) int {
	first := 0
	if distance > 0 {
		first = 16
	} else {
		distance = -distance
	}
	if distance < 8 {
		return first + distance
	}
	i := 0
	for i < 7 && distance*distance >= 64<<(i+1) { // n² >= 64·2^(i+1)
		i++
	}
	return first + 8 + i
}

func TestBuckets(t *testing.T) {
	r := Relative{32, 128}
	for d := -600; d <= 600; d++ {
		if got, want := r.Bucket(d), wantBucket(d); got != want {
			t.Errorf("distance %d is in bucket %d, want %d", d, got, want)
		}
	}
}

package xla

import (
	"math"

	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/shapes"

	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// none is the number of a weight that a model lacks.
const none = -1

// linear is a linear layer [out, in], given by the numbers of its weights.
type linear struct{ w, bias int }

// norm is a layer norm, or an RMS norm if it has no beta.
type norm struct {
	gamma, beta int
	epsilon     float32
}

func (u *uploader) linear(r *transformer.Reader, out, in int, names ...string) linear {
	w, bias := r.Weights(out, in, names...)
	if r.Err() != nil {
		return linear{none, none}
	}
	l := linear{u.tensor(w, len(names)*out, in), none}
	if bias != nil {
		l.bias = u.tensor(bias, len(bias))
	}
	return l
}

func (u *uploader) norm(r *transformer.Reader, name string, n int, epsilon float32) norm {
	l := r.Norm(name, n, epsilon)
	if r.Err() != nil {
		return norm{}
	}
	return norm{u.tensor(l.Gamma, n), u.tensor(l.Beta, n), epsilon}
}

// table reads and uploads one tensor.
func (u *uploader) table(r *transformer.Reader, name string, rows, columns int) int {
	values := r.Tensor(name, rows, columns)
	if r.Err() != nil {
		return none
	}
	return u.tensor(values, rows, columns)
}

// relative reads and uploads a table of relative positions, whose numbers must be finite, because
// softmax would hide an infinity.
func (u *uploader) relative(r *transformer.Reader, name string, buckets, heads int) int {
	values, _ := r.Weights(buckets, heads, name)
	if r.Err() != nil {
		return none
	}
	return u.tensor(values, buckets, heads)
}

// builder builds the graph of one shape.
type builder struct {
	g       *graph.Graph
	compute dtypes.DType // type of the matrix products' operands
	weights []*graph.Node
}

// short converts to the type of the matrix products' operands. long converts back.
func (b *builder) short(x *graph.Node) *graph.Node { return graph.ConvertDType(x, b.compute) }
func (b *builder) long(x *graph.Node) *graph.Node  { return graph.ConvertDType(x, dtypes.Float32) }

// dot is a matrix product with XLA's defaults: those of bfloat16 operands have sums in
// float32. GoMLX would request the same, but in a way that depends on the plugin's name.
func dot(x, y *graph.Node) *graph.DotBuilder {
	return graph.Dot(x, y).WithAccumulatorDType(dtypes.InvalidDType)
}

// linear applies a layer to the last axis of x; the output is of f32.
func (b *builder) linear(l linear, x *graph.Node) *graph.Node {
	y := b.long(dot(b.short(x), b.weights[l.w]).General([]int{x.Rank() - 1}, nil, []int{1}, nil))
	if l.bias != none {
		y = graph.Add(y, graph.ExpandLeftToRank(b.weights[l.bias], y.Rank()))
	}
	return y
}

// rows looks up rows of a table: ids [batch, length] → [batch, length, width].
func (b *builder) rows(table int, ids *graph.Node) *graph.Node {
	return b.long(graph.Gather(b.weights[table], graph.ExpandAxes(ids, -1)))
}

// positions are rows of a table from the first on, for every text.
func (b *builder) positions(table, first int, x *graph.Node) *graph.Node {
	rows := graph.Slice(b.weights[table], graph.AxisRange(first, first+x.Shape().Dim(1)))
	return graph.ExpandLeftToRank(b.long(rows), x.Rank())
}

// relative is the bias of the attention by distance: [1, heads, length, length].
func (b *builder) relative(table int, r transformer.Relative, length int) *graph.Node {
	buckets := make([]int32, 2*length-1) // buckets of the distances from -length+1 on
	for i := range buckets {
		buckets[i] = int32(r.Bucket(i - length + 1))
	}
	square := shapes.Make(dtypes.Int32, length, length)
	distance := graph.AddScalar(graph.Sub(graph.Iota(b.g, square, 1), graph.Iota(b.g, square, 0)), float64(length-1))
	byDistance := graph.Gather(b.weights[table], graph.ExpandAxes(graph.Const(b.g, buckets), -1))
	bias := graph.Gather(byDistance, graph.ExpandAxes(distance, -1)) // [length, length, heads]
	return graph.ExpandAxes(b.long(graph.TransposeAllAxes(bias, 2, 0, 1)), 0)
}

func (b *builder) norm(n norm, x *graph.Node) *graph.Node {
	x = graph.Sub(x, graph.ReduceAndKeep(x, graph.ReduceMean, -1))
	return graph.Add(b.scaled(n, x), graph.ExpandLeftToRank(b.weights[n.beta], x.Rank()))
}

// scaled is the norm by the root mean square.
func (b *builder) scaled(n norm, x *graph.Node) *graph.Node {
	variance := graph.ReduceAndKeep(graph.Square(x), graph.ReduceMean, -1)
	x = graph.Mul(x, graph.Rsqrt(graph.AddScalar(variance, float64(n.epsilon))))
	return graph.Mul(x, graph.ExpandLeftToRank(b.weights[n.gamma], x.Rank()))
}

// far replaces the scores of masked tokens. e^far is 0, and unlike -Inf, far minus far is a number.
const far = -1e9

// attend is attention of several heads. qkv is [batch, length, 3·heads·dim], mask
// [batch, length] says which keys exist, bias [1, heads, length, length] is added to
// the scores unless it is nil.
func (b *builder) attend(qkv, mask, bias *graph.Node, heads, dim int, scale float64, causal bool) *graph.Node {
	n, length := qkv.Shape().Dim(0), qkv.Shape().Dim(1)
	part := func(i int) *graph.Node {
		x := graph.Slice(qkv, graph.AxisRange(), graph.AxisRange(), graph.AxisRange(i*heads*dim, (i+1)*heads*dim))
		return graph.Reshape(x, n, length, heads, dim)
	}
	q, k, v := b.short(graph.MulScalar(part(0), scale)), b.short(part(1)), b.short(part(2))
	// [batch, heads, query, key]; rounding large scores would change weights by several
	// percent
	scores := dot(q, k).WithOutputDType(dtypes.Float32).General([]int{3}, []int{0, 2}, []int{3}, []int{0, 2})
	if bias != nil {
		scores = graph.Add(scores, bias)
	}
	seen := graph.ExpandAxes(mask, 1, 2)
	seen = graph.BroadcastToDims(seen, n, heads, length, length)
	if causal {
		query := graph.Iota(b.g, scores.Shape().Clone(), 2)
		key := graph.Iota(b.g, scores.Shape().Clone(), 3)
		seen = graph.And(seen, graph.LessOrEqual(key, query))
	}
	weights := graph.Softmax(graph.Where(seen, scores, graph.BroadcastToDims(graph.Scalar(b.g, dtypes.Float32, far), n, heads, length, length)), -1)
	attended := dot(b.short(weights), v).General([]int{3}, []int{0, 1}, []int{1}, []int{0, 2}) // [batch, heads, query, dim]
	return b.long(graph.Reshape(graph.TransposeAllAxes(attended, 0, 2, 1, 3), n, length, heads*dim))
}

func activate(a dense.Activation, x *graph.Node) *graph.Node {
	switch a {
	case dense.GELU:
		return graph.Mul(graph.MulScalar(x, .5), graph.AddScalar(graph.Erf(graph.MulScalar(x, math.Sqrt2/2)), 1))
	case dense.GELUTanh:
		inner := graph.Mul(x, graph.AddScalar(graph.MulScalar(graph.Square(x), 0.044715), 1))
		return graph.Mul(graph.MulScalar(x, .5), graph.AddScalar(graph.Tanh(graph.MulScalar(inner, math.Sqrt(2/math.Pi))), 1))
	case dense.ReLU:
		return graph.Max(x, graph.ZerosLike(x))
	case dense.Tanh:
		return graph.Tanh(x)
	case dense.SiLU:
		return graph.Mul(x, graph.Logistic(x))
	}
	return x
}

// pool pools a text's hidden states in each of the ways: from [batch, length, width] to
// [batch, poolings, width].
func (b *builder) pool(hidden, mask, position, lengths, skip *graph.Node, poolings []model.Pooling) *graph.Node {
	last := graph.AddScalar(lengths, -1)
	first := graph.Min(skip, last) // if a prompt alone fills the text, its last token counts
	counts := graph.And(mask, graph.GreaterOrEqual(position, graph.ExpandAxes(first, -1)))
	var parts []*graph.Node
	for _, p := range poolings {
		var v *graph.Node
		switch p {
		case model.Pooler:
			v = b.sum(hidden, graph.Equal(position, graph.ZerosLike(position)), nil)
		case model.CLS:
			v = b.sum(hidden, graph.Equal(position, graph.ExpandAxes(first, -1)), nil)
		case model.Last:
			v = b.sum(hidden, graph.Equal(position, graph.ExpandAxes(last, -1)), nil)
		case model.Max:
			v = graph.ReduceMax(b.where(counts, hidden, math.Inf(-1)), 1)
		default:
			weights := b.long(counts)
			if p == model.Weighted {
				weights = graph.Mul(weights, b.long(graph.AddScalar(position, 1)))
			}
			total := graph.ReduceAndKeep(weights, graph.ReduceSum, 1)
			if p == model.RootMean {
				total = graph.Sqrt(total)
			}
			v = graph.Div(b.sum(hidden, counts, weights), total)
		}
		parts = append(parts, graph.ExpandAxes(v, 1))
	}
	return graph.Concatenate(parts, 1)
}

// where keeps only the hidden states of chosen tokens [batch, length].
func (b *builder) where(chosen, hidden *graph.Node, instead float64) *graph.Node {
	all := graph.BroadcastToDims(graph.ExpandAxes(chosen, -1), hidden.Shape().Dimensions...)
	return graph.Where(all, hidden, graph.BroadcastToShape(graph.Scalar(b.g, dtypes.Float32, instead), hidden.Shape()))
}

// sum is the weighted sum of the hidden states of chosen tokens.
func (b *builder) sum(hidden, chosen, weights *graph.Node) *graph.Node {
	x := b.where(chosen, hidden, 0)
	if weights != nil {
		x = graph.Mul(x, graph.ExpandAxes(weights, -1))
	}
	return graph.ReduceSum(x, 1)
}

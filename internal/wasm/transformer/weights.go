package transformer

import (
	"errors"
	"slices"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
)

// A MissingError names a tensor that a checkpoint lacks.
type MissingError struct{ Name string }

func (e *MissingError) Error() string {
	return "the checkpoint has no tensor " + strconv.Quote(e.Name) + ": it is of another architecture than its configuration says, or incomplete"
}

// Is reports the kind of fault: input.
func (e *MissingError) Is(target error) bool { return target == fault.Input }

// A ShapeError is a tensor of another shape than the configuration asks for.
type ShapeError struct {
	Name      string
	Got, Want []int
}

func (e *ShapeError) Error() string {
	return "tensor " + strconv.Quote(e.Name) + " is " + shapeText(e.Got) + ", the configuration asks for " + shapeText(e.Want)
}

// Is reports the kind of fault: input.
func (e *ShapeError) Is(target error) bool { return target == fault.Input }

// A NonFiniteError is a NaN or an infinity in the weights of a layer. In the vectors it may not show: the softmax of attention
// swallows it, and then they are wrong.
type NonFiniteError struct {
	Name  string
	Index int // of the first such number
	Value float32
}

func (e *NonFiniteError) Error() string {
	return "number " + strconv.Itoa(e.Index) + " of tensor " + strconv.Quote(e.Name) + " is " + strconv.FormatFloat(float64(e.Value), 'g', -1, 32) +
		": the file is damaged, or its training has failed: use another"
}

// Is reports the kind of fault: input.
func (e *NonFiniteError) Is(target error) bool { return target == fault.Input }

func shapeText(shape []int) string {
	s := "["
	for i, n := range shape {
		if i > 0 {
			s += " × "
		}
		s += strconv.Itoa(n)
	}
	return s + "]"
}

// Reader reads tensors below a prefix and keeps the errors, so that they
// are reported together.
type Reader struct {
	t      Tensors
	prefix string
	int8   bool // layers are rounded to 8 bits
	errs   []error
}

// NewReader finds the prefix under which a checkpoint keeps a tensor that every
// model of the architecture has.
func NewReader(t Tensors, known string, prefixes ...string) *Reader {
	for _, prefix := range prefixes {
		if _, _, ok := t.Tensor(prefix + known); ok {
			return &Reader{t: t, prefix: prefix}
		}
	}
	return &Reader{t: t}
}

// Err joins all errors so far.
func (r *Reader) Err() error { return errors.Join(r.errs...) }

// Hopeless reports that so much is missing that there is no point in reading on:
// a hostile configuration may ask for any number of layers.
func (r *Reader) Hopeless() bool { return len(r.errs) > 50 }

// Has reports whether there is a tensor.
func (r *Reader) Has(name string) bool {
	_, _, ok := r.t.Tensor(r.prefix + name)
	return ok
}

// Find returns a tensor of any shape below the prefix, or false.
func (r *Reader) Find(name string) (values []float32, shape []int, ok bool) {
	return r.t.Tensor(r.prefix + name)
}

// Tensor reads a tensor of a shape. If it is missing or has another shape, Tensor keeps
// the error for Err and returns nil.
func (r *Reader) Tensor(name string, shape ...int) []float32 {
	name = r.prefix + name
	values, got, ok := r.t.Tensor(name)
	if !ok {
		r.errs = append(r.errs, &MissingError{name})
		return nil
	}
	if !slices.Equal(got, shape) {
		r.errs = append(r.errs, &ShapeError{name, got, shape})
		return nil
	}
	return values
}

// Norm reads a layer norm, whose tensors older checkpoints call gamma and beta.
func (r *Reader) Norm(name string, n int, epsilon float32) dense.LayerNorm {
	weight, bias := name+".weight", name+".bias"
	if r.Has(name+".gamma") && r.Has(name+".beta") {
		weight, bias = name+".gamma", name+".beta"
	}
	return dense.LayerNorm{Gamma: r.Tensor(weight, n), Beta: r.Tensor(bias, n), Epsilon: epsilon}
}

// Weights reads one layer of several names side by side, [names·out, in] and
// [names·out]: their outputs follow each other. If the checkpoint has no bias
// for any of them, it is nil. Numbers that are not finite are an error.
func (r *Reader) Weights(out, in int, names ...string) (w, bias []float32) {
	if len(names) == 1 {
		return r.finite(names[0]+".weight", out, in), r.bias(names[0], out)
	}
	for i, name := range names {
		w = append(w, r.finite(name+".weight", out, in)...)
		b := r.bias(name, out)
		if b == nil || len(r.errs) > 0 { // out is what a configuration claims
			continue
		}
		if bias == nil {
			bias = make([]float32, len(names)*out)
		}
		copy(bias[i*out:], b)
	}
	return w, bias
}

// linear reads such a layer and packs it.
func (r *Reader) linear(out, in int, names ...string) dense.Layer {
	w, bias := r.Weights(out, in, names...)
	if len(r.errs) > 0 {
		return nil
	}
	if r.int8 {
		if l := dense.NewLinear8(w, bias, len(names)*out, in); l != nil {
			return l
		}
	}
	return dense.NewLinear(w, bias, len(names)*out, in)
}

func (r *Reader) bias(name string, out int) []float32 {
	if !r.Has(name + ".bias") {
		return nil
	}
	return r.finite(name+".bias", out)
}

// finite is Tensor for weights of which each number must be finite.
func (r *Reader) finite(name string, shape ...int) []float32 {
	values := r.Tensor(name, shape...)
	for i, v := range values {
		if v-v != 0 {
			r.errs = append(r.errs, &NonFiniteError{r.prefix + name, i, v})
			return nil
		}
	}
	return values
}

// positive refuses sizes that no model has.
func positive(what string, n int) error {
	if n < 1 || n > 1<<24 {
		return errors.New(what + " is " + strconv.Itoa(n) + " in the configuration")
	}
	return nil
}

// heads refuses a number of heads that does not divide the hidden size.
func heads(hidden, n int) error {
	if err := positive("the number of attention heads", n); err != nil {
		return err
	}
	if hidden%n != 0 {
		return errors.New("a hidden size of " + strconv.Itoa(hidden) + " cannot be shared by " + strconv.Itoa(n) + " attention heads")
	}
	return nil
}

package shard

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/kernel"
)

func randomRows(random *rand.Rand, n, dim int) []float32 {
	v := make([]float32, n*dim)
	for i := range v {
		v[i] = float32(random.NormFloat64())
	}
	return v
}

// stored returns element j of row i, dequantised.
func (r *Rows) stored(i, j int) float32 {
	if r.DType == I8 {
		return float32(r.I8[i*r.Stride+j]) * r.Scales[i]
	}
	return r.F32[i*r.Stride+j]
}

// checkRows checks the guarantees of Rows with float64 arithmetic.
func checkRows(t testing.TB, r *Rows) {
	t.Helper()
	stride, elements, scales := kernel.PadF32(r.Dim), len(r.F32), 0
	if r.DType == I8 {
		stride, elements, scales = kernel.PadI8(r.Dim), len(r.I8), r.N
	}
	if r.Stride != stride || elements != r.N*r.Stride || len(r.F32)*len(r.I8) != 0 || len(r.Scales) != scales || len(r.Norm2) != r.N || len(r.IDs) != r.N {
		t.Fatalf("lengths: %d rows, stride %d, %d elements, %d scales, %d norms, %d ids", r.N, r.Stride, elements, len(r.Scales), len(r.Norm2), len(r.IDs))
	}
	for i := range r.N {
		var sum float64
		for j := range r.Dim {
			v := float64(r.stored(i, j))
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("row %d, column %d is %v", i, j, v)
			}
			sum += v * v
		}
		for j := r.Dim; j < r.Stride; j++ {
			if r.DType == I8 && r.I8[i*r.Stride+j] != 0 || r.DType == F32 && math.Float32bits(r.F32[i*r.Stride+j]) != 0 {
				t.Fatalf("row %d: padding is not zero", i)
			}
		}
		// 1e-37 is the loss that products of subnormal size may have.
		if n2 := float64(r.Norm2[i]); approx.Apart(n2, sum, 1e-3*sum+1e-37) || n2 > 1.0000001e36 {
			t.Fatalf("row %d: Norm2 %v, sum of squares %v", i, n2, sum)
		}
	}
}

func TestRowsRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, dtype := range []DType{F32, F16, I8} {
		for _, dim := range []int{1, 7, 8, 15, 16, 17, 384, MaxDim} {
			for _, n := range []int{0, 1, 3, 50} {
				if n*dim > 1<<18 {
					continue
				}
				vectors := randomRows(random, n, dim)
				ids := make([]uint32, n)
				for i := range ids {
					ids[i] = random.Uint32()
				}
				file, err := EncodeRows(dtype, dim, vectors, ids)
				if err != nil {
					t.Fatal(err)
				}
				r, err := DecodeRows(file)
				if err != nil {
					t.Fatalf("%s [%d, %d]: %v", dtype, n, dim, err)
				}
				if r.N != n || r.Dim != dim || !slices.Equal(r.IDs, ids) || (dtype == I8) != (r.DType == I8) {
					t.Fatalf("%s [%d, %d] came back as %s [%d, %d]", dtype, n, dim, r.DType, r.N, r.Dim)
				}
				checkRows(t, r)
				for i := range n {
					for j := range dim {
						v, got := vectors[i*dim+j], r.stored(i, j)
						same := got == v
						switch dtype {
						case F16:
							same = got == F16ToF32(F32ToF16(v))
						case I8:
							same = math.Abs(float64(v)-float64(got)) <= float64(r.Scales[i])*0.5000001
						}
						if !same {
							t.Fatalf("%s: %v came back as %v", dtype, v, got)
						}
					}
				}
			}
		}
	}
}

// TestDecodeAliases checks that rows are not copied if the layout permits, and are the
// same otherwise.
func TestDecodeAliases(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, c := range []struct {
		dtype DType
		dim   int
		alias bool
	}{{F32, 8, true}, {F32, 9, false}, {F16, 8, false}, {I8, 16, true}, {I8, 8, false}} {
		file, err := EncodeRows(c.dtype, c.dim, randomRows(random, 5, c.dim), nil)
		if err != nil {
			t.Fatal(err)
		}
		var first *Rows
		for shift := range 5 { // every alignment of the file
			buffer := make([]byte, shift+len(file))
			copy(buffer[shift:], file)
			r, err := DecodeRows(buffer[shift:])
			if err != nil {
				t.Fatal(err)
			}
			var at uintptr
			if r.DType == I8 {
				at = uintptr(unsafe.Pointer(&r.I8[0]))
			} else {
				at = uintptr(unsafe.Pointer(&r.F32[0]))
			}
			start := uintptr(unsafe.Pointer(&buffer[0]))
			inside := at >= start && at < start+uintptr(len(buffer))
			if want := c.alias && (c.dtype == I8 || shift%4 == 0); inside != want {
				t.Errorf("%s [5, %d] at %d bytes: aliases %v, want %v", c.dtype, c.dim, shift, inside, want)
			}
			if first == nil {
				first = r
			}
			if !slices.Equal(r.F32, first.F32) || !slices.Equal(r.I8, first.I8) || !slices.Equal(r.Scales, first.Scales) ||
				!slices.Equal(r.Norm2, first.Norm2) || !slices.Equal(r.IDs, first.IDs) {
				t.Errorf("%s [5, %d] at %d bytes differs", c.dtype, c.dim, shift)
			}
		}
	}
}

func floats(v ...float32) []byte { return floatBytes(v) }

func vectorFile(t *testing.T, tensors ...Tensor) []byte {
	t.Helper()
	b, err := AppendSafetensors(nil, tensors, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestDecodeByHand reads files that EncodeRows did not write: without norms and ids, with both, and with the norm of a
// row whose squares vanish.
func TestDecodeByHand(t *testing.T) {
	r, err := DecodeRows(vectorFile(t, Tensor{"vectors", F32, []int{2, 3}, floats(1, 2, 2, 0, 0, -0.5)}, Tensor{"extra", U8, []int{1}, []byte{1}}))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.F32, []float32{1, 2, 2, 0, 0, 0, 0, 0, 0, 0, -0.5, 0, 0, 0, 0, 0}) || !slices.Equal(r.Norm2, []float32{9, 0.25}) || !slices.Equal(r.IDs, []uint32{0, 1}) {
		t.Error(r)
	}
	r, err = DecodeRows(vectorFile(t, Tensor{"vectors", I8, []int{2, 2}, []byte{1, 0xfe, 0x80, 127}}, Tensor{"scales", F32, []int{2}, floats(0.5, 0)},
		Tensor{"norms", F32, []int{2}, floats(1.118034, 0)}, Tensor{"ids", U32, []int{2}, []byte{255, 255, 255, 255, 7, 0, 0, 0}}))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.I8[:3], []int8{1, -2, 0}) || !slices.Equal(r.I8[16:19], []int8{-128, 127, 0}) || !slices.Equal(r.Norm2, []float32{1.25, 0}) ||
		!slices.Equal(r.IDs, []uint32{math.MaxUint32, 7}) {
		t.Error(r)
	}
	// If rows are so small that their squares vanish, their norms from NumPy do not
	// count as a mismatch.
	if _, err = DecodeRows(vectorFile(t, Tensor{"vectors", F32, []int{1, 2}, floats(3e-30, 4e-30)}, Tensor{"norms", F32, []int{1}, floats(5e-30)})); err != nil {
		t.Error(err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	vectors := func(v ...float32) Tensor { return Tensor{"vectors", F32, []int{len(v) / 2, 2}, floats(v...)} }
	perRow := func(name string, v ...float32) Tensor { return Tensor{name, F32, []int{len(v)}, floats(v...)} }
	ints := Tensor{"vectors", I8, []int{2, 1}, []byte{1, 127}}
	for _, c := range []struct {
		tensors  []Tensor
		want     string
		row, col int // -1: not an error of a row
	}{
		{[]Tensor{{"embeddings", F32, []int{1, 1}, floats(1)}}, `there is no tensor "vectors"`, -1, -1},
		{[]Tensor{{"vectors", F32, []int{2}, floats(1, 2)}}, "shape [2], expected [rows, dimension]", -1, -1},
		{[]Tensor{{"vectors", F32, []int{1, 2, 1}, floats(1, 2)}}, "shape [1, 2, 1]", -1, -1},
		{[]Tensor{{"vectors", F32, []int{2, 0}, nil}}, "dimension 0", -1, -1},
		{[]Tensor{{"vectors", F32, []int{0, MaxDim + 1}, nil}}, "dimension 65537, expected 1 to 65536", -1, -1},
		{[]Tensor{{"vectors", F64, []int{1, 1}, make([]byte, 8)}}, "dtype F64: save it as F32", -1, -1},
		{[]Tensor{vectors(1, 2, 3, nan)}, `tensor "vectors": row 1, column 1: NaN is not a finite number`, 1, 1},
		{[]Tensor{vectors(1, 2, -inf, 4)}, "row 1, column 0: -Inf", 1, 0},
		{[]Tensor{{"vectors", F16, []int{1, 2}, []byte{0, 0x3c, 0, 0x7c}}}, "row 0, column 1: +Inf", 0, 1},
		{[]Tensor{vectors(1e18, 1e17)}, "row 0: its squared length is above 1e36", 0, -1},
		{[]Tensor{vectors(1, 1, 3e38, 3e38)}, "row 1: its squared length is above 1e36", 1, -1},
		{[]Tensor{ints}, `there is no tensor "scales"`, -1, -1},
		{[]Tensor{ints, perRow("scales", 1)}, "F32 [1], expected F32 [2]", -1, -1},
		{[]Tensor{ints, {"scales", F32, []int{2, 1}, floats(1, 2)}}, "F32 [2, 1], expected F32 [2]", -1, -1},
		{[]Tensor{ints, {"scales", F64, []int{2}, make([]byte, 16)}}, "F64 [2], expected F32 [2]", -1, -1},
		{[]Tensor{ints, perRow("scales", 1, -1e-9)}, "row 1: scale -1e-09 is not a finite number from 0 up", 1, -1},
		{[]Tensor{ints, perRow("scales", 1, nan)}, "row 1: scale NaN", 1, -1},
		{[]Tensor{ints, perRow("scales", inf, 1)}, "row 0: scale +Inf", 0, -1},
		{[]Tensor{ints, perRow("scales", 1, 1e16)}, "row 1: its squared length", 1, -1},
		{[]Tensor{vectors(3, 4, 3, 4), perRow("norms", 5, 5.006)}, "row 1: the file says 5.006, the row's norm is 5", 1, -1},
		{[]Tensor{vectors(3, 4, 3, 4), perRow("norms", 25, 25)}, "row 0: the file says 25", 0, -1},
		{[]Tensor{vectors(3, 4, 3, 4), perRow("norms", 5, nan)}, "row 1: the file says NaN", 1, -1},
		{[]Tensor{vectors(0, 0), perRow("norms", 1e-17)}, "row 0: the file says 1e-17", 0, -1},
		{[]Tensor{vectors(3, 4), perRow("norms", 5, 5)}, "F32 [2], expected F32 [1]", -1, -1},
		{[]Tensor{vectors(3, 4), perRow("ids", 1)}, "F32 [1], expected U32 [1]", -1, -1},
	} {
		r, err := DecodeRows(vectorFile(t, c.tensors...))
		if err == nil || !strings.Contains(err.Error(), c.want) || r != nil {
			t.Errorf("got %v, want …%s…", err, c.want)
			continue
		}
		var row *RowError
		if errors.As(err, &row) != (c.row >= 0) || row != nil && (row.Row != c.row || row.Column != c.col) {
			t.Errorf("%v: %#v", err, row)
		}
	}
	if _, err := DecodeRows(file(`{}`)[:4]); err == nil {
		t.Error("a file that is no safetensors file was accepted")
	}
}

func TestShapeLimits(t *testing.T) {
	most := uint64(MaxRows) // overflows an int of 32 bits, so that such systems refuse it anyway
	for _, c := range []struct {
		n, dim int
		ok     bool
	}{{0, 1, true}, {int(most), MaxDim, strconv.IntSize == 64}, {int(most + 1), 1, false}, {1, 0, false}, {1, MaxDim + 1, false}, {-1, 1, false}, {math.MaxInt, 1, false}} {
		if err := checkShape(c.n, c.dim); (err == nil) != c.ok {
			t.Errorf("[%d, %d]: %v", c.n, c.dim, err)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		dtype   DType
		dim     int
		vectors []float32
		ids     []uint32
		want    string
	}{
		{F32, 0, []float32{1}, nil, "1 elements are not rows of dimension 0"},
		{F32, 2, []float32{1}, nil, "1 elements are not rows of dimension 2"},
		{F32, MaxDim + 1, nil, nil, "dimension 65537"},
		{F64, 1, []float32{1}, nil, `dtype "F64": expected F32, F16 or I8`},
		{F32, 1, []float32{1}, []uint32{1, 2}, "2 ids for 1 rows"},
		{I8, 1, []float32{1}, []uint32{}, "0 ids for 1 rows"},
		{F32, 2, []float32{1, 2, 3, nan}, nil, "row 1, column 1: NaN"},
		{F16, 2, []float32{1, 2, -inf, 3}, nil, "row 1, column 0: -Inf is not a finite"},
		{I8, 2, []float32{1, 2, 3, inf}, nil, "row 1, column 1: +Inf"},
		{F16, 2, []float32{1, -65520}, nil, "row 0, column 1: -65520 is beyond the range of F16"},
		{F32, 1, []float32{1, 2e18}, nil, "row 1: its squared length"},
		{I8, 1, []float32{1, 2e18}, nil, "row 1: its squared length"},
	} {
		if b, err := EncodeRows(c.dtype, c.dim, c.vectors, c.ids); err == nil || !strings.Contains(err.Error(), c.want) || b != nil {
			t.Errorf("got %v, want …%s…", err, c.want)
		}
	}
	if _, err := EncodeQuantizedRows(3, make([]int8, 7), []float32{1, 1}, nil); err == nil || !strings.Contains(err.Error(), "7 elements are not 2 rows of dimension 3") {
		t.Error(err)
	}
	if _, err := EncodeQuantizedRows(1, make([]int8, 1), []float32{nan}, nil); err == nil || !strings.Contains(err.Error(), "scale NaN") {
		t.Error(err)
	}
	if _, err := EncodeQuantizedRows(0, nil, nil, nil); err == nil {
		t.Error("dimension 0 accepted")
	}
}

// TestEncodeQuantizedRows checks that rows of an older file, padded or not, are written
// unchanged, and in the same way as by EncodeRows.
func TestEncodeQuantizedRows(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for _, dim := range []int{5, 16} {
		want, err := EncodeRows(I8, dim, randomRows(random, 4, dim), []uint32{9, 8, 7, 7})
		if err != nil {
			t.Fatal(err)
		}
		r, err := DecodeRows(want)
		if err != nil {
			t.Fatal(err)
		}
		var dense []int8
		for i := range r.N {
			dense = append(dense, r.I8[i*r.Stride:][:dim]...)
		}
		for _, rows := range [][]int8{r.I8, dense} {
			if got, err := EncodeQuantizedRows(dim, rows, r.Scales, r.IDs); err != nil || string(got) != string(want) {
				t.Errorf("dimension %d, %d elements: differs, error %v", dim, len(rows), err)
			}
		}
	}
}

// TestNormsAsStored checks that the written norms are those of the stored rows, not of
// the original vectors.
func TestNormsAsStored(t *testing.T) {
	const first, rest = float32(1.0004), float32(0.004) // F16 stores 1, I8 one step of first/127
	vectors := []float32{first, rest, rest, rest}
	norm := func(first, rest float64) float64 { return math.Sqrt(first*first + 3*rest*rest) }
	for dtype, want := range map[DType]float64{
		F32: norm(float64(first), float64(rest)),
		F16: norm(1, half(nearest(float64(rest)))),
		I8:  norm(float64(first), float64(first)/127),
	} {
		b, err := EncodeRows(dtype, 4, vectors, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := ParseSafetensors(b)
		if err != nil {
			t.Fatal(err)
		}
		norms, _ := s.Tensor("norms")
		if got := float64(math.Float32frombits(binary.LittleEndian.Uint32(norms.Data))); approx.Apart(got, want, 2e-7) {
			t.Errorf("%s: norm %v, want %v", dtype, got, want)
		}
	}
}

func benchmarkDecode(b *testing.B, dtype DType, dim int) {
	file, err := EncodeRows(dtype, dim, randomRows(rand.New(rand.NewPCG(1, 1)), 100000, dim), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DecodeRows(file); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeI8(b *testing.B)       { benchmarkDecode(b, I8, 384) }
func BenchmarkDecodeF32(b *testing.B)      { benchmarkDecode(b, F32, 384) }
func BenchmarkDecodeF16(b *testing.B)      { benchmarkDecode(b, F16, 384) }
func BenchmarkDecodeI8Padded(b *testing.B) { benchmarkDecode(b, I8, 383) }

func BenchmarkEncodeI8(b *testing.B) {
	vectors := randomRows(rand.New(rand.NewPCG(1, 1)), 100000, 384)
	b.SetBytes(int64(4 * len(vectors)))
	for b.Loop() {
		if _, err := EncodeRows(I8, 384, vectors, nil); err != nil {
			b.Fatal(err)
		}
	}
}

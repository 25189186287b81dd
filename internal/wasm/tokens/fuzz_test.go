package tokens

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// FuzzFile reads files for codebooks of all widths.
func FuzzFile(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for width, bits := range []int{8, 4, 2} {
		for _, file := range newCorpus(f, r, 5, bits, 8, 4).files {
			f.Add(uint8(width), file)
		}
	}
	f.Fuzz(checkFile)
}

// FuzzParts reaches the checks after the header, because it builds the file around the
// data.
func FuzzParts(f *testing.F) {
	f.Add(uint8(1), []byte{1, 0, 0, 0, 2, 0, 0, 0}, []byte{0, 0, 1, 0, 2, 0}, []byte{0, 60, 0, 0, 0, 60}, make([]byte, 9))
	f.Add(uint8(0), []byte{1, 0, 0, 0}, []byte{11, 0}, []byte{255, 123}, []byte{128, 127, 0, 1, 2})
	f.Fuzz(func(t *testing.T, width uint8, counts, centroids, scales, codes []byte) {
		bits := []int{8, 4, 2}[width%3]
		wide, n := (5*bits+7)/8, len(centroids)/2
		if len(counts)%4 != 0 || len(scales)%2 != 0 || len(centroids)%2 != 0 || len(codes)%wide != 0 {
			return
		}
		file, err := shard.AppendSafetensors(nil, []shard.Tensor{
			{Name: "tokens", DType: shard.U32, Shape: []int{len(counts) / 4}, Data: counts},
			{Name: "centroids", DType: "U16", Shape: []int{n}, Data: centroids},
			{Name: "scales", DType: shard.F16, Shape: []int{len(scales) / 2}, Data: scales},
			{Name: "codes", DType: shard.U8, Shape: []int{len(codes) / wide, wide}, Data: codes},
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkFile(t, width, file)
	})
}

// checkFile reads a file. If it is accepted, it can be searched without a NaN, and is the
// same when it is written and read again.
func checkFile(t *testing.T, width uint8, b []byte) {
	bits := []int{8, 4, 2}[width%3]
	book, err := NewCodebook(5, bits, slices.Repeat([]float32{0.5, -1, 0, 2, 0.25}, 12))
	if err != nil {
		t.Fatal(err)
	}
	file, err := book.DecodeFile(b)
	if err != nil {
		return
	}
	v := Vectors{Codes: file.codes}
	for d := range file.Documents() {
		v.Counts = append(v.Counts, file.starts[d+1]-file.starts[d])
	}
	for i := range file.Vectors() {
		v.Centroids = append(v.Centroids, half(file.centroids, i))
		v.Scales = append(v.Scales, half(file.scales, i))
	}
	again, err := book.EncodeFile(&v)
	if err != nil {
		t.Fatal(err)
	}
	same, err := book.DecodeFile(again)
	if err != nil || !slices.Equal(same.starts, file.starts) || !bytes.Equal(same.centroids, file.centroids) || !bytes.Equal(same.codes, file.codes) || !bytes.Equal(same.scales, file.scales) {
		t.Fatalf("written again: %v", err)
	}
	if file.Documents() > 1000 {
		return
	}
	ix, err := New(book, file.Documents())
	if err != nil {
		t.Fatal(err)
	}
	if err := ix.Load(0, b); err != nil {
		t.Fatal(err)
	}
	for _, h := range search(t, ix, []float32{1, 2, 3, 4, 5, -1e17, 1e17, 0, 0, 3}, 2, 10, nil) {
		if h.Score != h.Score || math.IsInf(float64(h.Score), 0) {
			t.Fatalf("%v", h)
		}
	}
}

// FuzzCodebook reads codebooks, which are the same when they are written again.
func FuzzCodebook(f *testing.F) {
	book, err := NewCodebook(3, 4, []float32{1, 2, 3, 4, 5, 6})
	if err != nil {
		f.Fatal(err)
	}
	file, err := EncodeCodebook(book)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Fuzz(func(t *testing.T, b []byte) {
		book, err := DecodeCodebook(b, 4)
		if err != nil {
			return
		}
		file, err := EncodeCodebook(book)
		if err != nil {
			t.Fatal(err)
		}
		again, err := DecodeCodebook(file, 4)
		if err != nil || !slices.Equal(again.rows, book.rows) {
			t.Fatalf("written again: %v", err)
		}
	})
}

// Damage that a random change of bytes seldom finds.
func TestDamagedFiles(t *testing.T) {
	book, err := NewCodebook(4, 4, make([]float32, 12))
	if err != nil {
		t.Fatal(err)
	}
	good := func() []shard.Tensor {
		return []shard.Tensor{
			{Name: "tokens", DType: shard.U32, Shape: []int{2}, Data: []byte{1, 0, 0, 0, 2, 0, 0, 0}},
			{Name: "centroids", DType: "U16", Shape: []int{3}, Data: []byte{0, 0, 1, 0, 2, 0}},
			{Name: "scales", DType: shard.F16, Shape: []int{3}, Data: []byte{0, 60, 0, 0, 0, 60}},
			{Name: "codes", DType: shard.U8, Shape: []int{3, 2}, Data: make([]byte, 6)},
		}
	}
	for says, change := range map[string]func([]shard.Tensor){
		"":                                       func([]shard.Tensor) {},
		"is missing, or not U32":                 func(t []shard.Tensor) { t[0].Name = "counts" },
		"do not add up to the 3":                 func(t []shard.Tensor) { t[0].Data[0] = 0 },
		"add up to the 3 vectors of":             func(t []shard.Tensor) { t[0].Data[3], t[0].Data[7] = 255, 255 },
		"is missing, or not U16 [3]":             func(t []shard.Tensor) { t[1].DType = shard.F16 },
		"row 2: names centroid 3, and there are": func(t []shard.Tensor) { t[1].Data[4] = 3 },
		"is missing, or not F16 [3]":             func(t []shard.Tensor) { t[2].DType = "U16" },
		"row 1: not a finite number":             func(t []shard.Tensor) { t[2].Data[3] = 0x7c },
		"row 0: not a finite number":             func(t []shard.Tensor) { t[2].Data[1] = 0xbc },
		"is missing, or not U8":                  func(t []shard.Tensor) { t[3].Shape = []int{6} },
		"not U8 [vectors, 2]":                    func(t []shard.Tensor) { t[3].Shape = []int{2, 3} },
	} {
		tensors := good()
		change(tensors)
		file, err := shard.AppendSafetensors(nil, tensors, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = book.DecodeFile(file); (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
}

package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/kernel/internal/wasmtest"
)

// Figures like the native ones of the package comment, which had blocks of 4096 rows: go test -run '^$' -bench . ./internal/wasm/kernel
//
// 100,000 rows of 384 dimensions, scanned in blocks as a search does. MB/s count the bytes of the rows, once, also with two queries.
const (
	benchRows  = 100_000
	benchDim   = 384
	benchBlock = 1024
)

var (
	sinkBytes uint64
	sinkCount int
)

// blocks calls f for consecutive blocks of rows.
func blocks(f func(from, to int)) {
	for from := 0; from < benchRows; from += benchBlock {
		f(from, min(from+benchBlock, benchRows))
	}
}

func benchVectors() (rows []float32, q, p, x, y []float32) {
	r := rand.New(rand.NewPCG(1, 1))
	rows = make([]float32, benchRows*benchDim)
	kinds[0].fill(r, rows)
	return rows, padded(r, 1, benchDim, kinds[0].fill), padded(r, 1, benchDim, kinds[0].fill),
		make([]float32, benchRows), make([]float32, benchRows)
}

func benchBytes() (rows []int8, scales []float32, q, p QueryI8, x, y []float32) {
	r := rand.New(rand.NewPCG(2, 2))
	rows = make([]int8, benchRows*benchDim)
	for i := range rows {
		rows[i] = int8(r.Uint32())
	}
	scales = make([]float32, benchRows)
	for i := range scales {
		scales[i] = 0.01
	}
	return rows, scales,
		QuantizeQuery(padded(r, 1, benchDim, kinds[0].fill), benchDim),
		QuantizeQuery(padded(r, 1, benchDim, kinds[0].fill), benchDim),
		make([]float32, benchRows), make([]float32, benchRows)
}

// BenchmarkRead reads the rows and does nothing else that takes time: no scan can be faster.
// Two streams of words and four running ORs keep the loop ahead of memory.
func BenchmarkRead(b *testing.B) {
	for _, size := range []int{4, 1} {
		bytes := size * benchRows * benchDim
		b.Run(fmt.Sprintf("%d bytes an element", size), func(b *testing.B) {
			words := make([]uint64, bytes/8)
			for i := range words {
				words[i] = uint64(i)
			}
			b.SetBytes(int64(bytes))
			for b.Loop() {
				half := len(words) / 2
				var s0, s1, s2, s3 uint64
				for u, v := words[:half], words[half:2*half]; len(u) >= 8 && len(v) >= 8; u, v = u[8:], v[8:] {
					s0 |= u[0] | u[1] | u[2] | u[3]
					s1 |= u[4] | u[5] | u[6] | u[7]
					s2 |= v[0] | v[1] | v[2] | v[3]
					s3 |= v[4] | v[5] | v[6] | v[7]
				}
				sinkBytes = s0 | s1 | s2 | s3
			}
		})
	}
}

func BenchmarkScanF32(b *testing.B) {
	rows, q, p, x, y := benchVectors()
	run := func(name string, f func(from, to int)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(4 * benchRows * benchDim)
			for b.Loop() {
				blocks(f)
			}
		})
	}
	run("one", func(i, j int) { ScanF32(x[i:j], rows[i*benchDim:], benchDim, q) })
	run("two", func(i, j int) { Scan2F32(x[i:j], y[i:j], rows[i*benchDim:], benchDim, q, p) })
	run("plain one", func(i, j int) { plainScanF32(x[i:j], rows[i*benchDim:], benchDim, q) })
}

func BenchmarkScanI8(b *testing.B) {
	rows, scales, q, p, x, y := benchBytes()
	run := func(name string, f func(from, to int)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(benchRows * benchDim)
			for b.Loop() {
				blocks(f)
			}
		})
	}
	run("one", func(i, j int) { ScanI8(x[i:j], rows[i*benchDim:], scales[i:j], benchDim, q) })
	run("two", func(i, j int) { Scan2I8(x[i:j], y[i:j], rows[i*benchDim:], scales[i:j], benchDim, q, p) })
	run("plain one", func(i, j int) { plainScanI8(x[i:j], rows[i*benchDim:], scales[i:j], benchDim, q) })
}

func BenchmarkScore(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 3))
	out, x, y, norm2 := make([]float32, benchRows), make([]float32, benchRows), make([]float32, benchRows), make([]float32, benchRows)
	idx := make([]uint32, benchBlock)
	for i := range x {
		x[i], y[i], norm2[i] = r.Float32(), r.Float32(), 1+r.Float32()
	}
	for i, f := range []Form{{A: 1}, {A: 1, D2: -1.0 / 3}} {
		b.Run(fmt.Sprintf("%d queries", i+1), func(b *testing.B) {
			second := y
			if i == 0 {
				second = nil
			}
			for b.Loop() {
				Score(out, x, second, norm2, &f)
			}
		})
	}
	b.Run("select", func(b *testing.B) {
		for b.Loop() {
			blocks(func(i, j int) { sinkCount += Select(idx, out[i:j], 0.999) })
		}
	})
}

// BenchmarkWasm runs the scans of kernel.wasm under wazero.
func BenchmarkWasm(b *testing.B) {
	const angles = benchDim / 3
	const pages = 4 * benchRows * (benchDim + angles) >> 16 // the f32 rows
	k := wasmtest.New(b, pages+64+1)
	for i := 3; i < len(k.Memory); i += 4 {
		k.Memory[i] = 0x3c // a small float, and some bytes
	}
	// Each has room for 4 bytes of every row, which is less than half a megabyte.
	const q, p, x, y, scales, inverse, scores, rows = 1 << 16, 2 << 16, 2 << 19, 3 << 19, 4 << 19, 5 << 19, 6 << 19, 8 << 19
	run := func(name string, size int, f func(i, n uint64)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size) * benchRows * benchDim)
			for b.Loop() {
				blocks(func(from, to int) { f(uint64(from), uint64(to-from)) })
			}
		})
	}
	const d = benchDim
	one, most := f32(1), f32(.1)
	run("f32 one", 4, func(i, n uint64) { k.Call("scan_f32", x+4*i, rows+4*i*d, q, n, d) })
	run("f32 two", 4, func(i, n uint64) { k.Call("scan2_f32", x+4*i, y+4*i, rows+4*i*d, q, p, n, d) })
	run("i8 one", 1, func(i, n uint64) { k.Call("scan_i8", x+4*i, rows+i*d, scales+4*i, q, one, n, d) })
	// Both parts of a row, 384 components and 128 elsewhere in memory, as a search scans them.
	const ahead = 8 * benchBlock
	run("f32 one and its angle", 4, func(i, n uint64) {
		if i%ahead == 0 {
			k.Call("scan_f32", y+4*i, rows+4*benchRows*d+4*i*angles, q, min(ahead, benchRows-i), angles)
		}
		k.Call("scan_f32", x+4*i, rows+4*i*d, q, n, d)
		k.Call("add_scaled", scores+4*i, y+4*i, inverse+4*i, most, n)
	})
	run("i8 one and its angle", 1, func(i, n uint64) {
		if i%ahead == 0 {
			k.Call("scan_i8", y+4*i, rows+benchRows*d+i*angles, scales+4*i, q, one, min(ahead, benchRows-i), angles)
		}
		k.Call("scan_i8", x+4*i, rows+i*d, scales+4*i, q, one, n, d)
		k.Call("add_scaled", scores+4*i, y+4*i, inverse+4*i, most, n)
	})
	run("i8 two", 1, func(i, n uint64) { k.Call("scan2_i8", x+4*i, y+4*i, rows+i*d, scales+4*i, q, p, one, one, n, d) })
}

// Package dense holds the inner loops of transformers: matrix products with
// packed weights, attention over sequences of any length, softmax, layer norm
// and activations, on float32.
//
// Activations are row-major, one row per token. A row of a result depends only on
// the same row of the input, in attention on its sequence, to the bit, whatever its
// place in the batch, the rest of it and the number of workers, because every output
// is computed in one order of operations. Sequences follow each other without padding.
//
// There are three builds: assembly for AVX-512, for AVX2 with FMA, and plain Go
// everywhere else, which is also the oracle. The two in assembly have the same bits, so
// that packs can be made again to the byte on either (TestAssemblyHasOneOrder). Plain Go
// differs in the last bits, because the assembly fuses multiplication and addition;
// products of bytes do not differ.
//
// A second family has the same bits in all builds, and in a fourth, the SIMD kernel of
// the browser module: the functions whose names have Exact or Rounded in them.
// exact.go defines what they compute.
//
// The limit is arithmetic, not memory: a core with two 256-bit FMA units does
// 32 operations a cycle, and a tile of 8 x 48 outputs has 24 registers of sums and
// loads 11 operands, 3 of weights and 8 of inputs, for the 24 instructions that add to them.
package dense

//go:generate go run ./internal/gen -out dense_amd64.s -stubs stubs_amd64.go -pkg dense

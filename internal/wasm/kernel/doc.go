// Package kernel computes the dot products, scores and selections of a search:
// everything that is done once per row of a collection.
//
// # One definition, three builds
//
// plain.go defines what is computed. On amd64 with AVX2, assembly computes it; in the
// browser module and under wazero, the SIMD code of binary/simd/kernel.c; and elsewhere,
// plain.go itself. (A second module of that code multiplies an encoder's bytes with relaxed
// SIMD: binary/simd/grouped.h.) All give the same bits, so that a ranking does not depend on the
// machine. Three rules ensure this:
//
//   - Sums run in a canonical order that suits registers of four lanes and of
//     eight (see DotF32), and no product is fused with the addition after it.
//   - Integer dot products are exact. The query's quantisation keeps them within
//     32 bits for any row (see QueryI8), and only the result is rounded.
//   - Scores use IEEE operations alone, in float64, in the order written.
//
// Denormals are ordinary numbers in all three. Operands are finite: the code that loads
// rows and compiles queries checks them. Score still never makes a NaN out of a NaN or an
// infinity in y or in norm2.
//
// # Shape of the data
//
// Rows lie one after the other, each padded with zeros to PadF32 or PadI8 elements, and
// queries are padded alike. Loops over a row thus have no tail, and a zero adds nothing.
// No operand needs an alignment beyond that of its elements.
//
// # How to call it
//
// Block by block: a scan, then Score, then Select with the lowest score that
// still counts. A block of about 1024 rows is best at 384 dimensions. Down
// to 512 and up to 100,000 rows the scans themselves hardly differ, but from some
// 2000 rows on the rows of a block push its dot products out of the second-level
// cache before Score reads them again.
//
// Each scan reads two streams of rows, half of the block apart. Four
// streams are no faster if memory is the limit (amd64's int8 scan reads four, because
// four sums are added up at once), and four adjacent rows side by
// side take up to three times as long, since they look random to the prefetcher.
//
// # Limits
//
// A scan reads each row once, whatever the number of query vectors, so memory
// bounds it from below, and time per row is at best its bytes over the bandwidth.
// On one thread of an AMD EPYC (Zen 4, 3.6 GHz, two virtual processors), n =
// 100,000, d = 384, blocks of 1024 rows (amd64: 4096), in ms, best of 60 to 100
// passes. The machine had other work, so compare within a column:
//
//	                        Chromium   Node 20   wazero   amd64
//	plain read, f32 rows       5.4       5.9      5.1      5.3
//	scan, f32, one query       5.6       6.0      7.4      5.5
//	scan, f32, two queries     5.5       6.2     14.1      6.1
//	plain read, int8 rows      1.2       1.3      1.3      1.2
//	scan, int8, one query      1.5       1.8      3.2      1.3
//	scan, int8, two queries    2.3       2.4      6.3      1.6
//	Score                      0.2       0.2      0.4      0.1
//	Select, few reach it      <0.1      <0.1     <0.1     <0.1
//
// So float32 scans run at the speed of memory, and an int8 scan can be four times
// as fast and no more if memory is equally fast for both; it is further
// ahead only if the int8 rows fit a cache and the float32 rows do not. With
// 128-bit registers int8 is also near a second limit: 16 bytes of a row take six
// vector operations (two to widen, two to multiply, two to add), 10.7 bytes per
// cycle on four pipes; a second query adds four, so that it costs up to 5/3.
//
// Score is bound by one square root and one division per row.
package kernel

//go:generate go run ./internal/gen

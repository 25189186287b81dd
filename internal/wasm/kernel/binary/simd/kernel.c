// The inner loops of a search, in WebAssembly SIMD. plain.go in the kernel
// package defines what each function computes; this file computes the same bits.
// encode.c has the steps of an encoder; both files make one module.
//
// Built by `go generate ./internal/wasm/kernel`. The module imports the memory of the Go
// core and must own no byte of it: no static data, no shadow stack, no calls
// into a C library. So: no arrays on the stack, no globals, no constants that
// the compiler would have to place in memory.
//
// Rows are padded (8 floats, 16 int8), so stride is a positive multiple of that
// and no inner loop has a tail. Every scan walks two streams of rows, half of
// the block apart: adjacent rows would make the two streams one for the
// hardware prefetcher, which costs a factor of three.
//
// Three things in the loops are there for the compilers of the engines, and
// each was measured:
//   - Pointers are bumped and loads carry constant offsets. The flag
//     -disable-lsr keeps LLVM from turning them into base + index, which cannot
//     be folded with an offset.
//   - V8 lifts all loads of a basic block above its arithmetic, so a block whose
//     loads and accumulators together exceed the 15 vector registers spills
//     an accumulator in every round and takes twice as long. An exit in
//     the middle of the loop ends the block.
//   - wazero checks bounds once per pointer and block, so a block should do
//     much work with few pointers.

#include "simd.h"

// ---- reductions -----------------------------------------------------------

// The sums (a0+a1)+(a2+a3) of the four vectors, in the four lanes.
INLINE v128_t sums_f32(v128_t a, v128_t b, v128_t c, v128_t d) {
  v128_t ab = ADD(wasm_i32x4_shuffle(a, b, 0, 2, 4, 6), wasm_i32x4_shuffle(a, b, 1, 3, 5, 7));
  v128_t cd = ADD(wasm_i32x4_shuffle(c, d, 0, 2, 4, 6), wasm_i32x4_shuffle(c, d, 1, 3, 5, 7));
  return ADD(wasm_i32x4_shuffle(ab, cd, 0, 2, 4, 6), wasm_i32x4_shuffle(ab, cd, 1, 3, 5, 7));
}

INLINE float sum_f32(v128_t a) {
  return wasm_f32x4_extract_lane(sums_f32(a, a, a, a), 0);
}

// ---- dot products ---------------------------------------------------------

float EXPORT(dot_f32)(const float *a, const float *b, u32 n) {
  v128_t low = ZERO, high = ZERO;
  for (const float *end = a + n; a != end; a += 8, b += 8) {
    MUL_ADD(low, LOAD(a, 0), LOAD(b, 0));
    MUL_ADD(high, LOAD(a, 4), LOAD(b, 4));
  }
  return sum_f32(ADD(low, high));
}

i32 EXPORT(dot_i8)(const i8 *a, const i8 *b, u32 n) {
  v128_t sum = ZERO;
  for (const i8 *end = a + n; a != end; a += 16, b += 16) {
    DOT_ADD(sum, WIDEN(a, 0), WIDEN(b, 0));
    DOT_ADD(sum, WIDEN(a, 8), WIDEN(b, 8));
  }
  return sum_i32(sum);
}

INLINE float dot_i8_i16(const i8 *row, const i16 *q, u32 n, float scale) {
  v128_t sum = ZERO;
  for (const i8 *end = row + n; row != end; row += 16, q += 16) {
    DOT_ADD(sum, WIDEN(row, 0), LOAD(q, 0));
    DOT_ADD(sum, WIDEN(row, 8), LOAD(q, 8));
  }
  return (float)sum_i32(sum) * scale;
}

// ---- scans ----------------------------------------------------------------

void EXPORT(scan_f32)(float *x, const float *rows, const float *q, u32 n, u32 stride) {
  u32 half = n / 2;
  const float *row0 = rows, *row1 = rows + half * stride;
  const float *q_end = q + stride, *q_last = q_end - 8;
  for (float *end = x + half; x != end; x++) {
    v128_t low0 = ZERO, high0 = ZERO, low1 = ZERO, high1 = ZERO;
    const float *r0 = row0, *r1 = row1, *c = q;
    do {
      v128_t low = LOAD(c, 0), high = LOAD(c, 4);
      MUL_ADD(low0, LOAD(r0, 0), low);
      MUL_ADD(high0, LOAD(r0, 4), high);
      MUL_ADD(low1, LOAD(r1, 0), low);
      MUL_ADD(high1, LOAD(r1, 4), high);
      if (c == q_last) break; // the stride is an odd multiple of 8
      low = LOAD(c, 8), high = LOAD(c, 12);
      MUL_ADD(low0, LOAD(r0, 8), low);
      MUL_ADD(high0, LOAD(r0, 12), high);
      MUL_ADD(low1, LOAD(r1, 8), low);
      MUL_ADD(high1, LOAD(r1, 12), high);
      r0 += 16, r1 += 16, c += 16;
    } while (c != q_end);
    v128_t v = sums_f32(ADD(low0, high0), ADD(low1, high1), ZERO, ZERO);
    wasm_v128_store32_lane(x, v, 0);
    wasm_v128_store32_lane(x + half, v, 1);
    row0 += stride, row1 += stride;
  }
  if (n & 1) x[half] = dot_f32(row1, q, stride);
}

// Four values: rows 0 and 1 with the first query, then with the second.
INLINE void store_pairs(float *x, float *y, u32 half, v128_t v) {
  wasm_v128_store32_lane(x, v, 0);
  wasm_v128_store32_lane(x + half, v, 1);
  wasm_v128_store32_lane(y, v, 2);
  wasm_v128_store32_lane(y + half, v, 3);
}

// One load of a row, multiplied with both queries.
#define MUL_ADD_BOTH(accq, accp, r, q, p) \
  do { v128_t v_ = r; MUL_ADD(accq, v_, q); MUL_ADD(accp, v_, p); } while (0)

void EXPORT(scan2_f32)(float *x, float *y, const float *rows, const float *q, const float *p, u32 n, u32 stride) {
  u32 half = n / 2;
  const float *r0 = rows, *r1 = rows + half * stride;
  const float *q_end = q + stride, *q_last = q_end - 4;
  for (float *end = x + half; x != end; x++, y++) {
    v128_t low0q = ZERO, high0q = ZERO, low1q = ZERO, high1q = ZERO;
    v128_t low0p = ZERO, high0p = ZERO, low1p = ZERO, high1p = ZERO;
    const float *c = q, *d = p;
    do {
      v128_t lowq = LOAD(c, 0), lowp = LOAD(d, 0);
      MUL_ADD_BOTH(low0q, low0p, LOAD(r0, 0), lowq, lowp);
      MUL_ADD_BOTH(low1q, low1p, LOAD(r1, 0), lowq, lowp);
      if (c == q_last) break; // ends the block; never taken, the stride being a multiple of 8
      v128_t highq = LOAD(c, 4), highp = LOAD(d, 4);
      MUL_ADD_BOTH(high0q, high0p, LOAD(r0, 4), highq, highp);
      MUL_ADD_BOTH(high1q, high1p, LOAD(r1, 4), highq, highp);
      r0 += 8, r1 += 8, c += 8, d += 8;
    } while (c != q_end);
    store_pairs(x, y, half, sums_f32(ADD(low0q, high0q), ADD(low1q, high1q), ADD(low0p, high0p), ADD(low1p, high1p)));
  }
  if (n & 1) {
    x[half] = dot_f32(r1, q, stride);
    y[half] = dot_f32(r1, p, stride);
  }
}

void EXPORT(scan_i8)(float *x, const i8 *rows, const float *scales, const i16 *q, float q_scale, u32 n, u32 stride) {
  u32 half = n / 2;
  const i8 *r0 = rows, *r1 = rows + half * stride;
  const i16 *q_end = q + stride;
  for (float *end = x + half; x != end; x++, scales++) {
    v128_t even0 = ZERO, odd0 = ZERO, even1 = ZERO, odd1 = ZERO;
    const i16 *c = q;
    do {
      v128_t even = LOAD(c, 0), odd = LOAD(c, 8);
      DOT_ADD(even0, WIDEN(r0, 0), even);
      DOT_ADD(odd0, WIDEN(r0, 8), odd);
      DOT_ADD(even1, WIDEN(r1, 0), even);
      DOT_ADD(odd1, WIDEN(r1, 8), odd);
      r0 += 16, r1 += 16, c += 16;
    } while (c != q_end);
    v128_t v = wasm_f32x4_convert_i32x4(sums_i32(ADD_I32(even0, odd0), ADD_I32(even1, odd1), ZERO, ZERO));
    x[0] = wasm_f32x4_extract_lane(v, 0) * (scales[0] * q_scale);
    x[half] = wasm_f32x4_extract_lane(v, 1) * (scales[half] * q_scale);
  }
  if (n & 1) x[half] = dot_i8_i16(r1, q, stride, scales[half] * q_scale);
}

#define DOT_ADD_BOTH(accq, accp, r, q, p) \
  do { v128_t v_ = r; DOT_ADD(accq, v_, q); DOT_ADD(accp, v_, p); } while (0)

void EXPORT(scan2_i8)(float *x, float *y, const i8 *rows, const float *scales, const i16 *q, const i16 *p,
                      float q_scale, float p_scale, u32 n, u32 stride) {
  u32 half = n / 2;
  const i8 *row0 = rows, *row1 = rows + half * stride;
  const i16 *q_end = q + stride, *q_last = q_end - 16;
  v128_t query_scales = wasm_f32x4_make(q_scale, q_scale, p_scale, p_scale);
  for (float *end = x + half; x != end; x++, y++, scales++) {
    v128_t sum0q = ZERO, sum1q = ZERO, sum0p = ZERO, sum1p = ZERO;
    const i8 *r0 = row0, *r1 = row1;
    const i16 *c = q, *d = p;
    do {
      v128_t evenq = LOAD(c, 0), evenp = LOAD(d, 0), oddq = LOAD(c, 8), oddp = LOAD(d, 8);
      DOT_ADD_BOTH(sum0q, sum0p, WIDEN(r0, 0), evenq, evenp);
      DOT_ADD_BOTH(sum1q, sum1p, WIDEN(r1, 0), evenq, evenp);
      DOT_ADD_BOTH(sum0q, sum0p, WIDEN(r0, 8), oddq, oddp);
      DOT_ADD_BOTH(sum1q, sum1p, WIDEN(r1, 8), oddq, oddp);
      if (c == q_last) break; // the stride is an odd multiple of 16
      evenq = LOAD(c, 16), evenp = LOAD(d, 16), oddq = LOAD(c, 24), oddp = LOAD(d, 24);
      DOT_ADD_BOTH(sum0q, sum0p, WIDEN(r0, 16), evenq, evenp);
      DOT_ADD_BOTH(sum1q, sum1p, WIDEN(r1, 16), evenq, evenp);
      DOT_ADD_BOTH(sum0q, sum0p, WIDEN(r0, 24), oddq, oddp);
      DOT_ADD_BOTH(sum1q, sum1p, WIDEN(r1, 24), oddq, oddp);
      r0 += 32, r1 += 32, c += 32, d += 32;
    } while (c != q_end);
    v128_t dots = wasm_f32x4_convert_i32x4(sums_i32(sum0q, sum1q, sum0p, sum1p));
    v128_t row_scales = wasm_f32x4_make(scales[0], scales[half], scales[0], scales[half]);
    store_pairs(x, y, half, wasm_f32x4_mul(dots, wasm_f32x4_mul(row_scales, query_scales)));
    row0 += stride, row1 += stride;
  }
  if (n & 1) {
    x[half] = dot_i8_i16(row1, q, stride, scales[half] * q_scale);
    y[half] = dot_i8_i16(row1, p, stride, scales[half] * p_scale);
  }
}

// ---- scores and selection -------------------------------------------------

// Two scores, in the low lanes, from the low lanes of x, y and norm2.
#define SCORES(x, y, norm2) ({                                                                  \
  v128_t n2_ = wasm_f64x2_promote_low_f32x4(norm2), y_ = wasm_f64x2_promote_low_f32x4(y);       \
  v128_t square_ = wasm_f64x2_add(n2_, wasm_f64x2_mul(d1s, y_));                                \
  square_ = wasm_f64x2_add(square_, wasm_f64x2_mul(d2s, wasm_f64x2_mul(y_, y_)));               \
  square_ = wasm_f64x2_add(square_, d0s);                                                       \
  v128_t above_ = wasm_f64x2_mul(as, wasm_f64x2_add(wasm_f64x2_promote_low_f32x4(x), x0s));     \
  v128_t score_ = wasm_f64x2_div(above_, wasm_f64x2_sqrt(square_));                             \
  v128_t sound_ = wasm_v128_and(wasm_f64x2_ne(n2_, ZERO),                                       \
                                wasm_f64x2_gt(square_, wasm_f64x2_mul(guards, n2_)));           \
  wasm_f32x4_demote_f64x2_zero(wasm_v128_and(score_, sound_)); })

// A null y counts as zeros. out may be x or y.
void EXPORT(score)(float *out, const float *x, const float *y, const float *norm2, u32 n,
                   double a, double x0, double d0, double d1, double d2) {
  v128_t as = wasm_f64x2_splat(a), x0s = wasm_f64x2_splat(x0);
  v128_t d0s = wasm_f64x2_splat(d0), d1s = wasm_f64x2_splat(d1), d2s = wasm_f64x2_splat(d2);
  v128_t guards = wasm_f64x2_splat(1e-6);
  if (!y) { // with both coefficients zero, norm2 leaves the square as it is
    y = norm2;
    d1s = d2s = ZERO;
  }
  float *last = out + (n & ~1u);
  for (; out != last; out += 2, x += 2, y += 2, norm2 += 2)
    wasm_v128_store64_lane(
        out, SCORES(wasm_v128_load64_zero(x), wasm_v128_load64_zero(y), wasm_v128_load64_zero(norm2)), 0);
  if (n & 1)
    wasm_v128_store32_lane(
        out, SCORES(wasm_v128_load32_zero(x), wasm_v128_load32_zero(y), wasm_v128_load32_zero(norm2)), 0);
}

void EXPORT(add_scaled)(float *out, const float *x, const float *scale, float most, u32 n) {
  float *last = out + (n & ~3u);
  v128_t mosts = wasm_f32x4_splat(most);
  for (; out != last; out += 4, x += 4, scale += 4)
    wasm_v128_store(out, ADD(LOAD(out, 0), wasm_f32x4_pmin(wasm_f32x4_mul(LOAD(x, 0), LOAD(scale, 0)), mosts)));
  for (float *end = last + (n & 3); out != end; out++, x++, scale++) {
    float product = *x * *scale;
    *out += most < product ? most : product;
  }
}

#define REACH(s, k) wasm_f32x4_ge(LOAD(s, k), thresholds)

u32 EXPORT(select_ge)(u32 *idx, const float *scores, u32 n, float threshold) {
  u32 count = 0, i = 0;
  v128_t thresholds = wasm_f32x4_splat(threshold);
  // Nearly every score of a block lies below the threshold, so sixteen at a
  // time are looked at together. If one reaches it, the sixteen indexes are
  // written without a branch, which would be mispredicted.
  for (; n - i >= 16; i += 16) {
    const float *s = scores + i;
    v128_t any = wasm_v128_or(wasm_v128_or(REACH(s, 0), REACH(s, 4)), wasm_v128_or(REACH(s, 8), REACH(s, 12)));
    if (!wasm_v128_any_true(any)) continue;
    for (u32 j = i; j < i + 16; j++) {
      idx[count] = j;
      count += scores[j] >= threshold;
    }
  }
  for (; i < n; i++) {
    idx[count] = i;
    count += scores[i] >= threshold;
  }
  return count;
}

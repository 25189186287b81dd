// The steps of an encoder's forward pass, and how its weights are read. exact.go,
// rounded.go and linear8.go in kernel/dense and encoding.go in pack define what each
// function computes; this file computes the same bits.
// kernel.c says what the module may not have, and what the loops are shaped by.
//
// Widths are multiples of 16 unless a function says otherwise. Rows that are
// multiplied by int8 weights lie in blocks of four, interleaved by groups of four
// values: the values 0 to 3 of row 0, of row 1, of row 2, of row 3, then the values
// 4 to 7 of row 0, and so on. The last block has the rows that are left. So the inner
// loop reads all four rows through one pointer.
//
// With RELAXED, the module also multiplies bytes, for weights that allow it (grouped.h).

#include "simd.h"

#define F32(x) wasm_f32x4_const_splat(x)

// Four vectors of four, rows turned into columns.
INLINE void transpose(v128_t *a, v128_t *b, v128_t *c, v128_t *d) {
  v128_t ab = wasm_i32x4_shuffle(*a, *b, 0, 4, 1, 5), cd = wasm_i32x4_shuffle(*c, *d, 0, 4, 1, 5);
  v128_t ab2 = wasm_i32x4_shuffle(*a, *b, 2, 6, 3, 7), cd2 = wasm_i32x4_shuffle(*c, *d, 2, 6, 3, 7);
  *a = wasm_i64x2_shuffle(ab, cd, 0, 2), *b = wasm_i64x2_shuffle(ab, cd, 1, 3);
  *c = wasm_i64x2_shuffle(ab2, cd2, 0, 2), *d = wasm_i64x2_shuffle(ab2, cd2, 1, 3);
}

// The same, stored ld apart.
INLINE void store_transposed(float *to, u32 ld, v128_t a, v128_t b, v128_t c, v128_t d) {
  transpose(&a, &b, &c, &d);
  wasm_v128_store(to, a), wasm_v128_store(to + ld, b);
  wasm_v128_store(to + 2 * ld, c), wasm_v128_store(to + 3 * ld, d);
}

// Outputs of a row, up to four, from the sums of its products.
INLINE void put(float *to, v128_t products, const float *row_scale, const float *row_middle, v128_t scale, v128_t sum, v128_t shift, u32 outputs) {
  v128_t v = MUL(MUL(wasm_f32x4_convert_i32x4(products), scale), wasm_v128_load32_splat(row_scale));
  v = ADD(ADD(v, MUL(sum, wasm_v128_load32_splat(row_middle))), shift);
  if (outputs >= 4) {
    wasm_v128_store(to, v);
  } else {
    wasm_v128_store32_lane(to, v, 0);
    if (outputs > 1) wasm_v128_store32_lane(to + 1, v, 1);
    if (outputs > 2) wasm_v128_store32_lane(to + 2, v, 2);
  }
}

#ifdef RELAXED
#include "grouped.h"
#endif

// The sum of sixteen lanes: those 8 apart first, then 4, 2 and 1.
INLINE float sum16(v128_t a, v128_t b, v128_t c, v128_t d) {
  v128_t v = ADD(ADD(a, c), ADD(b, d));
  v = ADD(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
  v = ADD(v, wasm_i32x4_shuffle(v, v, 1, 0, 3, 2));
  return wasm_f32x4_extract_lane(v, 0);
}

INLINE float highest(v128_t v) {
  v = wasm_f32x4_pmax(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
  v = wasm_f32x4_pmax(v, wasm_i32x4_shuffle(v, v, 1, 0, 3, 2));
  return wasm_f32x4_extract_lane(v, 0);
}

INLINE float lowest(v128_t v) {
  v = wasm_f32x4_pmin(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
  v = wasm_f32x4_pmin(v, wasm_i32x4_shuffle(v, v, 1, 0, 3, 2));
  return wasm_f32x4_extract_lane(v, 0);
}

INLINE float greater(float a, float b) { return a < b ? b : a; }

// Adding 1.5 · 2²³ rounds a number of small magnitude to an integer, half to even,
// which the lowest bits of the sum then are.
#define SHIFTER 12582912.0f
#define SHIFTER_BITS 0x4b400000

// Sixteen numbers, which go through every step together. V8 makes each constant anew where it is
// used, with three instructions. And since each step waits for the one before, a processor needs
// several vectors to be busy, but the compiler would take one vector after the other through all
// steps. TOGETHER keeps it from that.
typedef struct {
  v128_t v[4];
} v512_t;

#define TOGETHER(a) __asm__ volatile("" : "+r"(a.v[0]), "+r"(a.v[1]), "+r"(a.v[2]), "+r"(a.v[3]))
#define EACH4 _Pragma("unroll") for (u32 i = 0; i < 4; i++)
#define EACH4_IS(name, parameters, expression) \
  INLINE v512_t name parameters {             \
    v512_t out;                               \
    EACH4 out.v[i] = expression;              \
    TOGETHER(out);                            \
    return out;                               \
  }

EACH4_IS(load16, (const float *p), LOAD(p, 4 * i))
EACH4_IS(add16, (v512_t a, v512_t b), ADD(a.v[i], b.v[i]))
EACH4_IS(sub16, (v512_t a, v512_t b), SUB(a.v[i], b.v[i]))
EACH4_IS(mul16, (v512_t a, v512_t b), MUL(a.v[i], b.v[i]))
EACH4_IS(div16, (v512_t a, v512_t b), wasm_f32x4_div(a.v[i], b.v[i]))
EACH4_IS(abs16, (v512_t a), wasm_f32x4_abs(a.v[i]))
EACH4_IS(neg16, (v512_t a), wasm_f32x4_neg(a.v[i]))
INLINE v512_t all16(v128_t v) { return (v512_t){{v, v, v, v}}; }
#define ALL(x) all16(F32(x))
#define PLUS(a, x) add16(a, ALL(x))
#define TIMES(a, x) mul16(a, ALL(x))

INLINE void store16(float *p, v512_t a) { EACH4 wasm_v128_store(p + 4 * i, a.v[i]); }

// y · 2^n of an integer n, which the lowest bits of power are, and 0 where x is below -64.
EACH4_IS(scaled16, (v512_t y, v512_t power, v512_t x),
         wasm_v128_and(ADD_I32(y.v[i], wasm_i32x4_shl(power.v[i], 23)), wasm_f32x4_ge(x.v[i], F32(-64.0f))))

// e^x for x ≤ 0, and 0 below -64.
INLINE v512_t exp16(v512_t all) {
  v512_t power = PLUS(TIMES(all, 1.44269504088896341f), SHIFTER), n = PLUS(power, -SHIFTER), x = all;
  x = sub16(x, TIMES(n, 0.693359375f));
  x = sub16(x, TIMES(n, -2.12194440e-4f));
  v512_t y = PLUS(TIMES(x, 1.9875691500e-4f), 1.3981999507e-3f);
  y = PLUS(mul16(y, x), 8.3334519073e-3f);
  y = PLUS(mul16(y, x), 4.1665795894e-2f);
  y = PLUS(mul16(y, x), 1.6666665459e-1f);
  y = PLUS(mul16(y, x), 5.0000001201e-1f);
  y = PLUS(add16(mul16(y, mul16(x, x)), x), 1.0f);
  return scaled16(y, power, all);
}

// ---- activations ----------------------------------------------------------

// max(x, 0) - |x| · tail. pmax(a, b) is b only if a < b: +0 for -0.
EACH4_IS(positive, (v512_t x, v512_t magnitude, v512_t tail), SUB(wasm_f32x4_pmax(ZERO, x.v[i]), MUL(magnitude.v[i], tail.v[i])))

// Both are one function, to share the exponential's code.
static __attribute__((noinline)) void activate(float *x, u32 n, u32 tanh) {
  for (float *end = x + n; x != end; x += 16) {
    v512_t v = load16(x), magnitude = abs16(v), factor, exponent;
    if (tanh) {
      v512_t u = PLUS(TIMES(mul16(v, v), 0.0713548162726f), 1.59576912160573f);
      factor = exponent = mul16(u, magnitude);
    } else {
      v512_t z = TIMES(magnitude, 0.70710678118654752f), t = div16(ALL(1.0f), PLUS(TIMES(z, 0.3275911f), 1.0f));
      factor = PLUS(TIMES(t, 0.5307027145f), -0.726576013f);
      factor = PLUS(mul16(factor, t), 0.7107068705f);
      factor = PLUS(mul16(factor, t), -0.142248368f);
      factor = PLUS(mul16(factor, t), 0.127414796f);
      factor = mul16(factor, t);
      exponent = mul16(z, z);
    }
    v512_t power = exp16(neg16(exponent));
    store16(x, positive(v, magnitude, tanh ? div16(power, PLUS(power, 1.0f)) : mul16(factor, power)));
  }
}

void EXPORT(gelu)(float *x, u32 n) { activate(x, n, 0); }

void EXPORT(gelu_tanh)(float *x, u32 n) { activate(x, n, 1); }

// ---- layer norm -----------------------------------------------------------

#define EACH16(p, end) for (; p != end; p += 16)

// A null residual is none.
void EXPORT(norm_rows)(float *x, const float *residual, u32 ld, u32 rows, u32 width, const float *gamma, const float *beta, float epsilon) {
  float n = (float)width;
  for (; rows; rows--, x += ld) {
    float *p, *end = x + width;
    v128_t a = ZERO, b = ZERO, c = ZERO, d = ZERO;
    p = x;
    if (residual) {
      const float *r = residual;
      for (; p != end; p += 16, r += 16) {
        v128_t v = ADD(LOAD(p, 0), LOAD(r, 0)), w = ADD(LOAD(p, 4), LOAD(r, 4));
        a = ADD(a, v), b = ADD(b, w);
        wasm_v128_store(p, v), wasm_v128_store(p + 4, w);
        v = ADD(LOAD(p, 8), LOAD(r, 8)), w = ADD(LOAD(p, 12), LOAD(r, 12));
        c = ADD(c, v), d = ADD(d, w);
        wasm_v128_store(p + 8, v), wasm_v128_store(p + 12, w);
      }
      residual += ld;
    } else {
      EACH16(p, end) a = ADD(a, LOAD(p, 0)), b = ADD(b, LOAD(p, 4)), c = ADD(c, LOAD(p, 8)), d = ADD(d, LOAD(p, 12));
    }
    v128_t mean = wasm_f32x4_splat(sum16(a, b, c, d) / n);
    a = b = c = d = ZERO;
    p = x;
    EACH16(p, end) {
      v128_t v = SUB(LOAD(p, 0), mean), w = SUB(LOAD(p, 4), mean);
      MUL_ADD(a, v, v);
      MUL_ADD(b, w, w);
      v = SUB(LOAD(p, 8), mean), w = SUB(LOAD(p, 12), mean);
      MUL_ADD(c, v, v);
      MUL_ADD(d, w, w);
    }
    v128_t inverse = wasm_f32x4_splat(1.0f / __builtin_sqrtf(sum16(a, b, c, d) / n + epsilon));
    const float *g = gamma, *h = beta;
    for (p = x; p != end; p += 4, g += 4, h += 4)
      wasm_v128_store(p, ADD(MUL(MUL(SUB(LOAD(p, 0), mean), inverse), LOAD(g, 0)), LOAD(h, 0)));
  }
}

// ---- products with int8 weights -------------------------------------------

// Four values as int32.
#define ROUND(v) wasm_i32x4_sub(ADD(MUL(SUB(v, middle_), factor_), F32(SHIFTER)), wasm_i32x4_const_splat(SHIFTER_BITS))

void EXPORT(round_rows)(i16 *to, float *scales, float *middles, const float *x, u32 ldx, u32 rows, u32 width) {
  for (u32 i = 0; i < rows; i++, x += ldx) {
    u32 height = rows - (i & ~3u) < 4 ? rows - (i & ~3u) : 4;
    i16 *q = to + (i & ~3u) * width + 4 * (i & 3);
    const float *p, *end = x + width;
    v128_t low = LOAD(x, 0), high = low;
    for (p = x; p != end; p += 8) {
      low = wasm_f32x4_pmin(wasm_f32x4_pmin(low, LOAD(p, 0)), LOAD(p, 4));
      high = wasm_f32x4_pmax(wasm_f32x4_pmax(high, LOAD(p, 0)), LOAD(p, 4));
    }
    float least = lowest(low), most = highest(high);
    float middle = least + (most - least) * 0.5f;
    float distance = greater(most - middle, middle - least);
    scales[i] = distance / 127.0f;
    middles[i] = middle;
    v128_t middle_ = wasm_f32x4_splat(middle);
    v128_t factor_ = wasm_f32x4_splat(distance >= 0x1p-100f ? 127.0f / distance : 0.0f);
    for (p = x; p != end; p += 8, q += 8 * height) {
      v128_t v = wasm_i16x8_narrow_i32x4(ROUND(LOAD(p, 0)), ROUND(LOAD(p, 4)));
      wasm_v128_store64_lane(q, v, 0);
      wasm_v128_store64_lane(q + 4 * height, v, 1);
    }
#ifdef RELAXED
    if (width % GROUP == 0) round_bytes(to, rows, width, i);
#endif
  }
}

// Up to four rows times four outputs. x has the rows of one block, w the weights of
// each group.
INLINE void tile(const u32 height, float *y, u32 ldy, const i16 *x, const float *row_scales, const float *row_middles, u32 groups,
                 const i8 *w, const float *scales, const float *sums, const float *bias, u32 outputs) {
  v128_t low[4] = {ZERO, ZERO, ZERO, ZERO}, high[4] = {ZERO, ZERO, ZERO, ZERO};
  for (const i8 *end = w + 16 * groups; w != end; w += 16, x += 4 * height) {
    v128_t w0 = WIDEN(w, 0), w1 = WIDEN(w, 8);
#pragma unroll
    for (u32 r = 0; r < height; r++) {
      v128_t v = wasm_v128_load64_splat(x + 4 * r);
      DOT_ADD(low[r], v, w0);
      DOT_ADD(high[r], v, w1);
    }
  }
  v128_t scale = LOAD(scales, 0), sum = LOAD(sums, 0), shift = LOAD(bias, 0);
#pragma unroll
  for (u32 r = 0; r < height; r++) {
    v128_t v = ADD_I32(wasm_i32x4_shuffle(low[r], high[r], 0, 2, 4, 6), wasm_i32x4_shuffle(low[r], high[r], 1, 3, 5, 7));
    put(y + r * ldy, v, row_scales + r, row_middles + r, scale, sum, shift, outputs);
  }
}

// Reorders weights [outputs, in] in place, as linear_i8 reads them, and adds up those
// of each output. outputs is a multiple of 16; rows has room for 8 · in. Returns the
// form of the weights, which linear_i8 is told.
u32 EXPORT(pack_i8)(i8 *values, float *sums, const float *scales, u32 outputs, u32 in, i8 *rows) {
  const i8 *p = values;
  for (const float *end = sums + outputs; sums != end; sums++, scales++) {
    v128_t sum = ZERO;
    for (const i8 *last = p + in; p != last; p += 16)
      sum = ADD_I32(sum, wasm_i32x4_extadd_pairwise_i16x8(wasm_i16x8_extadd_pairwise_i8x16(LOAD(p, 0))));
    *sums = (float)sum_i32(sum) * *scales;
  }
#ifdef RELAXED
  if (in % GROUP == 0 && all_grouped(values, outputs * in)) {
    pack_grouped(values, outputs, in, rows);
    return GROUPED;
  }
#endif
  for (; outputs; outputs -= 4, values += 4 * in) {
    for (u32 i = 0; i < 4 * in; i += 16) wasm_v128_store(rows + i, LOAD(values, i));
    for (u32 i = 0; i < in; i += 16)
      store_transposed((float *)(values + 4 * i), 4, LOAD(rows, i), LOAD(rows, in + i), LOAD(rows, 2 * in + i), LOAD(rows, 3 * in + i));
  }
  return 0;
}

// Rows that round_rows or its like made, of 4 · groups values, times weights that
// lie in blocks of four outputs: for each group, its four weights to each of them.
// scales, sums and bias are as long as the blocks. The form is what pack_i8 gave.
void EXPORT(linear_i8)(float *y, u32 ldy, const i16 *x, const float *row_scales, const float *row_middles, u32 rows, u32 groups,
                       const i8 *weights, const float *scales, const float *sums, const float *bias, u32 outputs,
                       u32 form) {
#ifdef RELAXED
  if (form == GROUPED) {
    linear_grouped(y, ldy, x, row_scales, row_middles, rows, groups, (const u8 *)weights, scales, sums, bias, outputs);
    return;
  }
#endif
  (void)form;
  for (u32 o = 0; o < outputs; o += 4) {
    const i8 *w = weights + o * 4 * groups;
    u32 i = 0, left = outputs - o;
    for (; rows - i >= 4; i += 4)
      tile(4, y + i * ldy + o, ldy, x + i * 4 * groups, row_scales + i, row_middles + i, groups, w, scales + o, sums + o, bias + o, left);
    const i16 *last = x + i * 4 * groups;
    switch (rows - i) {
    case 3: tile(3, y + i * ldy + o, ldy, last, row_scales + i, row_middles + i, groups, w, scales + o, sums + o, bias + o, left); break;
    case 2: tile(2, y + i * ldy + o, ldy, last, row_scales + i, row_middles + i, groups, w, scales + o, sums + o, bias + o, left); break;
    case 1: tile(1, y + i * ldy + o, ldy, last, row_scales + i, row_middles + i, groups, w, scales + o, sums + o, bias + o, left); break;
    }
  }
}

// ---- attention ------------------------------------------------------------

// Replaces a row of scores by weights. Its width is n rounded up to a multiple of
// 16.
INLINE void softmax(float *row, u32 n, u32 width, float scale) {
  float *p, *end = row + width;
  for (u32 j = n; j < width; j++) row[j] = -__builtin_inff();
  v128_t most = LOAD(row, 0);
  for (p = row; p != end; p += 4) most = wasm_f32x4_pmax(most, LOAD(p, 0));
  v512_t greatest = all16(wasm_f32x4_splat(highest(most))), scales = all16(wasm_f32x4_splat(scale)), sums = ALL(0.0f);
  p = row;
  EACH16(p, end) {
    v512_t v = exp16(mul16(sub16(load16(p), greatest), scales));
    store16(p, v);
    sums = add16(sums, v);
  }
  v128_t inverse = wasm_f32x4_splat(1.0f / sum16(sums.v[0], sums.v[1], sums.v[2], sums.v[3]));
  for (p = row; p != end; p += 4) wasm_v128_store(p, MUL(LOAD(p, 0), inverse));
}

// Scores of four queries, interleaved, and eight keys, of dim components each: the
// sums from the first component to the last.
INLINE void score_tile(float *scores, u32 width, const float *queries, const float *keys, u32 dim) {
  v128_t low[4] = {ZERO, ZERO, ZERO, ZERO}, high[4] = {ZERO, ZERO, ZERO, ZERO};
  for (const float *end = keys + 8 * dim; keys != end; keys += 8, queries += 4) {
    v128_t k0 = LOAD(keys, 0), k1 = LOAD(keys, 4);
#pragma unroll
    for (u32 r = 0; r < 4; r++) {
      v128_t q = wasm_v128_load32_splat(queries + r);
      MUL_ADD(low[r], q, k0);
      MUL_ADD(high[r], q, k1);
    }
  }
#pragma unroll
  for (u32 r = 0; r < 4; r++) {
    wasm_v128_store(scores + r * width, low[r]);
    wasm_v128_store(scores + r * width + 4, high[r]);
  }
}

// Eight components of the outputs of up to four queries, whose weights are
// interleaved by four.
INLINE void value_tile(float *out, u32 ldo, u32 height, const float *weights, const float *v, u32 ld, u32 n) {
  v128_t low[4] = {ZERO, ZERO, ZERO, ZERO}, high[4] = {ZERO, ZERO, ZERO, ZERO};
  for (const float *end = weights + 4 * n; weights != end; weights += 4, v += ld) {
    v128_t v0 = LOAD(v, 0), v1 = LOAD(v, 4);
#pragma unroll
    for (u32 r = 0; r < 4; r++) {
      v128_t w = wasm_v128_load32_splat(weights + r);
      MUL_ADD(low[r], w, v0);
      MUL_ADD(high[r], w, v1);
    }
  }
#pragma unroll
  for (u32 r = 0; r < 4; r++)
    if (r < height) {
      wasm_v128_store(out + r * ldo, low[r]);
      wasm_v128_store(out + r * ldo + 4, high[r]);
    }
}

// Up to four rows of n values side by side, value by value. The last row stands for
// those that are missing.
INLINE void interleave(float *to, u32 step, const float *from, u32 ld, u32 rows, u32 n) {
  const float *a = from, *b = rows > 1 ? a + ld : a, *c = rows > 2 ? b + ld : b, *d = rows > 3 ? c + ld : c;
  for (const float *end = a + n; a != end; a += 4, b += 4, c += 4, d += 4, to += 4 * step)
    store_transposed(to, step, LOAD(a, 0), LOAD(b, 0), LOAD(c, 0), LOAD(d, 0));
}

// One head of a sequence of n tokens. dim is a multiple of 8. keys has room for n
// rounded up to a multiple of 8, times dim; scores for 8 times n rounded up to a
// multiple of 16, and 4 · dim.
void EXPORT(attention)(float *out, u32 ldo, const float *q, const float *k, const float *v, u32 ld, u32 n, u32 dim, float scale, float *keys, float *scores) {
  u32 width = (n + 15) & ~15u;
  for (u32 j = 0; j < n; j += 8) { // eight keys side by side; for missing ones, any will do
    float *to = keys + j * dim;
    interleave(to, 8, k + j * ld, ld, n - j, dim);
    u32 second = n - j > 4 ? j + 4 : j;
    interleave(to + 4, 8, k + second * ld, ld, n - second, dim);
  }
  float *weights = scores + 4 * width, *queries = weights + 4 * width;
  for (u32 i = 0; i < n; i += 4) {
    u32 height = n - i < 4 ? n - i : 4;
    interleave(queries, 4, q + i * ld, ld, height, dim);
    for (u32 j = 0; j < n; j += 8) score_tile(scores + j, width, queries, keys + j * dim, dim);
    for (u32 r = 0; r < height; r++) softmax(scores + r * width, n, width, scale);
    interleave(weights, 4, scores, width, height, width);
    for (u32 d = 0; d < dim; d += 8) value_tile(out + i * ldo + d, ldo, height, weights, v + d, ld, n);
  }
}

// ---- weights of 4 bits ----------------------------------------------------

// A half-float that is finite and has no sign.
INLINE float half(u32 h) {
  union { u32 bits; float value; } f = {(h << 13) + (112u << 23)};
  return h < 0x400 ? (float)h * 0x1p-24f : f.value;
}

INLINE u32 half_bits(const u8 *p) { return p[0] | (u32)p[1] << 8; }

// What the sixteen values of a group become in a row with a scale.
INLINE v128_t table(float group, double scale) {
#define PAIR(a, b) wasm_i32x4_trunc_sat_f64x2_zero(wasm_f64x2_nearest(wasm_f64x2_div(wasm_f64x2_make(a * group, b * group), wasm_f64x2_splat(scale))))
  v128_t low = wasm_i64x2_shuffle(PAIR(1.0f, 2.0f), PAIR(3.0f, 4.0f), 0, 2), high = wasm_i64x2_shuffle(PAIR(5.0f, 6.0f), PAIR(7.0f, 0.0f), 0, 2);
  v128_t words = wasm_i16x8_narrow_i32x4(low, high), above = wasm_i8x16_narrow_i16x8(words, words); // of 1 to 7, and of 0
  return wasm_i8x16_shuffle(above, wasm_i8x16_neg(above), 7, 22, 21, 20, 19, 18, 17, 16, 7, 0, 1, 2, 3, 4, 5, 6);
}

// Rows of groups of 32 values of 4 bits become int8 with a scale for each row. width
// is a multiple of 32. Returns how many rows were sound: the first that is not ends
// the reading.
u32 EXPORT(read_q4)(i8 *to, float *scales, const u8 *from, u32 rows, u32 width) {
  u32 length = width / 32 * 18;
  for (u32 row = 0; row < rows; row++, from += length) {
    float greatest = 0;
    for (const u8 *p = from, *end = from + length; p != end; p += 18) {
      u32 h = half_bits(p);
      v128_t v = wasm_v128_load(p + 2), eight = wasm_i8x16_const_splat(8);
      v128_t low = wasm_i8x16_abs(wasm_i8x16_sub(wasm_v128_and(v, wasm_i8x16_const_splat(15)), eight));
      v128_t most = wasm_i8x16_max(low, wasm_i8x16_abs(wasm_i8x16_sub(wasm_u8x16_shr(v, 4), eight)));
      most = wasm_i8x16_max(most, wasm_i64x2_shuffle(most, most, 1, 0));
      most = wasm_i8x16_max(most, wasm_i32x4_shuffle(most, most, 1, 0, 3, 2));
      most = wasm_i8x16_max(most, wasm_i16x8_shuffle(most, most, 1, 0, 3, 2, 5, 4, 7, 6));
      i32 a = wasm_i8x16_extract_lane(most, 0), b = wasm_i8x16_extract_lane(most, 1);
      a = a < b ? b : a;
      if (h >= 0x7c00 || a > 7) return row;
      greatest = greater(greatest, half(h));
    }
    float scale = greatest / 18.0f;
    i8 *end = to + width;
    if (scale < 0x1p-126f) {
      for (; to != end; to += 16) wasm_v128_store(to, ZERO);
      scales[row] = 0;
      continue;
    }
    scales[row] = scale;
    for (const u8 *p = from; to != end; p += 18, to += 32) {
      v128_t values = table(half(half_bits(p)), scale), v = wasm_v128_load(p + 2);
      v128_t low = wasm_i8x16_swizzle(values, wasm_v128_and(v, wasm_i8x16_const_splat(15)));
      v128_t high = wasm_i8x16_swizzle(values, wasm_u8x16_shr(v, 4));
      wasm_v128_store(to, wasm_i8x16_shuffle(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
      wasm_v128_store(to + 16, wasm_i8x16_shuffle(low, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31));
    }
  }
  return rows;
}

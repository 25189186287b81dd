// Products of bytes, with an instruction of relaxed SIMD. It multiplies signed bytes with
// bytes from 0 to 127, and adds up pairs of products in 16 bits. What is relaxed about it
// are the results for other bytes and for sums beyond 16 bits, and neither occurs here: the
// sums are the integers of plain SIMD, on every machine.
//
// A sum of 32 products fits 16 bits if the weights are small enough. So each weight is a
// multiplier, which it shares with its group of 32 neighbours, times a number from -7 to 7.
// Packs of 4 bits are made like this; pack_i8 finds the multipliers. A sum of 16 bits costs
// one instruction to multiply and one to add for 16 products, where linear_i8's other form
// takes four.

#define GROUP 32
#define GROUPED 1 // the form of such weights, for linear_i8
#define MOST 7
#define ZERO_NIBBLE 8 // numbers are stored as 1 to 15

// Eight outputs lie together, group after group. A group has eight vectors of 16 bytes, one for
// every four inputs: in the lower halves of its bytes the numbers of the outputs 0 to 3, in the
// higher those of 4 to 7. Then come the multipliers, twice each, in 16 bits.
#define WEIGHTS_BYTES (8 * 16 + 8 * 4)
// Rows lie in blocks of four, group after group: what each row adds because numbers are stored
// from zero on, then eight times four bytes of each row.
#define ROWS_BYTES (4 * 4 + 8 * 16)

typedef i8 bytes16 __attribute__((__vector_size__(16)));
#define DOT_BYTES(a, b) ((v128_t)__builtin_wasm_relaxed_dot_i8x16_i7x16_s_i16x8((bytes16)(a), (bytes16)(b)))

// Rows behind those that round_rows makes, from a boundary of 16 bytes on.
#define BYTE_ROWS(x, rows, width) ((i8 *)(x) + 2 * (rows) * (width))

// Row i of those that round_rows made, in bytes.
INLINE void round_bytes(i16 *all, u32 rows, u32 width, u32 i) {
  u32 first = i & ~3u, height = rows - first < 4 ? rows - first : 4;
  const i16 *x = all + first * width + 4 * (i & 3);
  i8 *to = BYTE_ROWS(all, rows, width) + first / 4 * (width / GROUP * ROWS_BYTES) + 4 * (i & 3);
  for (u32 g = width / GROUP; g; g--, to += 4 * 4 + 8 * 16) {
    v128_t sum = ZERO;
    for (u32 quad = 0; quad < 8; quad += 2, x += 8 * height) {
      v128_t v = wasm_v128_load64_lane(x + 4 * height, wasm_v128_load64_zero(x), 1);
      DOT_ADD(sum, v, wasm_i16x8_const_splat(-ZERO_NIBBLE));
      v = wasm_i8x16_narrow_i16x8(v, v);
      wasm_v128_store32_lane(to + 16 + 16 * quad, v, 0);
      wasm_v128_store32_lane(to + 32 + 16 * quad, v, 1);
    }
    sum = ADD_I32(sum, wasm_i32x4_shuffle(sum, sum, 2, 3, 0, 1));
    wasm_v128_store32_lane(to, wasm_i16x8_narrow_i32x4(sum, sum), 0);
  }
}

// What the magnitudes p are divided by m, if none is above most · m. Where that leaves a
// rest, it is added to rest.
INLINE v128_t divided(v128_t p, u32 m, u32 most, v128_t *rest) {
  v128_t quotient = ZERO, product = ZERO;
  for (u32 k = 1; k <= most; k++) {
    v128_t reached = wasm_u8x16_ge(p, wasm_i8x16_splat(k * m));
    quotient = wasm_i8x16_sub(quotient, reached);
    product = wasm_i8x16_add(product, wasm_v128_and(reached, wasm_i8x16_splat(m)));
  }
  *rest = wasm_v128_or(*rest, wasm_v128_xor(p, product));
  return quotient;
}

INLINE u32 largest(v128_t v) {
  v = wasm_u8x16_max(v, wasm_i64x2_shuffle(v, v, 1, 0));
  v = wasm_u8x16_max(v, wasm_i32x4_shuffle(v, v, 1, 0, 3, 2));
  v = wasm_u8x16_max(v, wasm_i16x8_shuffle(v, v, 1, 0, 3, 2, 5, 4, 7, 6));
  u32 a = wasm_u8x16_extract_lane(v, 0), b = wasm_u8x16_extract_lane(v, 1);
  return a < b ? b : a;
}

// A multiplier of 32 weights that leaves numbers up to MOST, or 0 if there is none.
INLINE u32 multiplier(v128_t a, v128_t b) {
  a = wasm_i8x16_abs(a), b = wasm_i8x16_abs(b);
  u32 most = largest(wasm_u8x16_max(a, b));
  if (!most) return 1;
  for (u32 k = MOST; k; k--) {
    u32 m = most / k;
    if (m * k != most) continue;
    v128_t rest = ZERO;
    divided(a, m, k, &rest), divided(b, m, k, &rest);
    if (!wasm_v128_any_true(rest)) return m;
  }
  return 0;
}

// Whether weights have multipliers.
INLINE u32 all_grouped(const i8 *values, u32 n) {
  for (const i8 *end = values + n; values != end; values += GROUP)
    if (!multiplier(LOAD(values, 0), LOAD(values, 16))) return 0;
  return 1;
}

// Numbers as they are stored, from weights and their multiplier.
INLINE v128_t numbers(v128_t v, u32 m) {
  v128_t rest, negative = wasm_i8x16_shr(v, 7), quotient = divided(wasm_i8x16_abs(v), m, MOST, &rest);
  return wasm_i8x16_add(wasm_i8x16_sub(wasm_v128_xor(quotient, negative), negative), wasm_i8x16_const_splat(ZERO_NIBBLE));
}

INLINE void pack_grouped(i8 *values, u32 outputs, u32 in, i8 *rows) {
  i8 *to = values;
  for (; outputs; outputs -= 8, values += 8 * in) {
    for (u32 i = 0; i < 8 * in; i += 16) wasm_v128_store(rows + i, LOAD(values, i));
    for (i8 *p = rows, *end = rows + in; p != end; p += GROUP, to += WEIGHTS_BYTES) {
      i16 *multipliers = (i16 *)(to + 8 * 16);
      for (u32 o = 0; o < 8; o++) {
        i8 *at = p + o * in;
        u32 m = multiplier(LOAD(at, 0), LOAD(at, 16));
        multipliers[2 * o] = multipliers[2 * o + 1] = m;
        wasm_v128_store(at, numbers(LOAD(at, 0), m)), wasm_v128_store(at + 16, numbers(LOAD(at, 16), m));
      }
      for (u32 k = 0; k < GROUP; k += 16) {
        v128_t a = LOAD(p, k), b = LOAD(p, in + k), c = LOAD(p, 2 * in + k), d = LOAD(p, 3 * in + k);
        v128_t e = LOAD(p, 4 * in + k), f = LOAD(p, 5 * in + k), g = LOAD(p, 6 * in + k), h = LOAD(p, 7 * in + k);
        transpose(&a, &b, &c, &d), transpose(&e, &f, &g, &h);
        wasm_v128_store(to + 4 * k, wasm_v128_or(a, wasm_i8x16_shl(e, 4)));
        wasm_v128_store(to + 4 * k + 16, wasm_v128_or(b, wasm_i8x16_shl(f, 4)));
        wasm_v128_store(to + 4 * k + 32, wasm_v128_or(c, wasm_i8x16_shl(g, 4)));
        wasm_v128_store(to + 4 * k + 48, wasm_v128_or(d, wasm_i8x16_shl(h, 4)));
      }
    }
  }
}

// Four rows times eight outputs, of which height rows are stored. The rows that are missing
// have whatever bytes there are.
INLINE void tile_grouped(u32 height, float *y, u32 ldy, const i8 *x, const float *row_scales, const float *row_middles, const u8 *w,
                         const u8 *end, const float *scales, const float *sums, const float *bias, u32 outputs) {
  v128_t low[4] = {ZERO, ZERO, ZERO, ZERO}, high[4] = {ZERO, ZERO, ZERO, ZERO};
#pragma clang loop unroll(disable)
  do {
    v128_t a[4], b[4];
#pragma unroll
    for (u32 r = 0; r < 4; r++) a[r] = b[r] = wasm_v128_load32_splat(x + 4 * r);
    x += 4 * 4;
    const u8 *last = w + 8 * 16;
#pragma clang loop unroll(disable)
    do {
      v128_t v = LOAD(w, 0), w0 = wasm_v128_and(v, wasm_i8x16_const_splat(15));
      v128_t w1 = wasm_v128_and(wasm_u16x8_shr(v, 4), wasm_i8x16_const_splat(15));
#pragma unroll
      for (u32 r = 0; r < 4; r++) {
        v = wasm_v128_load32_splat(x + 4 * r);
        a[r] = wasm_i16x8_add(a[r], DOT_BYTES(v, w0));
        b[r] = wasm_i16x8_add(b[r], DOT_BYTES(v, w1));
      }
      w += 16, x += 16;
    } while (w != last);
    v128_t m0 = LOAD(w, 0), m1 = LOAD(w, 16);
    w += 8 * 4;
#pragma unroll
    for (u32 r = 0; r < 4; r++) {
      DOT_ADD(low[r], a[r], m0);
      DOT_ADD(high[r], b[r], m1);
    }
  } while (w != end);
  v128_t scale0 = LOAD(scales, 0), sum0 = LOAD(sums, 0), shift0 = LOAD(bias, 0);
  v128_t scale1 = LOAD(scales, 4), sum1 = LOAD(sums, 4), shift1 = LOAD(bias, 4);
#pragma unroll
  for (u32 r = 0; r < 4; r++) {
    if (r == height) return;
    put(y + r * ldy, low[r], row_scales + r, row_middles + r, scale0, sum0, shift0, outputs);
    if (outputs > 4) put(y + r * ldy + 4, high[r], row_scales + r, row_middles + r, scale1, sum1, shift1, outputs - 4);
  }
}

INLINE void linear_grouped(float *y, u32 ldy, const i16 *all, const float *row_scales, const float *row_middles, u32 rows, u32 quads,
                           const u8 *w, const float *scales, const float *sums, const float *bias, u32 outputs) {
  u32 groups = quads / 8;
  for (u32 o = 0; o < outputs; o += 8) {
    const i8 *x = BYTE_ROWS(all, rows, 4 * quads);
    const u8 *end = w + groups * WEIGHTS_BYTES;
    for (u32 i = 0; i < rows; i += 4, x += groups * ROWS_BYTES)
      tile_grouped(rows - i < 4 ? rows - i : 4, y + i * ldy + o, ldy, x, row_scales + i, row_middles + i, w, end, scales + o, sums + o, bias + o, outputs - o);
    w = end;
  }
}

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
//
// Inputs go in blocks of two groups. A step takes two inputs from either half of a block, so
// that an output's sums for the two groups lie side by side, and one instruction multiplies
// both by their multipliers and adds them up. If a group is left over, it is a block of its
// own, whose halves share the multiplier.

#define GROUP 32
#define BLOCK 64
#define GROUPED 1 // the form of such weights, for linear_i8
#define MOST 7
#define ZERO_NIBBLE 8 // numbers are stored as 1 to 15
#define FEW_ROWS 24   // up to so many, unpacking numbers once costs more than it saves

// Eight outputs lie together, block after block. A block has a vector of 16 bytes for every
// step: in the lower halves of its bytes the numbers of the outputs 0 to 3, in the higher those
// of 4 to 7. Then come the multipliers in 16 bits, two for each output.
#define WEIGHTS_BYTES(width) (4 * (width) + ((width) + BLOCK - 1) / BLOCK * 8 * 4)
// Rows lie four together, block after block: what the halves of each row add because numbers are
// stored from zero on, then for every step four bytes of each row.
#define ROWS_BYTES(width) (4 * (width) + ((width) + BLOCK - 1) / BLOCK * 4 * 4)

typedef i8 bytes16 __attribute__((__vector_size__(16)));
#define DOT_BYTES(a, b) ((v128_t)__builtin_wasm_relaxed_dot_i8x16_i7x16_s_i16x8((bytes16)(a), (bytes16)(b)))

#define LOWER(v) wasm_v128_and(v, wasm_i8x16_const_splat(15))
#define HIGHER(v) LOWER(wasm_u16x8_shr(v, 4))

// Rows behind those that round_rows makes, from a boundary of 16 bytes on. Behind them is room
// for eight outputs that linear_i8 unpacks.
#define BYTE_ROWS(x, rows, width) ((i8 *)(x) + 2 * (rows) * (width))

// The size of the block that begins where so many inputs are left.
INLINE u32 block_size(u32 left) { return left < BLOCK ? GROUP : BLOCK; }

// The end of the steps of the block at w, packed or unpacked. The last block ends at end.
INLINE const u8 *block_end(const u8 *w, const u8 *end, u32 unpacked) {
  const u8 *last = w + (4 * BLOCK << unpacked);
  return last < end ? last : end - 8 * 4;
}

// Row i of those that round_rows made, in bytes.
INLINE void round_bytes(i16 *all, u32 rows, u32 width, u32 i) {
  u32 first = i & ~3u, height = rows - first < 4 ? rows - first : 4;
  const i16 *x = all + first * width + 4 * (i & 3);
  i8 *to = BYTE_ROWS(all, rows, width) + first / 4 * ROWS_BYTES(width) + 4 * (i & 3);
  for (u32 left = width, size; left; left -= size) {
    size = block_size(left);
    const i16 *second = x + size / 2 * height;
    v128_t sum = ZERO;
    i8 *sums = to;
    to += 4 * 4;
    for (const i16 *end = second; x != end; x += 4 * height, second += 4 * height, to += 2 * 16) {
      v128_t v = wasm_v128_load64_zero(x), w = wasm_v128_load64_zero(second);
      v = wasm_i32x4_shuffle(v, w, 0, 4, 1, 5);
      DOT_ADD(sum, v, wasm_i16x8_const_splat(-ZERO_NIBBLE));
      v = wasm_i8x16_narrow_i16x8(v, v);
      wasm_v128_store32_lane(to, v, 0);
      wasm_v128_store32_lane(to + 16, v, 1);
    }
    x = second;
    sum = ADD_I32(sum, wasm_i32x4_shuffle(sum, sum, 2, 3, 0, 1));
    wasm_v128_store32_lane(sums, wasm_i16x8_narrow_i32x4(sum, sum), 0);
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

// Four steps of an output, from its numbers in a block of that size.
INLINE v128_t steps(const i8 *p, u32 size) {
  return wasm_i16x8_shuffle(wasm_v128_load64_zero(p), wasm_v128_load64_zero(p + size / 2), 0, 8, 1, 9, 2, 10, 3, 11);
}

INLINE void pack_grouped(i8 *values, u32 outputs, u32 in, i8 *rows) {
  i8 *to = values;
  for (; outputs; outputs -= 8, values += 8 * in) {
    for (u32 i = 0; i < 8 * in; i += 16) wasm_v128_store(rows + i, LOAD(values, i));
    i8 *p = rows;
    for (u32 left = in, size; left; left -= size) {
      size = block_size(left);
      i16 *multipliers = (i16 *)(to + 4 * size);
      for (u32 o = 0; o < 8; o++) {
        for (u32 g = 0; g < 2; g++) {
          i8 *at = p + o * in + g * (size - GROUP);
          multipliers[2 * o + g] = multiplier(LOAD(at, 0), LOAD(at, 16));
        }
        for (u32 k = 0; k < size; k += 16) {
          i8 *at = p + o * in + k;
          wasm_v128_store(at, numbers(LOAD(at, 0), multipliers[2 * o + k / GROUP]));
        }
      }
      for (i8 *end = p + size / 2; p != end; p += 8, to += 4 * 16) {
        v128_t a = steps(p, size), b = steps(p + in, size), c = steps(p + 2 * in, size), d = steps(p + 3 * in, size);
        const i8 *q = p + 4 * in;
        v128_t e = steps(q, size), f = steps(q + in, size), g = steps(q + 2 * in, size), h = steps(q + 3 * in, size);
        transpose(&a, &b, &c, &d), transpose(&e, &f, &g, &h);
        wasm_v128_store(to, wasm_v128_or(a, wasm_i8x16_shl(e, 4)));
        wasm_v128_store(to + 16, wasm_v128_or(b, wasm_i8x16_shl(f, 4)));
        wasm_v128_store(to + 32, wasm_v128_or(c, wasm_i8x16_shl(g, 4)));
        wasm_v128_store(to + 48, wasm_v128_or(d, wasm_i8x16_shl(h, 4)));
      }
      p += size / 2, to += 8 * 4;
    }
  }
}

// Eight outputs, with a byte for each number: for every step those of the outputs 0 to 3, then
// those of 4 to 7. Blocks end with their multipliers as before. Returns the end.
INLINE u8 *unpack(u8 *to, const u8 *w, const u8 *end) {
  do {
    const u8 *last = block_end(w, end, 0);
    for (; w != last; w += 16, to += 2 * 16) {
      v128_t v = LOAD(w, 0);
      wasm_v128_store(to, LOWER(v)), wasm_v128_store(to + 16, HIGHER(v));
    }
    wasm_v128_store(to, LOAD(w, 0)), wasm_v128_store(to + 16, LOAD(w, 16));
    w += 8 * 4, to += 8 * 4;
  } while (w != end);
  return to;
}

// The steps of a block, for four rows and eight outputs.
INLINE void multiply(v128_t *a, v128_t *b, const i8 *x, const u8 *w, const u8 *last, const u32 unpacked) {
#pragma clang loop unroll(disable)
  do {
    v128_t v = LOAD(w, 0), w0 = unpacked ? v : LOWER(v), w1 = unpacked ? LOAD(w, 16) : HIGHER(v);
#pragma unroll
    for (u32 r = 0; r < 4; r++) {
      v = wasm_v128_load32_splat(x + 4 * r);
      a[r] = wasm_i16x8_add(a[r], DOT_BYTES(v, w0));
      b[r] = wasm_i16x8_add(b[r], DOT_BYTES(v, w1));
    }
    w += 16 << unpacked, x += 16;
  } while (w != last);
}

// Four rows times eight outputs, of which height rows are stored. The rows that are missing
// have whatever bytes there are.
INLINE void tile_grouped(u32 height, float *y, u32 ldy, const i8 *x, const float *row_scales, const float *row_middles, const u8 *w,
                         const u8 *end, u32 unpacked, const float *scales, const float *sums, const float *bias, u32 outputs) {
  v128_t low[4] = {ZERO, ZERO, ZERO, ZERO}, high[4] = {ZERO, ZERO, ZERO, ZERO};
#pragma clang loop unroll(disable)
  do {
    v128_t a[4], b[4];
#pragma unroll
    for (u32 r = 0; r < 4; r++) a[r] = b[r] = wasm_v128_load32_splat(x + 4 * r);
    x += 4 * 4;
    const u8 *last = block_end(w, end, unpacked);
    if (unpacked)
      multiply(a, b, x, w, last, 1);
    else
      multiply(a, b, x, w, last, 0);
    x += (u32)(last - w) >> unpacked;
    v128_t m0 = LOAD(last, 0), m1 = LOAD(last, 16);
    w = last + 8 * 4;
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
  u32 width = 4 * quads, unpacked = rows > FEW_ROWS;
  const i8 *first = BYTE_ROWS(all, rows, width);
  u8 *room = (u8 *)first + (rows + 3) / 4 * ROWS_BYTES(width);
  for (u32 o = 0; o < outputs; o += 8) {
    const i8 *x = first;
    const u8 *next = w + WEIGHTS_BYTES(width), *end = next;
    if (unpacked) end = unpack(room, w, end), w = room;
    for (u32 i = 0; i < rows; i += 4, x += ROWS_BYTES(width))
      tile_grouped(rows - i < 4 ? rows - i : 4, y + i * ldy + o, ldy, x, row_scales + i, row_middles + i, w, end, unpacked, scales + o, sums + o, bias + o, outputs - o);
    w = next;
  }
}

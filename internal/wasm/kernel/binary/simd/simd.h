// What the sources of the kernel share.

#include <stdint.h>
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name))) name
#define INLINE static inline __attribute__((always_inline))

typedef int8_t i8;
typedef uint8_t u8;
typedef int16_t i16;
typedef int32_t i32;
typedef uint32_t u32;

#define ZERO wasm_i32x4_const_splat(0)
#define LOAD(p, k) wasm_v128_load((p) + (k))
#define ADD(a, b) wasm_f32x4_add(a, b)
#define MUL(a, b) wasm_f32x4_mul(a, b)
#define SUB(a, b) wasm_f32x4_sub(a, b)
#define ADD_I32(a, b) wasm_i32x4_add(a, b)

// acc += product, rounded in between: no fused multiply-add.
#define MUL_ADD(acc, a, b) acc = ADD(acc, MUL(a, b))

// Eight int8, widened; acc += the four sums of two neighbouring products.
#define WIDEN(p, k) wasm_i16x8_load8x8((p) + (k))
#define DOT_ADD(acc, a, b) acc = ADD_I32(acc, wasm_i32x4_dot_i16x8(a, b))

// The sums (a0+a1)+(a2+a3) of the four vectors, in the four lanes.
INLINE v128_t sums_i32(v128_t a, v128_t b, v128_t c, v128_t d) {
  v128_t ab = ADD_I32(wasm_i32x4_shuffle(a, b, 0, 2, 4, 6), wasm_i32x4_shuffle(a, b, 1, 3, 5, 7));
  v128_t cd = ADD_I32(wasm_i32x4_shuffle(c, d, 0, 2, 4, 6), wasm_i32x4_shuffle(c, d, 1, 3, 5, 7));
  return ADD_I32(wasm_i32x4_shuffle(ab, cd, 0, 2, 4, 6), wasm_i32x4_shuffle(ab, cd, 1, 3, 5, 7));
}

INLINE i32 sum_i32(v128_t a) {
  return wasm_i32x4_extract_lane(sums_i32(a, a, a, a), 0);
}

// A plain read of memory: what the scans of kernel.c are measured against.
// Built and tied to this source like kernel.wasm; no part of a search.

#include <stdint.h>
#include <wasm_simd128.h>

// OR of size bytes from p on, a multiple of 128, in two streams half apart.
__attribute__((export_name("read"))) uint32_t read(const uint8_t *p, uint32_t size) {
  v128_t a = wasm_i32x4_const_splat(0), b = a, c = a, d = a;
  const uint8_t *q = p + size / 2;
  for (const uint8_t *end = q; p != end; p += 64, q += 64) {
    a = wasm_v128_or(a, wasm_v128_or(wasm_v128_load(p), wasm_v128_load(p + 16)));
    b = wasm_v128_or(b, wasm_v128_or(wasm_v128_load(p + 32), wasm_v128_load(p + 48)));
    c = wasm_v128_or(c, wasm_v128_or(wasm_v128_load(q), wasm_v128_load(q + 16)));
    d = wasm_v128_or(d, wasm_v128_or(wasm_v128_load(q + 32), wasm_v128_load(q + 48)));
  }
  a = wasm_v128_or(wasm_v128_or(a, b), wasm_v128_or(c, d));
  a = wasm_v128_or(a, wasm_i64x2_shuffle(a, a, 1, 0));
  return wasm_i32x4_extract_lane(a, 0) | wasm_i32x4_extract_lane(a, 1);
}

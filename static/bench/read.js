// The yardstick: how fast memory can be read. This builds a module that loads a
// range of memory, 128 bytes per step, and computes the exclusive or of
// everything, so that no load can be optimised away.

const V128 = 0x7b;
const I64 = 0x7e;
const I32 = 0x7f;

const name = (/** @type {string} */ text) => [text.length, ...new TextEncoder().encode(text)];
const section = (/** @type {number} */ id, /** @type {number[]} */ content) => [
  id,
  ...unsigned(content.length),
  ...content,
];

/** @param {number} n */
function unsigned(n) {
  const out = [];
  for (; n > 127; n >>>= 7) out.push((n & 127) | 128);
  return [...out, n];
}

const get = (/** @type {number} */ local) => [0x20, local];
const set = (/** @type {number} */ local) => [0x21, local];
const load = (/** @type {number} */ offset) => [0xfd, 0x00, 0, offset];
const xor = [0xfd, 0x51];
const signed = (/** @type {number} */ n) => [(n & 127) | 128, n >> 7]; // 64 to 8191
const ADD_I32 = 0x6a;
const SUB_I32 = 0x6b;
const SHIFT_RIGHT_I32 = 0x76;

/**
 * (func (export "read") (param $from i32) (param $to i32) (result i64)): reads
 * two streams, half of the range apart, like the kernel; a single stream is
 * slower.
 */
function build() {
  const [from, to, middle, accumulator] = [0, 1, 2, 3]; // four accumulators: locals 3 to 6
  const round = Array.from({ length: 8 }, (_, k) => [
    ...get(accumulator + (k % 4)),
    ...get(k % 2 ? middle : from),
    ...load(16 * (k >> 1)),
    ...xor,
    ...set(accumulator + (k % 4)),
  ]).flat();
  const advance = (/** @type {number} */ local) => [...get(local), 0x41, ...signed(64), ADD_I32, ...set(local)];
  const body = [
    2,
    1,
    I32,
    4,
    V128, // locals
    ...get(to),
    ...get(from),
    SUB_I32,
    0x41,
    1,
    SHIFT_RIGHT_I32,
    ...get(from),
    ADD_I32,
    ...set(middle),
    0x03,
    0x40, // loop
    ...round,
    ...advance(from),
    ...advance(middle),
    ...get(middle),
    ...get(to),
    0x49,
    0x0d,
    0, // again while middle < to
    0x0b,
    ...get(3),
    ...get(4),
    ...xor,
    ...get(5),
    ...xor,
    ...get(6),
    ...xor,
    0xfd,
    0x1d,
    0, // the low half
    0x0b,
  ];
  return Uint8Array.from([
    0x00,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...section(1, [1, 0x60, 2, I32, I32, 1, I64]),
    ...section(2, [1, ...name('go'), ...name('mem'), 2, 0, 0]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name('read'), 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]);
}

/**
 * A function that reads [from, to) of the memory; the length must be a
 * multiple of 128.
 * @param {WebAssembly.Memory} memory
 * @returns {Promise<(from: number, to: number) => bigint>}
 */
export async function reader(memory) {
  const { instance } = await WebAssembly.instantiate(build(), { go: { mem: memory } });
  return /** @type {(from: number, to: number) => bigint} */ (instance.exports.read);
}

// Runs a kernel alone over a memory of its own. Operands are generated here
// with the same generator as in kernel_test.go, because sending them would take
// long.

import { base64, bytes } from './base64.js';

const memory = new WebAssembly.Memory({ initial: 2048 }); // 128 MB
async function instantiate(name) {
  const module = await WebAssembly.compile(await (await fetch(`/static/lib/${name}.wasm`)).arrayBuffer());
  return (await WebAssembly.instantiate(module, { go: { mem: memory } })).exports;
}
const kernels = { kernel: await instantiate('kernel'), 'kernel-relaxed': await instantiate('kernel-relaxed') };

/** xorshift32 */
function stream(seed) {
  let s = seed >>> 0;
  return () => {
    s ^= s << 13;
    s ^= s >>> 17;
    s ^= s << 5;
    return s >>> 0;
  };
}

const scratch = new DataView(new ArrayBuffer(4));

function fromBits(bits) {
  scratch.setUint32(0, bits);
  return scratch.getFloat32(0);
}

const kinds = {
  uniform: (r) => (r | 0) / 2 ** 31,
  huge: (r) => ((r | 0) / 2 ** 31) * (1e18 / 64),
  denormal: (r) => fromBits((r & 0x807fffff) >>> 0),
  zero: (r) => (r & 1 ? 0 : -0),
  mixed: (r) => fromBits(((r & 0x807fffff) | ((90 + ((r >>> 23) % 50)) << 23)) >>> 0),
};

// Operands are at odd multiples of 4, because the kernel may assume no more
// alignment.
let next = 68;
const place = (length) => {
  const at = next;
  next = ((next + length + 63) & ~63) + 68;
  if (next > memory.buffer.byteLength) throw new Error('the operands do not fit the memory');
  return at;
};

function floatRows({ kind, seed, n, d, stride }) {
  const at = place(4 * n * stride);
  const view = new Float32Array(memory.buffer, at, n * stride);
  const random = stream(seed);
  for (let i = 0; i < n; i++) {
    view.fill(0, i * stride, (i + 1) * stride);
    for (let j = 0; j < d; j++) view[i * stride + j] = kinds[kind](random());
  }
  return at;
}

function byteRows({ kind, seed, n, d, stride }) {
  const at = place(n * stride);
  const view = new Int8Array(memory.buffer, at, n * stride);
  const random = stream(seed);
  for (let i = 0; i < n; i++) {
    view.fill(0, i * stride, (i + 1) * stride);
    for (let j = 0; j < d; j++) view[i * stride + j] = kind === 'extreme' ? (random() & 1 ? 127 : -128) : random() >>> 24;
  }
  return at;
}

function given(data) {
  const content = bytes(data ?? '');
  const at = place(content.length);
  new Uint8Array(memory.buffer, at, content.length).set(content);
  return at;
}

/**
 * Calls an export. Arguments: a number; {rows: ...} or {bytes: ...} to be
 * generated; {data: base64}; {out: length in bytes}. Returns the export's
 * result and the outs.
 */
export function run(name, args) {
  next = 68;
  const outs = [];
  const values = args.map((arg) => {
    if (typeof arg === 'number') return arg;
    if (arg.rows) return floatRows(arg.rows);
    if (arg.bytes) return byteRows(arg.bytes);
    if (arg.out !== undefined) {
      const at = place(arg.out);
      new Uint8Array(memory.buffer, at, arg.out).fill(0xa5); // so that missing writes show
      outs.push([at, arg.out]);
      return at;
    }
    return given(arg.data);
  });
  const result = kernels.kernel[name](...values);
  return { result: result ?? 0, outs: outs.map(([at, length]) => base64(new Uint8Array(memory.buffer, at, length))) };
}

/**
 * Multiplies rows of floats by weights, with a kernel of that name. All arrays are base64. Returns
 * the form that it gave the weights, and the products.
 */
export function products(name, { rows, width, outputs, padded, x, weights, scales, bias }) {
  next = 68;
  const kernel = kernels[name];
  const room = (length) => {
    const at = place(length);
    new Uint8Array(memory.buffer, at, length).fill(0xa5);
    return at;
  };
  const [values, scale] = [given(weights), given(scales)];
  const sums = room(4 * padded);
  const form = kernel.pack_i8(values, sums, scale, padded, width, room(8 * width));
  const rounded = room(4 * (rows + 3) * width); // more than either form of rows takes
  const [rowScales, rowMiddles] = [room(4 * rows), room(4 * rows)];
  kernel.round_rows(rounded, rowScales, rowMiddles, given(x), width, rows, width);
  const y = room(4 * rows * outputs);
  const rest = [rows, width / 4, values, scale, sums, given(bias), outputs, form];
  kernel.linear_i8(y, outputs, rounded, rowScales, rowMiddles, ...rest);
  return { form, y: base64(new Uint8Array(memory.buffer, y, 4 * rows * outputs)) };
}

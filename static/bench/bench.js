// Times the engine on random rows: whole searches, their scans, and a plain
// read of the same memory for comparison. The steps of a round follow each
// other, so that other load on the machine affects all of them.

import * as abi from '../src/engine/abi.js';
import { Core } from '../src/engine/core.js';
import { Encoder } from '../src/engine/encoder.js';
import { loadModules } from '../src/engine/modules.js';
import { Rows } from '../src/engine/rows.js';
import { gunzip } from '../src/collection/gunzip.js';
import { shim } from '../src/engine/shim.js';
import { encoderFiles, vectorFiles } from './data.js';
import { reader } from './read.js';

/**
 * @typedef {Awaited<ReturnType<typeof prepare>>} Bench
 * @typedef {ReturnType<typeof load>} Loaded
 */

const N = 100_000;
const D = 384;
const ANGLE = 128; // components of an angle
const K = 10;
const WARM_UP = 4;

const QUERY = 'Find a claim that opposes the argument: Night trains deserve public subsidy';
const ROOT = 'Night trains deserve public subsidy';
const PERSPECTIVE = 'a claim that opposes the argument';

const fetchBytes = async (/** @type {string} */ url) => new Uint8Array(await (await fetch(url)).arrayBuffer());

/** A core with both kinds of rows and an encoder. */
async function prepare() {
  const modules = await loadModules();
  const core = await Core.boot(modules);
  const { mem } = core.exports;
  const kernel = (await WebAssembly.instantiate(modules.kernel, { go: { mem } })).exports;
  const read = await reader(mem);
  const encoder = new Encoder(core, encoderFiles(await fetchBytes('/tokenizer.json'), D));
  const root = encoder.encode(ROOT).vector;
  return {
    core,
    kernel: /** @type {{[name: string]: (...args: number[]) => void}} */ (kernel),
    read,
    encoder,
    F32: load(core, 'F32', root),
    I8: load(core, 'I8', root),
    scratch: core.allocate(2 * 4 * N), // results of the bare scans
    queries: core.allocate(4 * 4 * D),
  };
}

/**
 * @param {Core} core
 * @param {'F32'|'I8'} dtype
 * @param {Float32Array} root
 */
function load(core, dtype, root) {
  const rows = new Rows(core, D, dtype === 'I8' ? abi.ROWS_I8 : abi.ROWS_F32, N);
  const files = [];
  for (const { first, rows: count, file, offset, scales } of vectorFiles(dtype, N, D, root)) {
    const pointer = core.allocate(file.length);
    core.bytes(pointer, file.length).set(file);
    core.checked('index_load', rows.handle, first, pointer, file.length);
    files.push({
      rows: count,
      vectors: pointer + offset,
      scales: pointer + (scales ?? 0),
      bytes: count * D * (dtype === 'I8' ? 1 : 4),
    });
  }
  for (const { first, file } of vectorFiles(dtype, N, ANGLE)) rows.loadAngles(first, file);
  return { rows, files, bytes: files.reduce((sum, file) => sum + file.bytes, 0) };
}

/**
 * The steps of a round by name.
 * @param {Bench} bench
 */
function steps({ core, kernel, read, encoder, F32, I8, scratch, queries }) {
  const vectors = (/** @type {string} */ text) => encoder.encode(text).vector;
  const [q, r, p] = [QUERY, ROOT, PERSPECTIVE].map(vectors);
  core.floats(queries, D).set(q);
  core.floats(queries + 4 * D, D).set(p);
  const coarse = (/** @type {Float32Array} */ vector) => Int16Array.from(vector, (v) => v * 10_000);
  new Int16Array(core.exports.mem.buffer, queries + 8 * D, D).set(coarse(q));
  new Int16Array(core.exports.mem.buffer, queries + 12 * D, D).set(coarse(p));
  const [q32, p32, q16, p16] = [queries, queries + 4 * D, queries + 8 * D, queries + 12 * D];
  const [x, y] = [scratch, scratch + 4 * N];

  const ranking = { query: q, root: r, perspectives: [p], lambda: 1, k: K, mmr: null, filters: [] };
  const search =
    (/** @type {Loaded} */ index, /** @type {string} */ method, explain = false, cosineRank = false) =>
    () =>
      index.rows.search({ ...ranking, method, explain, cosineRank });
  // The difference of the angles is as long as the bundled model's mostly is, 0.8. At strength 10 an angle may
  // lift any row into the answer.
  const [u, v] = apart(q.slice(0, ANGLE), p.slice(0, ANGLE), 0.8);
  const contrast = (/** @type {Loaded} */ index, /** @type {number} */ strength) => () =>
    index.rows.search({ ...ranking, method: 'contrast', angles: [u, v], strength, explain: false });
  const whole = (/** @type {Loaded} */ index) => () => {
    const [query, root, perspective] = [QUERY, ROOT, PERSPECTIVE].map(vectors);
    return index.rows.search({ ...ranking, query, root, perspectives: [perspective], method: 'pap+', explain: false });
  };
  /**
   * @param {Loaded} index
   * @param {(file: Loaded['files'][number]) => void} call
   */
  const each = (index, call) => () => index.files.forEach(call);
  // Reads in steps of 128 bytes; up to 127 bytes at the end of a file are not
  // read.
  const readAll = (/** @type {Loaded} */ index) =>
    each(index, (file) => read(file.vectors, file.vectors + (file.bytes & ~127)));
  return {
    'read F32': readAll(F32),
    'scan F32 1': each(F32, (f) => kernel.scan_f32(x, f.vectors, q32, f.rows, D)),
    'scan F32 2': each(F32, (f) => kernel.scan2_f32(x, y, f.vectors, q32, p32, f.rows, D)),
    'search F32 none': search(F32, 'none'),
    'search F32 pap+': search(F32, 'pap+'),
    'search F32 contrast': contrast(F32, 0.4),
    'search F32 angles': contrast(F32, 10),
    'whole F32': whole(F32),
    'read I8': readAll(I8),
    'scan I8 1': each(I8, (f) => kernel.scan_i8(x, f.vectors, f.scales, q16, 1, f.rows, D)),
    'scan I8 2': each(I8, (f) => kernel.scan2_i8(x, y, f.vectors, f.scales, q16, p16, 1, 1, f.rows, D)),
    'search I8 none': search(I8, 'none'),
    'search I8 pap+': search(I8, 'pap+'),
    'search I8 contrast': contrast(I8, 0.4),
    'search I8 angles': contrast(I8, 10),
    'explained I8 pap+': search(I8, 'pap+', true),
    'ranked I8 pap+': search(I8, 'pap+', true, true),
    'whole I8': whole(I8),
    encode: () => [QUERY, ROOT, PERSPECTIVE].map(vectors),
  };
}

/**
 * Two unit vectors whose difference has this length, in the plane of two others.
 * @param {Float32Array} a
 * @param {Float32Array} b
 * @param {number} length
 */
function apart(a, b, length) {
  const unit = (/** @type {Float32Array} */ x) => x.map((c) => c / Math.hypot(...x));
  const along = unit(a);
  const part = b.reduce((sum, c, i) => sum + c * along[i], 0);
  const across = unit(b.map((c, i) => c - part * along[i]));
  const [sin, cos] = [length / 2, Math.sqrt(1 - length ** 2 / 4)];
  return [1, -1].map((sign) => along.map((c, i) => cos * c + sign * sin * across[i]));
}

/**
 * Milliseconds of each step in each round.
 * @param {number} rounds
 */
async function run(rounds) {
  const bench = await prepare();
  const all = steps(bench);
  /** @type {{[step: string]: number[]}} */
  const times = Object.fromEntries(Object.keys(all).map((name) => [name, []]));
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const [name, step] of Object.entries(all)) {
      const start = performance.now();
      step();
      if (round >= 0) times[name].push(performance.now() - start);
    }
    await new Promise((resolve) => setTimeout(resolve)); // gives the browser time to compile and collect
  }
  return {
    n: N,
    d: D,
    bytes: { F32: bench.F32.bytes, I8: bench.I8.bytes },
    resolution: crossOriginIsolated ? 0.005 : 0.1,
    times,
  };
}

/**
 * Milliseconds from the modules' bytes to a core that answers, once. The core's
 * bytes get a unique ending, so that the browser cannot reuse a module that it
 * compiled earlier.
 */
async function boot() {
  const packed = await fetchBytes('../lib/core.wasm.gz');
  const bytes = await gunzip(packed, 2 ** 26, 'core');
  const kernel = await fetchBytes('../lib/kernel.wasm');
  const salted = new Uint8Array(bytes.length + 19);
  salted.set(bytes);
  salted.set([0, 17, 0], bytes.length); // a custom section without a name
  crypto.getRandomValues(salted.subarray(bytes.length + 3));
  const start = performance.now();
  const [core, k, s] = await Promise.all([salted, kernel, shim].map((module) => WebAssembly.compile(module)));
  const compiled = performance.now();
  (await Core.boot({ core, kernel: k, shim: s })).memory();
  return { compile: compiled - start, boot: performance.now() - start };
}

Object.assign(window, { bench: { run, boot } });

const button = /** @type {HTMLButtonElement} */ (document.getElementById('run'));
const out = /** @type {HTMLElement} */ (document.getElementById('out'));

button.addEventListener('click', async () => {
  button.disabled = true;
  out.textContent = 'Running …';
  const { times } = await run(15);
  const lines = Object.entries(times).map(
    ([name, ms]) =>
      `${name.padEnd(20)} ${Math.min(...ms)
        .toFixed(2)
        .padStart(8)} ms`,
  );
  out.textContent = lines.join('\n');
  button.disabled = false;
});

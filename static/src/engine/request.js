// A ranking and its hits in the engine's memory, in the layouts of abi.js.

import * as abi from './abi.js';

/** Rows among which MMR chooses by default. */
const MMR_CANDIDATES = 100;

/**
 * @typedef {object} Ranking what to rank by
 * @property {string} method
 * @property {Float32Array} query
 * @property {Float32Array|null} root
 * @property {Float32Array[]} perspectives
 * @property {number} lambda
 * @property {number} k
 * @property {number|null} mmr
 * @property {boolean} explain fill the explanation fields of the hits
 * @property {boolean} [cosineRank] those of the rank under the plain cosine, too: may cost as much as the ranking
 * @property {Filter[]} filters
 * @property {number|null} [cut] of a gated method, if it is known
 * @property {boolean} [documents] of a part: tell which documents may be hits, too
 */

/**
 * @typedef {{column: number, kind: number, set?: Uint32Array|Float64Array, low?: number, high?: number}} Filter a
 * condition on a column
 */

/** Rows among which MMR chooses those of an answer. */
export function candidates({ k }) {
  return Math.max(MMR_CANDIDATES, k);
}

/**
 * @param {import('./core.js').Core} core
 * @param {import('./scope.js').Scope} scope
 * @param {Ranking} ranking
 * @param {[number, number]} [mask] address and length of a byte for each row, which stands in for the filters; 0: none
 * @returns {number} address of a SearchRequest
 */
export function writeRequest(core, scope, ranking, [mask, maskLength] = [0, 0]) {
  const { method, query, root, perspectives, lambda, k, mmr, explain, cosineRank = false, cut = null } = ranking;
  const [name, nameLength] = scope.text(method);
  const at = {
    query: scope.copy(query),
    root: root ? scope.copy(root) : 0,
    perspectives: perspectives.length ? scope.copy(join(perspectives)) : 0,
    cut: cut === null ? 0 : scope.copy(Float64Array.of(cut)),
  };
  const pointer = scope.reserve(abi.SearchRequest.size);
  const view = core.view(pointer, abi.SearchRequest.size);
  const field = abi.SearchRequest;
  view.setUint32(field.method, name, true);
  view.setUint32(field.methodLength, nameLength, true);
  view.setUint32(field.query, at.query, true);
  view.setUint32(field.root, at.root, true);
  view.setUint32(field.perspectives, at.perspectives, true);
  view.setUint32(field.perspectiveCount, perspectives.length, true);
  view.setUint32(field.k, k, true);
  view.setUint32(field.flags, (explain ? abi.FLAG_EXPLAIN : 0) | (cosineRank ? abi.FLAG_COSINE_RANK : 0), true);
  view.setUint32(field.mmrCandidates, candidates(ranking), true);
  view.setUint32(field.mask, mask, true);
  view.setUint32(field.maskLength, maskLength, true);
  view.setUint32(field.cut, at.cut, true);
  view.setFloat64(field.lambda, lambda, true);
  view.setFloat64(field.mmr, mmr ?? -1, true);
  return pointer;
}

/**
 * @param {Filter[]} filters
 * @returns {number} address of an array of abi.Filter
 */
export function writeFilters(core, scope, filters) {
  const sets = filters.map(({ set }) => (set ? scope.copy(set) : 0));
  const pointer = scope.reserve(filters.length * abi.Filter.size);
  filters.forEach(({ column, kind, set, low = 0, high = 0 }, i) => {
    const view = core.view(pointer + i * abi.Filter.size, abi.Filter.size);
    view.setUint32(abi.Filter.column, column, true);
    view.setUint32(abi.Filter.kind, kind, true);
    view.setUint32(abi.Filter.set, sets[i], true);
    view.setUint32(abi.Filter.setLength, set?.length ?? 0, true);
    view.setFloat64(abi.Filter.low, low, true);
    view.setFloat64(abi.Filter.high, high, true);
  });
  return pointer;
}

const WHOLE = ['row', 'document', 'cosineRank'];
const REAL = ['score', 'x', 'y', 'norm', 'numerator', 'denominator', 'cosine'];

/** Hits in the fields of abi.Hit, from an array of them at an address. */
export function readHits(core, pointer, count) {
  return Array.from({ length: count }, (_, i) => {
    const view = core.view(pointer + i * abi.Hit.size, abi.Hit.size);
    const hit = {};
    for (const name of WHOLE) hit[name] = view.getUint32(abi.Hit[name], true);
    for (const name of REAL) hit[name] = view.getFloat32(abi.Hit[name], true);
    return hit;
  });
}

/** The inverse of readHits; fields that a hit lacks are 0. */
export function writeHits(core, scope, hits) {
  const pointer = scope.reserve(hits.length * abi.Hit.size);
  hits.forEach((hit, i) => {
    const view = core.view(pointer + i * abi.Hit.size, abi.Hit.size);
    for (const name of WHOLE) view.setUint32(abi.Hit[name], hit[name] ?? 0, true);
    for (const name of REAL) view.setFloat32(abi.Hit[name], hit[name] ?? 0, true);
  });
  return pointer;
}

function join(vectors) {
  const out = new Float32Array(vectors.length * vectors[0].length);
  vectors.forEach((vector, i) => out.set(vector, i * vector.length));
  return out;
}

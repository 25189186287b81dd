// A ranking and its hits in the engine's memory, in the layouts of abi.js.

import * as abi from './abi.js';
import { MMR_CANDIDATES } from '../constants.js';

/** Fields of a hit by their type in memory: uint32 and float32. */
const WHOLE = /** @type {const} */ (['row', 'document', 'cosineRank']);
const REAL = /** @type {const} */ (['score', 'x', 'y', 'norm', 'numerator', 'denominator', 'cosine', 'topic', 'side']);

/**
 * @import { Condition } from '../query/filter.js'
 * @import { Core } from './core.js'
 * @import { Scope } from './scope.js'
 */

/**
 * A row of a ranking, in the fields of abi.Hit.
 * @typedef {{row: number, document: number, cosineRank: number} & {[Name in typeof REAL[number]]: number}} Hit
 */

/**
 * @typedef {object} Ranking what to rank by
 * @property {string} method
 * @property {Float32Array} query
 * @property {Float32Array|null} root
 * @property {Float32Array[]} perspectives
 * @property {number} lambda
 * @property {import('../../lib/index.d.ts').Score} [score] how vectors are compared; default: by their cosine
 * @property {Float32Array[]} [angles] of one length, for the methods that need them
 * @property {number} [strength] of the angles
 * @property {number} k
 * @property {number|null} mmr
 * @property {boolean} explain fill the explanation fields of the hits
 * @property {boolean} [cosineRank] also the rank by the query alone, which may cost as much as the ranking
 * @property {Condition[]} filters
 * @property {{root: import('./sides.js').Root, side: import('./sides.js').Side}|null} [only] the rows on one side of
 *   a root
 * @property {number|null} [cut] of a gated method, if it is known
 * @property {boolean} [documents] if this engine holds a part of the rows: also return which documents may be hits
 */

/**
 * The number of rows from which MMR chooses.
 * @param {Pick<Ranking, 'k'>} ranking
 */
export function candidates({ k }) {
  return Math.max(MMR_CANDIDATES, k);
}

/**
 * @param {Core} core
 * @param {Scope} scope
 * @param {Ranking} ranking
 * @param {[number, number]} [mask] address and length of a mask with a byte for each row, which replaces the filters;
 *   address 0: no mask
 * @returns {number} address of a SearchRequest
 */
export function writeRequest(core, scope, ranking, [mask, maskLength] = [0, 0]) {
  const { method, query, root, perspectives, lambda, k, mmr, explain } = ranking;
  const { angles = [], strength = 0, cosineRank = false, cut = null, score = 'cosine' } = ranking;
  const [name, nameLength] = scope.text(method);
  const at = {
    query: scope.copy(query),
    root: root ? scope.copy(root) : 0,
    perspectives: perspectives.length ? scope.copy(join(perspectives)) : 0,
    angles: angles.length ? scope.copy(join(angles)) : 0,
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
  view.setUint32(field.angles, at.angles, true);
  view.setUint32(field.angleCount, angles.length, true);
  view.setUint32(field.angleDim, angles[0]?.length ?? 0, true);
  view.setUint32(field.score, score === 'dot' ? abi.SCORE_DOT : abi.SCORE_COSINE, true);
  view.setFloat64(field.lambda, lambda, true);
  view.setFloat64(field.strength, strength, true);
  view.setFloat64(field.mmr, mmr ?? -1, true);
  return pointer;
}

/**
 * @param {Core} core
 * @param {Scope} scope
 * @param {Condition[]} filters
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

/**
 * Writes uint32 fields of a struct of abi.js; null is written as 0.
 * @template {{readonly [name: string]: number}} S
 * @param {DataView} view of the struct
 * @param {S} struct
 * @param {{[Name in keyof S]?: number|null}} fields
 */
export function writeFields(view, struct, fields) {
  for (const [name, value] of Object.entries(fields)) view.setUint32(struct[name], value ?? 0, true);
}

/**
 * Hits in the fields of abi.Hit, from an array of them at an address.
 * @param {Core} core
 * @param {number} pointer
 * @param {number} count
 */
export function readHits(core, pointer, count) {
  return Array.from({ length: count }, (_, i) => {
    const view = core.view(pointer + i * abi.Hit.size, abi.Hit.size);
    const hit = /** @type {Hit} */ ({});
    for (const name of WHOLE) hit[name] = view.getUint32(abi.Hit[name], true);
    for (const name of REAL) hit[name] = view.getFloat32(abi.Hit[name], true);
    return hit;
  });
}

/**
 * The inverse of readHits; fields that a hit lacks are 0.
 * @param {Core} core
 * @param {Scope} scope
 * @param {Partial<Hit>[]} hits
 */
export function writeHits(core, scope, hits) {
  const pointer = scope.reserve(hits.length * abi.Hit.size);
  hits.forEach((hit, i) => {
    const view = core.view(pointer + i * abi.Hit.size, abi.Hit.size);
    for (const name of WHOLE) view.setUint32(abi.Hit[name], hit[name] ?? 0, true);
    for (const name of REAL) view.setFloat32(abi.Hit[name], hit[name] ?? 0, true);
  });
  return pointer;
}

/** @param {Float32Array[]} vectors */
function join(vectors) {
  const out = new Float32Array(vectors.length * vectors[0].length);
  vectors.forEach((vector, i) => out.set(vector, i * vector.length));
  return out;
}

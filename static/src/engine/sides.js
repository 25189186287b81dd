// The sides of rows towards a root, as the engine tells them.

import * as abi from './abi.js';
import { writeRequest } from './request.js';

/**
 * @import { Condition } from '../query/filter.js'
 * @import { Rows } from './rows.js'
 * @import { Scope } from './scope.js'
 * @typedef {'for'|'neither'|'against'} Side
 * @typedef {{twoWidth: number, width: number, level: number, subject: number}} Calibration in the fields of
 *   abi.Calibration
 */

/**
 * What is necessary to tell sides.
 * @typedef {object} Root
 * @property {Float32Array} root its topic
 * @property {Float32Array[]} angles of two queries: for texts that support the root, and for texts that oppose it
 * @property {Calibration} calibration
 */

/** @typedef {Root & {strength: number, k: number, filters: Condition[]}} Poll which rows are on which side of a root */

/**
 * A row with its side.
 * @typedef {object} Told
 * @property {number} row MISSING_ROW: it is not here, or has no angle here
 * @property {number} document
 * @property {number} score by which its side is ordered
 * @property {Side} side the most probable
 * @property {number} probability of that side
 * @property {number} cosine
 * @property {number} slant
 * @property {boolean} onSubject
 */

/** @typedef {{[S in Side]: {count: number, hits: Told[]}}} Counted the rows of each side, the best of them as hits */

/** The sides, in the order of index_sides. @type {readonly Side[]} */
export const SIDES = ['for', 'neither', 'against'];

/** @type {{[S in Side]: number}} */
const CODES = { for: abi.SIDE_FOR, neither: abi.SIDE_NEITHER, against: abi.SIDE_AGAINST };

/**
 * Counts the rows of each side, and finds the best of them.
 * @param {Rows} rows
 * @param {Poll} poll
 * @returns {Counted}
 */
export function survey(rows, poll) {
  const { core, handle } = rows;
  return core.scoped((scope) => {
    const capacity = SIDES.length * Math.min(poll.k, rows.count);
    const asked = request(rows, scope, poll, rows.writeMask(scope, poll.filters));
    const summary = scope.reserve(abi.Sides.size);
    const hits = scope.reserve(capacity * abi.SideHit.size);
    const n = core.checked('index_sides', handle, ...asked, summary, hits, capacity);
    const told = readTold(rows, hits, n);
    const view = core.view(summary, abi.Sides.size);
    const field = abi.Sides;
    /**
     * @param {number} count
     * @param {number} best
     */
    const take = (count, best) => ({
      count: view.getUint32(count, true),
      hits: told.splice(0, view.getUint32(best, true)),
    });
    return {
      for: take(field.for, field.forHits),
      neither: take(field.neither, field.neitherHits),
      against: take(field.against, field.againstHits),
    };
  });
}

/**
 * The sides of hits of any ranking.
 * @param {Rows} rows
 * @param {Root} root
 * @param {{row: number, document: number}[]} hits
 * @returns {Told[]}
 */
export function tell(rows, root, hits) {
  const { core, handle } = rows;
  return core.scoped((scope) => {
    const asked = request(rows, scope, { ...root, strength: 0, k: 0, filters: [] });
    const at = scope.reserve(hits.length * abi.SideHit.size);
    hits.forEach(({ row, document }, i) => {
      const view = core.view(at + i * abi.SideHit.size, abi.SideHit.size);
      view.setUint32(abi.SideHit.row, row, true);
      view.setUint32(abi.SideHit.document, document, true);
    });
    return readTold(rows, at, core.checked('index_sides_of', handle, ...asked, at, hits.length));
  });
}

/**
 * Address and length of an array with a byte for each row: 1 if the row is on the subject of the root and on that side,
 * and the mask allows it.
 * @param {Rows} rows
 * @param {Scope} scope
 * @param {{root: Root, side: Side}} only
 * @param {[number, number]} mask address and length; address 0: all
 * @returns {[number, number]}
 */
export function writeSide(rows, scope, { root, side }, mask) {
  const { core, handle } = rows;
  const asked = request(rows, scope, { ...root, strength: 0, k: 0, filters: [] }, mask);
  const capacity = core.checked('index_mask', handle, 0, 0, 0, 0);
  const out = scope.reserve(capacity);
  return [out, core.checked('index_side', handle, ...asked, CODES[side], out, capacity)];
}

/**
 * The vectors of a document.
 * @param {Rows} rows
 * @param {number} document
 * @param {number} angleDim
 * @returns {{topic: Float32Array, angle: Float32Array|null}} angle null: it has none here
 */
export function vectorsOf({ core, handle, dim }, document, angleDim) {
  return core.scoped((scope) => {
    const topic = scope.reserve(4 * dim);
    const angle = scope.reserve(4 * angleDim);
    const n = core.checked('index_vector', handle, document, topic, angle, angleDim);
    return { topic: core.floats(topic, dim).slice(), angle: n > 0 ? core.floats(angle, n).slice() : null };
  });
}

/**
 * Addresses of a SearchRequest and a Calibration.
 * @param {Rows} rows
 * @param {Scope} scope
 * @param {Poll} poll
 * @param {[number, number]} [mask]
 * @returns {[number, number]}
 */
function request({ core }, scope, { calibration, ...poll }, mask) {
  const constants = scope.reserve(abi.Calibration.size);
  const view = core.view(constants, abi.Calibration.size);
  for (const [name, value] of Object.entries(calibration)) {
    view.setFloat64(abi.Calibration[/** @type {keyof Calibration} */ (name)], value, true);
  }
  const asked = {
    ...poll,
    method: 'contrast',
    query: poll.root,
    perspectives: [],
    lambda: 0,
    mmr: null,
    explain: false,
  };
  return [writeRequest(core, scope, asked, mask), constants];
}

/**
 * @param {Rows} rows
 * @param {number} pointer
 * @param {number} count
 * @returns {Told[]}
 */
function readTold({ core }, pointer, count) {
  return Array.from({ length: count }, (_, i) => {
    const view = core.view(pointer + i * abi.SideHit.size, abi.SideHit.size);
    const field = abi.SideHit;
    const code = view.getUint32(field.side, true);
    const side = SIDES.find((name) => CODES[name] === code) ?? 'neither';
    return {
      row: view.getUint32(field.row, true),
      document: view.getUint32(field.document, true),
      score: view.getFloat32(field.score, true),
      side,
      probability: view.getFloat32(field[side], true),
      cosine: view.getFloat32(field.cosine, true),
      slant: view.getFloat32(field.slant, true),
      onSubject: view.getUint32(field.onSubject, true) !== 0,
    };
  });
}

// Makes one answer about sides from engines that each hold a part of the rows. A row's side depends only on the row
// and the root, so counts add up, and the best of all are among the best of each.

import { MISSING_ROW } from '../engine/abi.js';
import { SIDES } from '../engine/sides.js';
import { add } from './merge.js';

/**
 * @import { Coverage } from '../../lib/index.d.ts'
 * @import { Counted, Poll, Root, Side, Told } from '../engine/sides.js'
 * @import { Ask } from './merge.js'
 */

/** Stands for any angle where it only matters that one is needed. */
const ANY = { angles: [new Float32Array()] };

/**
 * Waits until all parts have the angles of their rows.
 * @param {Ask[]} parts of a collection, at least one
 * @param {AbortSignal} [signal]
 */
export async function fetchAngles(parts, signal) {
  await Promise.all(parts.map((ask) => ask((engine) => engine.call('needAngles', [ANY], signal))));
  return { coverage: { rows: 0, total: 0 } };
}

/**
 * @param {Ask[]} parts of a collection, at least one
 * @param {Poll} poll
 * @param {AbortSignal} [signal]
 * @returns {Promise<{sides: Counted, coverage: Coverage}>}
 */
export async function surveyParts(parts, poll, signal) {
  const found = await Promise.all(parts.map((ask) => ask((engine) => engine.call('survey', [poll], signal))));
  const of = (/** @type {Side} */ side) => ({
    count: found.reduce((sum, { sides }) => sum + sides[side].count, 0),
    hits: found
      .flatMap(({ sides }) => sides[side].hits)
      .sort((a, b) => b.score - a.score || a.row - b.row)
      .slice(0, poll.k),
  });
  const sides = /** @type {Counted} */ (Object.fromEntries(SIDES.map((side) => [side, of(side)])));
  return { sides, coverage: add(found.map(({ coverage }) => coverage)) };
}

/**
 * The sides of hits of any ranking.
 * @param {Ask[]} parts of a collection, at least one
 * @param {Root} root
 * @param {{row: number, document: number}[]} hits
 * @param {AbortSignal} [signal]
 * @returns {Promise<(Told|null)[]>} null: the row or its angle has not arrived
 */
export async function tellParts(parts, root, hits, signal) {
  if (hits.length === 0) return [];
  const bare = hits.map(({ row, document }) => ({ row, document }));
  const found = await Promise.all(parts.map((ask) => ask((engine) => engine.call('tell', [root, bare], signal))));
  return hits.map((_, i) => found.map((told) => told[i]).find(({ row }) => row !== MISSING_ROW) ?? null);
}

/**
 * The vectors of a document; null if it is not there.
 * @param {Ask[]} parts of a collection, at least one
 * @param {number} document
 * @param {number} angleDim
 * @param {AbortSignal} [signal]
 */
export async function vectorsOfParts(parts, document, angleDim, signal) {
  const found = await Promise.all(
    parts.map((ask) => ask((engine) => engine.call('vectorsOf', [document, angleDim], signal))),
  );
  return found.find((one) => one !== null) ?? null;
}

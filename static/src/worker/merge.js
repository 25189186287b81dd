// Makes one answer from engines that each hold a part of the rows. It has the
// same bits as the answer of one engine with all rows. Scores depend only on a
// row and the query, with three exceptions, which are handled here: the cut of
// a gated method is a quantile over all rows, maximal marginal relevance
// compares rows with each other, and the rank under the plain cosine counts all
// rows.

import { MISSING_ROW } from '../engine/abi.js';
import { candidates } from '../engine/request.js';

/**
 * @import { Coverage } from '../../lib/index.d.ts'
 * @import { Hit, Ranking } from '../engine/request.js'
 * @import { Part } from '../collection/ranker.js'
 * @import { Engine } from './operations.js'
 */

/** @typedef {<T>(body: (engine: Engine) => T|Promise<T>) => Promise<T>} Ask runs body with one engine */

/**
 * @typedef {object} Ranked
 * @property {Hit[]} hits
 * @property {Coverage} coverage
 * @property {Uint8Array} documents on request, a byte for each: whether it may be a hit
 * @property {number|null} cut of a gated method
 * @property {number[]} versions of the parts' rows
 */

/**
 * @param {Ask[]} parts of a collection, at least one
 * @param {Ranking} ranking
 * @param {AbortSignal} [signal]
 * @returns {Promise<Ranked|null>} null if rows came or went between two steps: try again
 */
export async function rankParts(parts, ranking, signal) {
  /**
   * @template T
   * @param {(engine: Engine) => T|Promise<T>} body
   */
  const all = (body) => Promise.all(parts.map((ask) => ask(body)));
  const [ask] = parts;
  let found = await all((engine) => engine.call('rankPart', [ranking, null], signal));
  const versions = found.map(({ version }) => version);
  /** @type {number|null} */
  let cut = null;

  const gates = found.flatMap(({ gate }) => gate ?? []);
  if (gates.length > 0) {
    cut = await ask((engine) => engine.call('cut', [ranking, gates], signal));
    found = await all((engine) => engine.call('rankPart', [ranking, cut], signal));
    if (moved(found, versions)) return null;
  }
  let best = found.flatMap(({ hits }, part) => hits.map((hit, place) => ({ hit, part, place })));
  best.sort(({ hit: a }, { hit: b }) => b.score - a.score || a.row - b.row);
  best = best.slice(0, ranking.mmr === null ? ranking.k : candidates(ranking));

  let hits = best.map(({ hit }) => hit);
  if (ranking.mmr !== null && hits.length > 0) {
    const records = gather(best, found);
    hits = await ask((engine) => engine.call('diversify', [ranking, hits, records], signal));
  }
  if (ranking.explain && hits.length > 0) {
    const explained = await explainParts(parts, { ...ranking, cut }, hits, versions, signal);
    if (!explained) return null;
    hits = explained;
  }
  return { hits, coverage: add(found.map(({ coverage }) => coverage)), documents: union(found), cut, versions };
}

/**
 * Explains hits of any ranking.
 * @param {Ask[]} parts that gave the ranking
 * @param {Ranking} ranking with the cut of a gated method
 * @param {Pick<Hit, 'row'|'document'|'score'>[]} hits
 * @param {number[]} versions of the parts' rows at the time of the ranking
 * @param {AbortSignal} [signal]
 * @returns {Promise<Hit[]|null>} null if rows came or went since
 */
export async function explainParts(parts, ranking, hits, versions, signal) {
  /**
   * @template T
   * @param {(engine: Engine) => T|Promise<T>} body
   */
  const all = (body) => Promise.all(parts.map((ask) => ask(body)));
  const bare = hits.map(({ row, document }) => ({ row, document }));
  const one = { ...ranking, filters: [], only: null, cosineRank: false }; // other rows do not matter
  const found = await all((engine) => engine.call('explain', [one, bare], signal));
  if (moved(found, versions)) return null;
  const explained = hits.map(({ score }, i) => {
    const each = found.map((part) => part.hits[i]);
    return { ...(each.find(({ row }) => row !== MISSING_ROW) ?? each[0]), score };
  });
  if (!ranking.cosineRank) return explained;
  const wanted = explained.map(({ row, cosine }) => ({ row, cosine }));
  const replies = await all((engine) => engine.call('ahead', [ranking, wanted], signal));
  if (moved(replies, versions)) return null;
  return explained.map((hit, i) => ({
    ...hit,
    cosineRank: replies.reduce((sum, { ahead }) => sum + ahead[i], 1),
  }));
}

/**
 * @param {{version: number}[]} replies
 * @param {number[]} versions
 */
function moved(replies, versions) {
  return replies.some(({ version }, i) => version !== versions[i]);
}

/**
 * The documents that any of the parts has.
 * @param {Part[]} found
 */
function union(found) {
  const each = found.map(({ documents }) => documents ?? new Uint8Array());
  const out = new Uint8Array(Math.max(...each.map(({ length }) => length)));
  for (const documents of each) {
    for (let i = 0; i < documents.length; i++) out[i] |= documents[i];
  }
  return out;
}

/**
 * The records of the best hits, in their order.
 * @param {{part: number, place: number}[]} best
 * @param {Part[]} found
 */
function gather(best, found) {
  const records = found.map((part) => part.records ?? new Uint8Array());
  const { part: first } = best[0];
  const size = records[first].length / found[first].hits.length;
  const out = new Uint8Array(best.length * size);
  best.forEach(({ part, place }, i) => out.set(records[part].subarray(place * size, (place + 1) * size), i * size));
  return out;
}

/** @param {Coverage[]} coverages */
export function add(coverages) {
  /** @param {keyof Coverage} field */
  const sum = (field) => coverages.reduce((total, coverage) => total + coverage[field], 0);
  return { rows: sum('rows'), total: sum('total') };
}

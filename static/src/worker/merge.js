// One answer from engines that each hold a part of the rows: the same, to the
// bit, as one engine with all of them gives. Scores depend on a row and the
// query alone, with three exceptions, which are settled here between the
// engines: the cut of a gated method is a quantile over all rows, maximal
// marginal relevance compares rows with each other, and the rank under the
// plain cosine counts all rows.

import { MISSING_ROW } from '../engine/abi.js';
import { candidates } from '../engine/request.js';

/**
 * @typedef {(body: (engine: import('../collection/collection.js').Collection|import('./remote.js').Remote) => any)
 *   => Promise<any>} Ask
 *   runs body with one engine
 */

/**
 * @typedef {object} Ranked
 * @property {object[]} hits
 * @property {{rows: number, total: number}} coverage
 * @property {Uint8Array|null} documents if asked for, a byte for each: whether it may be a hit
 * @property {number|null} cut of a gated method
 * @property {number[]} versions of the parts' rows
 */

/**
 * @param {Ask[]} parts of a collection, at least one
 * @param {import('../engine/request.js').Ranking} ranking
 * @returns {Promise<Ranked|null>} null if rows came or went between two steps: ask again
 */
export async function rankParts(parts, ranking, signal) {
  const all = (body) => Promise.all(parts.map((ask) => ask(body)));
  const [ask] = parts;
  let found = await all((engine) => engine.rankPart(ranking, null, signal));
  const versions = found.map(({ version }) => version);
  let cut = null;

  const gates = found.flatMap(({ gate }) => gate ?? []);
  if (gates.length > 0) {
    cut = await ask((engine) => engine.cut(ranking, gates, signal));
    found = await all((engine) => engine.rankPart(ranking, cut, signal));
    if (moved(found, versions)) return null;
  }
  let best = found.flatMap(({ hits }, part) => hits.map((hit, place) => ({ hit, part, place })));
  best.sort(({ hit: a }, { hit: b }) => b.score - a.score || a.row - b.row);
  best = best.slice(0, ranking.mmr === null ? ranking.k : candidates(ranking));

  let hits = best.map(({ hit }) => hit);
  if (ranking.mmr !== null && hits.length > 0) {
    const records = gather(best, found);
    hits = await ask((engine) => engine.diversify(ranking, hits, records, signal));
  }
  if (ranking.explain && hits.length > 0) {
    const explained = await explainParts(parts, { ...ranking, cut }, hits, versions, signal);
    if (!explained) return null;
    hits = explained;
  }
  const coverage = add(found.map(({ coverage }) => coverage));
  return { hits, coverage, documents: ranking.documents ? union(found) : null, cut, versions };
}

/**
 * Explains hits of whatever ranking.
 * @param {Ask[]} parts those that the ranking is from
 * @param {import('../engine/request.js').Ranking} ranking with the cut of a gated method
 * @param {object[]} hits with row, document and score
 * @param {number[]} versions of the parts' rows at the time of the ranking
 * @returns {Promise<any[]|null>} null if rows came or went since
 */
export async function explainParts(parts, ranking, hits, versions, signal) {
  const all = (body) => Promise.all(parts.map((ask) => ask(body)));
  const bare = hits.map(({ row, document }) => ({ row, document }));
  const one = { ...ranking, filters: [], cosineRank: false }; // which rows there are beside them does not matter
  const found = await all((engine) => engine.explain(one, bare, signal));
  if (moved(found, versions)) return null;
  const explained = hits.map(({ score }, i) => ({
    ...found.map((part) => part.hits[i]).find(({ row }) => row !== MISSING_ROW),
    score,
  }));
  if (!ranking.cosineRank) return explained;
  const wanted = explained.map(({ row, cosine }) => ({ row, cosine }));
  const replies = await all((engine) => engine.ahead(ranking, wanted, signal));
  if (moved(replies, versions)) return null;
  return explained.map((hit, i) => ({
    ...hit,
    cosineRank: replies.reduce((sum, { ahead }) => sum + ahead[i], 1),
  }));
}

function moved(replies, versions) {
  return replies.some(({ version }, i) => version !== versions[i]);
}

/** The documents that any of the parts has. */
function union(found) {
  const out = new Uint8Array(Math.max(...found.map(({ documents }) => documents.length)));
  for (const { documents } of found) {
    for (let i = 0; i < documents.length; i++) out[i] |= documents[i];
  }
  return out;
}

/** The records of the best hits, in their order. */
function gather(best, found) {
  const sizes = found.map(({ hits, records }) => records.length / hits.length);
  const size = sizes[best[0].part];
  const out = new Uint8Array(best.length * size);
  best.forEach(({ part, place }, i) =>
    out.set(found[part].records.subarray(place * size, (place + 1) * size), i * size),
  );
  return out;
}

/** @param {{rows: number, total: number}[]} coverages */
export function add(coverages) {
  const sum = (field) => coverages.reduce((total, coverage) => total + coverage[field], 0);
  return { rows: sum('rows'), total: sum('total') };
}

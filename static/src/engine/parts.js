// What an engine with a part of a collection's rows contributes to an answer: merge.js makes one answer from the
// results of these functions.

import { candidates, readHits, writeHits, writeRequest } from './request.js';

/**
 * @import { Hit, Ranking } from './request.js'
 * @import { Rows } from './rows.js'
 */

/**
 * First-stage scores of the rows that may be hits; empty if the method has no
 * gate.
 * @param {Rows} rows
 * @param {Ranking} ranking
 * @returns {Float32Array}
 */
export function gate(rows, ranking) {
  return rows.core.scoped((scope) => {
    const capacity = rows.count;
    const scores = scope.reserve(4 * capacity);
    const n = rows.core.checked('index_gate', rows.handle, rows.request(scope, ranking), scores, capacity);
    return rows.core.floats(scores, n).slice();
  });
}

/**
 * The gate's cut, from the scores of all parts.
 * @param {Rows} rows
 * @param {Ranking} ranking
 * @param {Float32Array[]} scores
 */
export function cut(rows, ranking, scores) {
  return rows.core.scoped((scope) => {
    const count = scores.reduce((sum, part) => sum + part.length, 0);
    const all = scope.reserve(4 * count);
    let at = 0;
    for (const part of scores) {
      rows.core.floats(all + 4 * at, part.length).set(part);
      at += part.length;
    }
    const cut = scope.reserve(8);
    rows.core.checked('index_cut', rows.handle, writeRequest(rows.core, scope, ranking), all, count, cut);
    return rows.core.view(cut, 8).getFloat64(0, true);
  });
}

/**
 * The best rows of this part, from which an answer is chosen.
 * @param {Rows} rows
 * @param {Ranking} ranking
 * @param {number|null} cut
 */
export function searchPart(rows, ranking, cut) {
  const k = ranking.mmr === null ? ranking.k : candidates(ranking);
  return rows.search({ ...ranking, k, cut, mmr: null, explain: false, cosineRank: false });
}

/**
 * Stored rows as records of equal length, for `diversify` in another engine.
 * @param {Rows} rows
 * @param {number[]} numbers
 */
export function records(rows, numbers) {
  return rows.core.scoped((scope) => {
    const size = rows.core.checked('index_records', rows.handle, 0, 0, 0, 0);
    const out = scope.reserve(numbers.length * size);
    if (numbers.length > 0) {
      rows.core.checked(
        'index_records',
        rows.handle,
        scope.copy(Uint32Array.from(numbers)),
        numbers.length,
        out,
        numbers.length * size,
      );
    }
    return rows.core.bytes(out, numbers.length * size).slice();
  });
}

/**
 * The hits, best first, that MMR chooses by their records.
 * @param {Rows} rows
 * @param {Ranking} ranking
 * @param {Hit[]} hits
 * @param {Uint8Array} records
 */
export function diversify(rows, ranking, hits, records) {
  return rows.core.scoped((scope) => {
    const request = writeRequest(rows.core, scope, ranking);
    const at = writeHits(rows.core, scope, hits);
    return readHits(
      rows.core,
      at,
      rows.core.checked('index_diversify', rows.handle, request, at, hits.length, scope.copy(records), records.length),
    );
  });
}

/**
 * For each hit of any part, the number of rows here that the plain cosine ranks before
 * it.
 * @param {Rows} rows
 * @param {Ranking} ranking
 * @param {Partial<Hit>[]} hits
 */
export function ahead(rows, ranking, hits) {
  return rows.core.scoped((scope) => {
    const request = rows.request(scope, ranking);
    const at = writeHits(rows.core, scope, hits);
    rows.core.checked('index_ahead', rows.handle, request, at, hits.length);
    return readHits(rows.core, at, hits.length).map((hit) => hit.cosineRank);
  });
}

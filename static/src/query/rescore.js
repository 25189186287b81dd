// Ranks documents of a collection of token vectors by vectors of their texts, which are encoded again: the stored ones
// are rounded. The rules are those of internal/search/rescore.go.

import { MAXSIM, MAX_RESCORE, SUNK_DOT, WORDS } from '../constants.js';
import { InputError, QueryError } from '../errors.js';
import { encodedText } from '../collection/local.js';

/**
 * @import { TextEncoding } from '../collection/encoding.js'
 * @import { Document } from '../../lib/index.d.ts'
 * @import { Query } from './query.js'
 */

/**
 * Throws if a query asks to encode documents again and that does not order the hits.
 * @param {Pick<Query, 'rescore'|'k'|'method'|'hybrid'>} asked
 * @param {{score: string}} info
 */
export function checkRescore({ rescore, k, method, hybrid }, info) {
  if (rescore === 0) return;
  if (info.score !== MAXSIM) {
    throw new QueryError(
      'rescore: it is for collections of token vectors (maxsim), which are stored rounded: leave it out',
    );
  }
  if (k > MAX_RESCORE) {
    throw new QueryError(`rescore: k is ${k}, must be at most ${MAX_RESCORE}, because every hit is encoded again`);
  }
  if (method === WORDS || hybrid) {
    throw new QueryError('rescore: it orders hits by maxsim alone: leave it or the words out');
  }
}

/**
 * The hits in their new order, each with its new score and its document. Those that a gate sank keep their score, and
 * so do those without token vectors.
 * @template {{document: number, score: number}} H
 * @param {Float32Array} query what documents are compared with
 * @param {H[]} hits
 * @param {[number, Document][]} documents of the hits
 * @param {TextEncoding} encode
 * @param {number} dim
 * @param {AbortSignal} [signal]
 */
export async function rescore(query, hits, documents, encode, dim, signal) {
  const sunk = Math.fround(SUNK_DOT);
  const texts = documents.map(([, document]) => encodedText(document));
  const vectors = (await encode(texts, 'document', signal)).map(({ vector }) => vector);
  const scored = hits.map((hit, i) => {
    const keep = vectors[i].length === 0 || hit.score === sunk;
    const score = keep ? hit.score : Math.fround(maxSim(query, vectors[i], dim));
    if (!Number.isFinite(score)) {
      throw new InputError(`rescore: document ${JSON.stringify(documents[i][1]._id)} has vectors that are too large`);
    }
    return { hit: { ...hit, score }, document: documents[i] };
  });
  return scored.sort(({ hit: a }, { hit: b }) => b.score - a.score || a.document - b.document);
}

/**
 * The sum over the query's vectors of the greatest inner product with a vector of the document.
 * @param {Float32Array} query
 * @param {Float32Array} document
 * @param {number} dim
 */
function maxSim(query, document, dim) {
  let sum = 0;
  for (let i = 0; i < query.length; i += dim) {
    let best = -Infinity;
    for (let j = 0; j < document.length; j += dim) {
      let dot = 0;
      for (let d = 0; d < dim; d++) dot += query[i + d] * document[j + d];
      best = Math.max(best, dot);
    }
    sum += best;
  }
  return sum;
}

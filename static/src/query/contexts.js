// Private contexts only order the hits of a query, so the page's requests never depend on them. They are encoded in the
// page, after the hits and their texts have arrived. The rules are those of internal/search/contexts.go and
// internal/wasm/joint.

import { MISSING_ROW } from '../engine/abi.js';
import { DEFAULT_CONTEXT_LAMBDA, DEFAULT_CONTEXT_LAMBDA_MAXSIM, MAXSIM, MAX_CONTEXTS, WORDS } from '../constants.js';
import { QueryError, UnavailableError, UnsupportedError } from '../errors.js';
import { shortest } from './float32.js';
import { listOf } from './list.js';
import { vector } from './query.js';
import { isTextOrVector, textOf, vectorOf } from './values.js';

/**
 * @import { Because, Score, SearchQuery, TextOrVector } from '../../lib/index.d.ts'
 * @import { TextEncoding } from '../collection/encoding.js'
 * @import { Session } from '../collection/session.js'
 * @import { Fleet } from '../worker/fleet.js'
 * @import { FusedHit } from './hybrid.js'
 * @import { Query } from './query.js'
 * @typedef {{list: TextOrVector[], lambda: number}} Contexts
 * @typedef {{place: number, score: number, because: Because}} Pair place: of a hit in the question's ranking
 */

/**
 * The contexts of a query, or null if it has none. Errors do not quote contexts, because they are private.
 * @param {Session} session
 * @param {SearchQuery|null} request
 * @param {Query} asked
 * @returns {Contexts|null}
 */
export function checkContexts(session, request, { method, mmr, explain }) {
  const { contexts: given, contextLambda } = request ?? {};
  const list = listOf(given ?? [], 'contexts: a list of texts or vectors is needed');
  const usual = session.info.score === MAXSIM ? DEFAULT_CONTEXT_LAMBDA_MAXSIM : DEFAULT_CONTEXT_LAMBDA;
  const lambda = contextLambda ?? usual;
  if (list.length === 0) {
    if (contextLambda === undefined || contextLambda === null) return null;
    throw new QueryError('contexts: their λ is given, but there are none: leave it out');
  }
  if (list.length > MAX_CONTEXTS) {
    throw new QueryError(`contexts: there are ${list.length}, must be 1 to ${MAX_CONTEXTS}`);
  }
  list.forEach((context, i) => {
    if (!isTextOrVector(context)) throw new QueryError(`contexts: number ${i} is neither a text nor a vector`);
    if (vectorOf(context) === null && textOf(context).trim() === '') {
      throw new QueryError(`contexts: number ${i} has no text: fill it in, or leave it out`);
    }
  });
  if (method === WORDS) {
    throw new QueryError('bm25: words do not compare contexts with documents: leave the contexts or the method out');
  }
  if (mmr !== null) throw new QueryError('contexts: they order the hits, and so does mmr: leave one out');
  if (!explain) throw new QueryError('contexts: they need the explanation: leave them or `explain: false` out');
  if (typeof lambda !== 'number' || !(lambda > 0 && lambda < 1)) {
    throw new QueryError(
      'contexts: λ must be a number between 0 and 1, both excluded: it is the weight of the question beside the ' +
        'contexts',
    );
  }
  checkPrivate(session, list);
  return { list, lambda };
}

/**
 * Throws if a context is a text and there is no encoder that is certain to run in the page.
 * @param {Session} session
 * @param {TextOrVector[]} list
 */
function checkPrivate(session, list) {
  if (list.every((context) => vectorOf(context) !== null)) return;
  const { model, encodes } = session.info;
  if (encodes && session.encodesHere) return;
  throw new UnsupportedError(
    encodes
      ? `contexts: they are private, and the encoder of ${model.id} may be on a server: open a collection that ` +
          'carries its encoder, give an encoder with `local: true`, or leave the contexts out'
      : `contexts: the collection carries no encoder, and they are encoded only in the page: index it with one that ` +
          'it carries, or leave the contexts out',
  );
}

/**
 * Orders hits with the contexts: by λ·relevance + (1−λ)·fit, where fit is that of the best context. The relevance is
 * the hit's score, in a fused ranking the cosine of question and document.
 * @param {Session} session
 * @param {Fleet} engine
 * @param {TextEncoding} encode
 * @param {Contexts} contexts
 * @param {FusedHit[]} hits
 * @param {{fused: boolean, score?: Score}} by whether words joined in, and how vectors are compared
 * @param {AbortSignal} [signal]
 * @returns {Promise<Pair[]>}
 */
export async function join(session, engine, encode, contexts, hits, { fused, score }, signal) {
  const { list } = contexts;
  if ((engine.encoderPending || engine.encoderBroke) && list.some((context) => vectorOf(context) === null)) {
    // The query is a vector. Fetching the encoder now would reveal that there are contexts.
    throw new UnavailableError('contexts: the encoder has not been fetched: ask again, or give vectors');
  }
  const vectors = await vectorsOf(encode, list, (own) => vector('contexts', own, session.info.dim), signal);
  const fits = await fitsOf(engine, vectors, hits, score, signal);
  const relevances = hits.map((hit) => (fused ? hit.cosine : hit.score));
  return pairsOf(contexts, hits, relevances, fits);
}

/**
 * @param {Contexts} contexts
 * @param {{document: number}[]} hits
 * @param {number[]} relevances of each hit
 * @param {number[][]} fits of each context: of each hit
 * @returns {Pair[]} best first
 */
export function pairsOf({ list, lambda }, hits, relevances, fits) {
  const pairs = hits.map((_, place) => {
    let best = 0;
    for (let i = 1; i < list.length; i++) if (fits[i][place] > fits[best][place]) best = i;
    const relevance = relevances[place];
    const fit = fits[best][place];
    const sum = Math.fround(lambda * relevance + (1 - lambda) * fit);
    const because = { context: best, text: textOf(list[best]), fit: shortest(fit), relevance: shortest(relevance) };
    return { place, score: sum, because };
  });
  return pairs.sort((a, b) => b.score - a.score || hits[a.place].document - hits[b.place].document);
}

/**
 * @param {TextEncoding} encode
 * @param {TextOrVector[]} list
 * @param {(own: ArrayLike<number>) => Float32Array} check of a vector that the page gives
 * @param {AbortSignal} [signal]
 */
export async function vectorsOf(encode, list, check, signal) {
  const texts = list.filter((context) => vectorOf(context) === null).map(textOf);
  const encoded = texts.length > 0 ? await encode(texts, 'query', signal) : [];
  return list.map((context) => {
    const own = vectorOf(context);
    return own ? check(own) : /** @type {typeof encoded[0]} */ (encoded.shift()).vector;
  });
}

/**
 * For each context, its cosines with all hits, or its dot products if those are compared. A context without a
 * direction fits nothing.
 * @param {Fleet} engine
 * @param {Float32Array[]} vectors
 * @param {FusedHit[]} hits
 * @param {Score|undefined} score
 * @param {AbortSignal} [signal]
 * @returns {Promise<number[][]>}
 */
async function fitsOf(engine, vectors, hits, score, signal) {
  const bare = hits.map(({ row, document }) => ({ row, document }));
  const none = hits.map(() => 0);
  const fits = [];
  for (const query of vectors) {
    if (bare.length === 0 || query.every((value) => value === 0)) {
      fits.push(none);
      continue;
    }
    const by = { method: 'none', score, query, root: null, perspectives: [], lambda: 1, k: bare.length, mmr: null };
    const ranking = { ...by, explain: true, filters: [] };
    const { parts } = await engine.answer(async (asks) => ({
      parts: await Promise.all(asks.map((ask) => ask((one) => one.call('explain', [ranking, bare], signal)))),
      coverage: { rows: 0, total: 0 },
    }));
    fits.push(
      bare.map((_, i) => parts.map((part) => part.hits[i]).find(({ row }) => row !== MISSING_ROW)?.cosine ?? 0),
    );
  }
  return fits;
}

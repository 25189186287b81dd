// Answers a query by MaxSim, on a collection with token vectors. The rules are those of
// internal/search/tokens.go and perspective.SumTokens.

import { DEFAULT_LAMBDA, FUSION_DEPTH, MAXSIM, METHODS, WORDS } from '../constants.js';
import { QueryError } from '../errors.js';
import { head, read, who } from './result.js';
import { pairsOf, vectorsOf } from './contexts.js';
import { shortest } from './float32.js';
import { fetchWords } from './hybrid.js';
import { lookup } from './methods.js';
import { rescore } from './rescore.js';
import { isText, isVector, textOf } from './values.js';

/**
 * @import { Encoded, TextEncoding } from '../collection/encoding.js'
 * @import { Session } from '../collection/session.js'
 * @import { WordHit } from '../engine/words.js'
 * @import { EncodedText, SearchResult, TextOrVector } from '../../lib/index.d.ts'
 * @import { Fleet } from '../worker/fleet.js'
 * @import { Contexts } from './contexts.js'
 * @import { Condition } from './filter.js'
 * @import { Query } from './query.js'
 * @typedef {WordHit & {lexical?: {rank: number, score: number}}} TokenHit
 */

/** @param {{name: string, aliases: readonly string[]}} method */
const short = ({ name, aliases }) => aliases[0] ?? name;

/**
 * Throws if a query asks for what ranking by token vectors cannot do, or asks another collection for that ranking.
 * @param {Query} asked whose method is known, if it names one
 * @param {{score: string}} info
 */
export function checkTokens({ method, score, lambda, mmr }, info) {
  if (info.score !== MAXSIM) {
    if (score !== MAXSIM) return;
    throw new QueryError(
      'score maxsim compares the vectors of tokens, and these are of whole texts: index the corpus by a ColBERT ' +
        'model, or use cosine or dot',
    );
  }
  const made = 'the collection was made for maxsim';
  if (score !== null && score !== MAXSIM) {
    throw new QueryError(`score ${score} compares vectors of whole texts, and ${made}: leave the score out`);
  }
  if (mmr !== null) throw new QueryError(`mmr compares documents by one vector each, and ${made}: leave it out`);
  if (method === WORDS) return;
  const found = methodOf({ method, lambda });
  if (found.sums) return;
  throw new QueryError(
    `method ${short(found)} compares vectors of whole texts, and maxsim compares token by token: ` +
      `use one of ${METHODS.filter(({ sums }) => sums)
        .map(short)
        .join(', ')}`,
  );
}

/**
 * The method of a query. If it names none, it is "none", the whole query, or "pap+" if the query has a λ.
 * @param {Pick<Query, 'method'|'lambda'>} asked
 */
function methodOf({ method, lambda }) {
  return /** @type {typeof METHODS[0]} */ (lookup(method ?? (lambda === null ? 'none' : 'pap+')));
}

/**
 * @param {Session} session
 * @param {Fleet} engine
 * @param {TextEncoding} encode
 * @param {Query} asked after checkTokens
 * @param {Contexts|null} contexts
 * @param {Condition[]} filters
 * @param {number} started
 * @param {AbortSignal} [signal]
 * @returns {Promise<SearchResult>}
 */
export async function byTokens(session, engine, encode, asked, contexts, filters, started, signal) {
  const { info } = session;
  const method = methodOf(asked);
  const { texts, ...parts } = await toTokens(asked, method.needs, encode, info.dim, signal);
  const encoded = performance.now();
  const query = { method: method.name, k: Math.max(asked.k, asked.rescore), ...parts };
  const found = asked.hybrid
    ? await rankBoth(session, asked, query, filters, signal)
    : await engine.call('rankTokens', [query, filters], signal);
  const ranked = performance.now();
  const documents = await read(engine, found.hits, () => undefined, signal);
  const { vectors, coverage } = found;
  const scored = asked.rescore
    ? (await rescore(vectors, found.hits, documents, encode, info.dim, signal)).slice(0, asked.k)
    : found.hits.map((hit, i) => ({ hit, document: documents[i] }));
  const hits = scored.map(({ hit }) => hit);
  // All that comes from the network has arrived. From here on, contexts only order the hits.
  const pairs = contexts && (await join(info.dim, engine, encode, contexts, hits, asked.hybrid && vectors, signal));
  const order = pairs ?? hits.map(({ score }, place) => ({ place, score, because: null }));
  return {
    ...head(info, { ...asked, method: method.name, kind: '', lambda: asked.lambda ?? DEFAULT_LAMBDA }),
    ...(asked.hybrid && { hybrid: asked.hybrid.fusion }),
    ...who({ texts }, ''),
    hits: order.map(({ place, score, because }, i) => {
      const [index, { _id, title, text }] = scored[place].document;
      const { lexical } = /** @type {TokenHit} */ (hits[place]);
      return {
        ...{ rank: i + 1, id: _id, index, score: shortest(score), title, text },
        ...(because && { because }),
        ...(lexical && { lexical: { ...lexical, score: shortest(Math.fround(lexical.score)) } }),
      };
    }),
    coverage,
    texts,
    timing: { encode: encoded - started, rank: ranked - encoded, documents: performance.now() - ranked },
  };
}

/**
 * The token vectors of the texts that a method needs, all encoded at the same time.
 * @param {Pick<Query, 'text'|'root'|'perspectives'>} asked
 * @param {readonly string[]} needs
 * @param {TextEncoding} encode
 * @param {number} dim
 * @param {AbortSignal} [signal]
 */
async function toTokens({ text, root, perspectives }, needs, encode, dim, signal) {
  /** @type {EncodedText[][]} */
  const told = [];
  /**
   * @param {EncodedText['role']} role
   * @param {TextOrVector[]} values
   */
  const tokensOf = async (role, values) => {
    const words = values.filter(isText);
    const slot = told.push([]) - 1;
    const encoded = words.length > 0 ? await encode(words, role, signal) : [];
    return values.map((value) => {
      if (!isText(value)) return rows(role, isVector(value) ? value : value.vector, dim);
      const { vector, ...rest } = /** @type {Encoded} */ (encoded.shift());
      told[slot].push({ role, text: value, ...rest });
      return vector;
    });
  };
  const [[query], [top = null], sides] = await Promise.all([
    tokensOf('query', [text]),
    tokensOf('root', root !== null && needs.includes('root') ? [root] : []),
    tokensOf('perspective', needs.includes('perspective') ? perspectives : []),
  ]);
  return { query, root: top, perspectives: sides, texts: told.flat() };
}

/**
 * Checks token vectors that the page has given, concatenated, and returns them in the form for the engine.
 * @param {string} role for messages
 * @param {ArrayLike<number>} value
 * @param {number} dim
 */
function rows(role, value, dim) {
  if (value.length === 0 || value.length % dim !== 0) {
    throw new QueryError(
      `the token vectors of the ${role} have ${value.length} components in all, which is not a multiple of the ` +
        `collection's ${dim}: encode it with the collection's model`,
    );
  }
  return Float32Array.from(value);
}

/**
 * Fuses the best documents by MaxSim with the best by BM25.
 * @param {Session} session
 * @param {Query} asked with a hybrid
 * @param {import('../engine/tokens.js').TokenQuery} query
 * @param {Condition[]} filters
 * @param {AbortSignal} [signal]
 */
async function rankBoth(session, asked, query, filters, signal) {
  const { fusion, weight } = /** @type {NonNullable<Query['hybrid']>} */ (asked.hybrid);
  const depth = Math.max(asked.k, FUSION_DEPTH);
  await fetchWords(session, asked, signal);
  return session.withWords(async (engine) => {
    const found = await engine.call('rankTokens', [{ ...query, k: depth }, filters], signal);
    const { allowed, vectors, coverage } = found;
    const words = await engine.call('rankWords', [textOf(asked.text), depth, allowed && { keep: allowed }], signal);
    const fused = await engine.call('fuse', [fusion, weight, found.hits, words]);
    const ranks = new Map(words.map(({ document, score }, i) => [document, { rank: i + 1, score }]));
    /** @type {TokenHit[]} */
    const hits = fused.slice(0, asked.k).map(({ document, score }) => {
      return { document, score: Math.fround(score), lexical: ranks.get(document) ?? { rank: 0, score: 0 } };
    });
    return { hits, vectors, coverage };
  });
}

/**
 * Orders hits with the contexts by MaxSim, as contexts.js does by vectors of whole texts.
 * @param {number} dim
 * @param {Fleet} engine
 * @param {TextEncoding} encode
 * @param {Contexts} contexts
 * @param {WordHit[]} hits
 * @param {Float32Array|null} query its MaxSim is the relevance of a hit; if it is null, the hit's score is
 * @param {AbortSignal} [signal]
 */
async function join(dim, engine, encode, contexts, hits, query, signal) {
  const vectors = await vectorsOf(encode, contexts.list, (own) => rows('contexts', own, dim), signal);
  const documents = hits.map(({ document }) => document);
  const fits = await engine.call('scoreTokens', [query ? [query, ...vectors] : vectors, documents], signal);
  const relevances = query ? /** @type {number[]} */ (fits.shift()) : hits.map(({ score }) => score);
  return pairsOf(contexts, hits, relevances, fits);
}

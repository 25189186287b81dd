// Answers by words: BM25 alone, or fused with a ranking by vectors. The rules
// are those of internal/search/hybrid.go, so that page and command answer alike.

import { DEFAULT_FUSION, DEFAULT_WEIGHT, FUSION_DEPTH, WORDS } from '../constants.js';
import { QueryError } from '../errors.js';
import { isBroken, messageOf } from '../thrown.js';
import { explainParts, rankParts } from '../worker/merge.js';
import { passes } from './filter.js';
import { isText, isTextOrVector, shown, textOf, vectorOf } from './values.js';

/**
 * @import { Session } from '../collection/session.js'
 * @import { Entry } from '../collection/local.js'
 * @import { Hit, Ranking } from '../engine/request.js'
 * @import { WordHit } from '../engine/words.js'
 * @import { Coverage, Fusion, SearchQuery } from '../../lib/index.d.ts'
 * @import { Ask } from '../worker/merge.js'
 * @import { Condition } from './filter.js'
 * @import { Query } from './query.js'
 * @typedef {Hit & {lexical?: {rank: number, score: number}}} FusedHit a hit, and how the words rank it
 */

/**
 * The option `hybrid` with its defaults; null: off.
 * @param {SearchQuery['hybrid']} option
 * @param {{text: unknown, method?: string|null, mmr: number|null}} query
 * @returns {{fusion: Fusion, weight: number}|null}
 */
export function checkHybrid(option, { text, method, mmr }) {
  const wanted = option !== undefined && option !== null && option !== false;
  if (method === WORDS && wanted) throw new QueryError('bm25: it ranks only by words: leave hybrid or the method out');
  if (method === WORDS && mmr !== null) {
    throw new QueryError('bm25: a ranking by words cannot be diversified: leave mmr or the method out');
  }
  if ((wanted || method === WORDS) && !(isTextOrVector(text) && textOf(text))) {
    throw new QueryError(`${wanted ? 'hybrid' : WORDS}: a search by words needs the query as a text: give it`);
  }
  if (!wanted) return null;
  const named = option === true ? {} : isText(option) ? { fusion: option } : option;
  if (typeof named !== 'object') {
    throw new QueryError(`hybrid: ${shown(option)} is not true, false, the name of a fusion or { fusion, weight }`);
  }
  const { fusion = DEFAULT_FUSION, weight = DEFAULT_WEIGHT } = named;
  if (!isText(fusion)) throw new QueryError(`hybrid: ${shown(fusion)} is not the name of a fusion`);
  if (typeof weight !== 'number' || !(weight >= 0 && weight <= 1)) {
    throw new QueryError(
      `hybrid: the weight of the words is ${shown(weight)}, must be between 0 (vectors alone) and 1 (words alone)`,
    );
  }
  if (mmr !== null) throw new QueryError('hybrid: a fused ranking cannot be diversified: leave mmr or hybrid out');
  return { fusion: /** @type {Fusion} */ (fusion || DEFAULT_FUSION), weight }; // the engine refuses others
}

/**
 * Hits only by words, best first.
 * @param {Session} session
 * @param {Pick<Query, 'text'|'k'>} query
 * @param {Condition[]} filters
 * @param {AbortSignal} [signal]
 * @returns {Promise<WordHit[]>}
 */
export async function rankWords(session, { text, k }, filters, signal) {
  const { local, info } = session;
  const first = info.documents;
  const entries = filters.length > 0 ? local.entries : [];
  const added =
    entries.length > 0 ? entries.filter(meets(session, entries, filters)).map(({ index }) => index - first) : [];
  return session.withWords((engine) =>
    engine.call(
      'rankWords',
      [textOf(text), k, filters.length > 0 ? { filters, added, count: local.count } : null],
      signal,
    ),
  );
}

/**
 * Fetches what the words of a query need. This comes before an answer begins, because additions wait for the answer's
 * end.
 * @param {Session} session
 * @param {Pick<Query, 'text'>} query
 * @param {AbortSignal} [signal]
 */
export function fetchWords(session, { text }, signal) {
  return session.withWords((engine) => engine.call('loadWords', [textOf(text)], signal));
}

/**
 * Fuses the best hits by vectors with the best by words; returns the k best, and the coverage. fetchWords comes first.
 * @param {Session} session
 * @param {Pick<Query, 'text'|'hybrid'>} query
 * @param {Ranking} ranking
 * @param {AbortSignal} [signal]
 * @returns {Promise<{hits: FusedHit[], coverage: Coverage}>}
 */
export async function rankBoth(session, query, ranking, signal) {
  const text = textOf(query.text);
  return session.engine.answer((parts) => fuseParts(session, query, text, parts, ranking, signal), { words: true });
}

/**
 * @param {Session} session
 * @param {Pick<Query, 'hybrid'>} query
 * @param {string} text
 * @param {Ask[]} parts of the collection, the one with the words first
 * @param {Ranking} ranking
 * @param {AbortSignal} [signal]
 * @returns {Promise<{hits: FusedHit[], coverage: Coverage}|null>} null if rows came or went between two steps
 */
async function fuseParts(session, { hybrid }, text, parts, ranking, signal) {
  const { fusion, weight } = /** @type {{fusion: Fusion, weight: number}} */ (hybrid);
  const depth = Math.max(ranking.k, FUSION_DEPTH);
  const best = { ...ranking, k: depth, explain: false, documents: true };
  const ranked = await rankParts(parts, best, signal);
  if (!ranked) return null;
  const { hits: vectors, documents: keep, cut, versions, coverage } = ranked;
  const scores = vectors.map(({ document, score }) => ({ document, score }));
  const [words, fused] = await parts[0](async (engine) => {
    await session.tell(engine);
    const found = await engine.call('rankWords', [text, depth, { keep }], signal);
    return [found, await engine.call('fuse', [fusion, weight, scores, found])];
  });
  const known = new Map(vectors.map((hit) => [hit.document, hit]));
  const ranks = new Map(words.map(({ document, score }, i) => [document, { rank: i + 1, score }]));
  const chosen = fused.slice(0, ranking.k).map(({ document, score }) => {
    const hit = known.get(document) ?? { .../** @type {Hit} */ ({}), document, row: document };
    return { ...hit, score: Math.fround(score) };
  });
  const hits =
    ranking.explain && chosen.length > 0
      ? await explainParts(parts, { ...ranking, cut }, chosen, versions, signal)
      : chosen;
  const lexical = (/** @type {Hit} */ { document }) => ranks.get(document) ?? { rank: 0, score: 0 };
  return hits && { hits: hits.map((hit) => ({ ...hit, lexical: lexical(hit) })), coverage };
}

/**
 * @param {Session} session
 * @param {Entry[]} entries
 * @param {Condition[]} filters
 * @returns {(entry: Entry, place: number) => boolean} whether an added document meets
 * all filters
 */
function meets(session, entries, filters) {
  const { columns } = session.fields.columns(entries.map((entry) => entry.document));
  const values = new Map(columns.map((column) => [column.column, column.values]));
  return (_, place) => passes(filters, (column) => values.get(column)?.[place]);
}

/**
 * Whether words can answer the query.
 * @param {Session} session
 * @param {Pick<Query, 'text'>} query
 */
export function worded(session, { text }) {
  return session.info.words && textOf(text) !== '';
}

/**
 * Why words answer instead of vectors; '' if vectors can, or if words cannot.
 * @param {Session} session
 * @param {Query} query
 */
export function missing(session, query) {
  if (!worded(session, query)) return '';
  const { text, root, perspectives, plain } = query;
  const { rows, total } = session.coverage;
  const texts = [text, root, ...perspectives].some((part) => part !== null && vectorOf(part) === null);
  if (texts && session.engine.encoderPending) return 'the encoder is still loading';
  if (texts && session.engine.encoderBroke) return 'the encoder could not be fetched, and is being fetched again';
  if (rows === 0 && total > 0) return 'no vectors have arrived yet';
  return !session.info.encodes && plain ? 'the collection carries no encoder' : '';
}

/**
 * Why words answer a query that could not be encoded.
 * @param {unknown} error that encoding threw
 */
export function unencoded(error) {
  const why = messageOf(error);
  return isBroken(error) ? `the encoder that the collection carries cannot be used (${why})` : why;
}

/** @param {string} why */
export function notice(why) {
  return `${why}: the words of the query rank alone (BM25), whatever its side`;
}

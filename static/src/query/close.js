// Says whether anything that was found is close to the query. The rules are those of internal/search/close.go.

import { CLOSE_MARGIN } from '../constants.js';
import { MISSING_ROW } from '../engine/abi.js';
import { QueryError } from '../errors.js';
import { textOf, vectorOf } from './values.js';

/**
 * @import { Session } from '../collection/session.js'
 * @import { Hit, Ranking } from '../engine/request.js'
 * @import { Coverage, Document } from '../../lib/index.d.ts'
 * @import { Fleet } from '../worker/fleet.js'
 * @import { Query } from './query.js'
 */

/**
 * Whether any hit is close to the query: its cosine with the query or the root is at least the collection's level, or
 * less by at most CLOSE_MARGIN and it shares words with the root (or with the query, if there is none), or it contains
 * all words of either. undefined if the level was not measured, dot products were compared, the query or its root is a
 * vector, the hits were not explained, or closer rows may still arrive.
 * @param {Session} session
 * @param {Fleet} engine
 * @param {Query} query
 * @param {Ranking} ranking
 * @param {{hits: Hit[], coverage: Coverage}} answer
 * @param {[number, Document][]} documents of the hits
 * @param {AbortSignal} [signal]
 * @returns {Promise<boolean|undefined>}
 */
export async function tellClose(session, engine, query, ranking, { hits, coverage }, documents, signal) {
  const { close: level } = session.info;
  if (!level || ranking.score === 'dot' || !query.explain) return;
  if (vectorOf(query.text) || (query.root !== null && vectorOf(query.root))) return;
  const subject = textOf(query.root ?? query.text);
  const texts = wholeTexts(documents);
  const textAt = new Map(hits.map(({ row }, i) => [row, texts[i]]));
  const near = async (/** @type {Hit[]} */ all) => {
    const found = all.filter(({ row, cosine }) => row !== MISSING_ROW && cosine >= level - CLOSE_MARGIN);
    if (found.some(({ cosine }) => cosine >= level)) return true;
    const whole = found.map(({ row }) => textAt.get(row) ?? '');
    return whole.length > 0 && engine.call('shares', [whole, subject], signal);
  };
  if (await near(hits)) return true;
  if (query.root !== null && hits.length > 0 && (await near(await byRoot(engine, ranking, hits, signal)))) return true;
  if (await holdsWords(engine, query, documents, signal)) return true;
  return coverage.rows < coverage.total ? undefined : false;
}

/**
 * The same for an answer by words alone: true if a hit contains all words of the query or of its root, false if there
 * are no hits, and otherwise undefined.
 * @param {Fleet} engine
 * @param {Query} query
 * @param {[number, Document][]} documents of the hits
 * @param {AbortSignal} [signal]
 * @returns {Promise<boolean|undefined>}
 */
export async function tellCloseByWords(engine, query, documents, signal) {
  if (documents.length === 0) return false;
  return (await holdsWords(engine, query, documents, signal)) || undefined;
}

/**
 * The hits with their cosines with the root.
 * @param {Fleet} engine
 * @param {Ranking} ranking
 * @param {Hit[]} hits
 * @param {AbortSignal} [signal]
 * @returns {Promise<Hit[]>}
 */
async function byRoot(engine, ranking, hits, signal) {
  const query = /** @type {Float32Array} */ (ranking.root);
  const plain = {
    ...{ ...ranking, method: 'none', query, root: null, perspectives: [], angles: [], strength: 0 },
    ...{ filters: [], only: null, cosineRank: false }, // other rows do not matter
  };
  const bare = hits.map(({ row, document }) => ({ row, document }));
  try {
    const { all } = await engine.answer(async (parts) => {
      const found = await Promise.all(parts.map((ask) => ask((one) => one.call('explain', [plain, bare], signal))));
      return { all: found.flatMap((part) => part.hits), coverage: { rows: 0, total: 0 } };
    });
    return all;
  } catch (error) {
    if (error instanceof QueryError) return []; // a root without a direction is close to nothing
    throw error;
  }
}

/**
 * Whether a document contains all words of the query or of its root.
 * @param {Fleet} engine
 * @param {Query} query
 * @param {[number, Document][]} documents
 * @param {AbortSignal} [signal]
 */
function holdsWords(engine, { text, root }, documents, signal) {
  const texts = [text, root].flatMap((part) => (part === null ? [] : [textOf(part)]));
  return engine.call('holds', [wholeTexts(documents), texts], signal);
}

/**
 * The titles and texts of documents.
 * @param {[number, Document][]} documents
 */
const wholeTexts = (documents) => documents.map(([, { title, text }]) => `${title} ${text}`);

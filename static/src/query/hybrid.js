// Answers by words: BM25 alone, or fused with a ranking by vectors. The rules
// are those of internal/search/hybrid.go, so that page and command answer alike.

import { QueryError } from '../errors.js';
import { explainParts, rankParts } from '../worker/merge.js';
import { passes } from './filter.js';
import { WORDS } from './methods.js';
import { isText } from './values.js';

const RECIPROCAL = 'rrf';
const DEFAULT_WEIGHT = 0.5;

/** How many of the best of each ranking are fused, where not more are wanted. */
const DEPTH = 100;

/**
 * The option `hybrid` with its defaults; null: not asked for.
 * @param {boolean|string|{fusion?: string, weight?: number}|null|undefined} option
 * @param {{text: unknown, method: string|null, mmr: number|null}} query
 */
export function checkHybrid(option, { text, method, mmr }) {
  const wanted = option !== undefined && option !== null && option !== false;
  if (method === WORDS && wanted) throw new QueryError('bm25: ranks by words alone: leave hybrid or the method out');
  if (method === WORDS && mmr !== null) {
    throw new QueryError('bm25: a ranking by words cannot be diversified: leave mmr or the method out');
  }
  if ((wanted || method === WORDS) && (!isText(text) || text === '')) {
    throw new QueryError(`${wanted ? 'hybrid' : WORDS}: words are searched for, and the query has no text: give it`);
  }
  if (!wanted) return null;
  const { fusion = RECIPROCAL, weight = DEFAULT_WEIGHT } = isText(option) ? { fusion: option } : Object(option);
  if (!isText(fusion)) throw new QueryError(`hybrid: ${JSON.stringify(fusion)} is not the name of a fusion`);
  if (typeof weight !== 'number' || !(weight >= 0 && weight <= 1)) {
    throw new QueryError(
      `hybrid: the weight of the words is ${JSON.stringify(weight)}, must be between 0 (vectors alone) and 1 (words ` +
        `alone)`,
    );
  }
  if (mmr !== null) throw new QueryError('hybrid: a fused ranking cannot be diversified: leave mmr or hybrid out');
  return { fusion: fusion || RECIPROCAL, weight };
}

/**
 * Hits by words alone: {document, score}, and how many documents they are drawn from.
 * @param {import('../collection/session.js').Session} session
 */
export async function rankWords(session, { text, k }, filters, signal) {
  const { local, info } = session;
  const first = info.documents;
  const entries = filters.length > 0 ? local.entries : [];
  const added =
    entries.length > 0 ? entries.filter(meets(session, entries, filters)).map(({ index }) => index - first) : [];
  return session.withWords((engine) =>
    engine.rankWords(text, k, filters.length > 0 ? { filters, added, count: local.count } : null, signal),
  );
}

/**
 * Fuses the best by vectors with the best by words; the k best of the fusion, and what they are drawn from.
 * @param {import('../collection/session.js').Session} session
 * @param {Awaited<ReturnType<typeof import('./query.js').normalize>>} query
 * @param {import('../engine/request.js').Ranking} ranking
 * @param {AbortSignal} [signal]
 */
export async function rankBoth(session, { text, hybrid }, ranking, signal) {
  await session.withWords((engine) => engine.loadWords(text, signal)); // before: additions wait for what follows
  const depth = Math.max(ranking.k, DEPTH);
  const best = { ...ranking, k: depth, explain: false, documents: true };
  const make = async (parts) => {
    const ranked = await rankParts(parts, best, signal);
    if (!ranked) return null;
    const { hits: vectors, documents: keep, cut, versions, coverage } = ranked;
    const [words, fused] = await parts[0](async (engine) => {
      await session.tell(engine);
      const found = await engine.rankWords(text, depth, { keep }, signal);
      return [found, await engine.fuse(hybrid.fusion, hybrid.weight, vectors, found)];
    });
    const rows = new Map(vectors.map(({ document, row }) => [document, row]));
    const chosen = fused
      .slice(0, ranking.k)
      .map(({ document, score }) => ({ row: rows.get(document) ?? document, document, score: Math.fround(score) }));
    const hits =
      ranking.explain && chosen.length > 0
        ? await explainParts(parts, { ...ranking, cut }, chosen, versions, signal)
        : chosen;
    const ranks = new Map(words.map(({ document, score }, i) => [document, { rank: i + 1, score }]));
    const lexical = ({ document }) => ranks.get(document) ?? { rank: 0, score: 0 };
    return hits && { hits: hits.map((hit) => ({ ...hit, lexical: lexical(hit) })), coverage };
  };
  return session.engine.answer(make, { words: true });
}

/**
 * @returns {(entry: import('../collection/local.js').Entry, place: number) => boolean} whether an added document meets
 * all filters
 */
function meets(session, entries, filters) {
  const { columns } = session.fields.columns(entries.map((entry) => entry.document));
  const values = new Map(columns.map((column) => [column.column, column.values]));
  return (_, place) => passes(filters, (column) => values.get(column)?.[place]);
}

/** Whether words can answer the query. */
export function worded(session, { text }) {
  return session.info.words && isText(text) && text !== '';
}

/** Why words answer where vectors were asked for; '' where vectors can. */
export function missing(session, query) {
  if (!worded(session, query)) return '';
  const { text, root, perspectives, plain } = query;
  const { rows, total } = session.coverage;
  const texts = [text, root, ...perspectives].some(isText);
  if (texts && session.engine.encoderPending) return 'the encoder is still loading';
  if (rows === 0 && total > 0) return 'no vectors have arrived yet';
  return !session.info.encodes && plain ? 'the collection carries no encoder' : '';
}

export function notice(why) {
  return `${why}: the words of the query rank alone (BM25), whatever its side`;
}

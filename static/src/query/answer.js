// From a question to an answer, on any engine: encode, rank, read the
// documents, present. The rules are those of internal/search, so that page,
// command and headless host give the same answer.

import { QueryError, UnavailableError } from '../errors.js';
import { compileFilter } from './filter.js';
import { shortest } from './float32.js';
import { missing, notice, rankBoth, rankWords, worded } from './hybrid.js';
import { WORDS, checkMethod } from './methods.js';
import { normalize, toVectors } from './query.js';

/**
 * @param {import('../collection/session.js').Session} session
 * @param {import('../../lib/index.d.ts').SearchQuery|null} request
 * @returns {Promise<import('../../lib/index.d.ts').SearchResult>}
 */
export function search(session, request) {
  return session.use(async (engine, encode) => {
    const started = performance.now();
    const { signal } = request ?? {};
    const { info, local } = session;
    signal?.throwIfAborted();
    const query = await normalize(request, (text) => engine.split(text));
    if (query.method) checkMethod(query.method);
    const filters = compileFilter(request?.filter, info.fields);
    const words = (why) => byWords(session, engine, query, filters, signal, started, why && notice(why));
    if (query.method === WORDS) return words();
    const why = missing(session, query);
    if (why) {
      // Where words fail as well, the vectors are waited for.
      const answer = await words(why).catch((error) => {
        if (signal?.aborted || !session.info.encodes) throw error;
      });
      if (answer) return answer;
    }
    let vectors;
    try {
      vectors = await toVectors(query, (texts, role) => encode(texts, role, signal), info.dim);
    } catch (error) {
      if (!(error instanceof UnavailableError) || !worded(session, query)) throw error;
      return await words(error.message);
    }
    const encoded = performance.now();
    const asked = ranking(query, vectors, filters);
    const { hits, coverage } = query.hybrid
      ? await rankBoth(session, query, asked, signal)
      : await engine.rank(asked, signal);
    const ranked = performance.now();
    const documents = await read(engine, hits, (hit) => local.at(hit.row), signal);
    return {
      ...head(info, query, vectors),
      ...(query.hybrid ? { hybrid: query.hybrid.fusion } : {}),
      ...who(vectors),
      hits: hits.map((hit, i) => ({
        ...present(hit, i + 1, query, ...documents[i]),
        ...(query.hybrid
          ? { lexical: { rank: hit.lexical.rank, score: shortest(Math.fround(hit.lexical.score)) } }
          : {}),
      })),
      coverage,
      texts: vectors.texts,
      timing: { encode: encoded - started, rank: ranked - encoded, documents: performance.now() - ranked },
    };
  });
}

/** An answer by words alone; notice says why, where no one asked for that. */
async function byWords(session, engine, query, filters, signal, started, notice) {
  const { info, local } = session;
  const hits = await rankWords(session, query, filters, signal);
  const ranked = performance.now();
  const documents = await read(engine, hits, (hit) => local.byIndex.get(hit.document), signal);
  const { total } = session.coverage;
  return {
    ...head(info, query, { method: WORDS }),
    ...(notice ? { notice } : {}),
    hits: hits.map(({ score }, i) => {
      const [index, { _id, title, text }] = documents[i];
      const shown = shortest(Math.fround(score));
      return { rank: i + 1, id: _id, index, score: shown, title, text, lexical: { rank: i + 1, score: shown } };
    }),
    coverage: { rows: total, total },
    texts: [],
    timing: { encode: 0, rank: ranked - started, documents: performance.now() - ranked },
  };
}

/**
 * The documents of hits, with their indexes. Entries are looked up at once: a
 * document removed a moment later is still one of this answer.
 */
async function read(engine, hits, local, signal) {
  const added = hits.map(local);
  const rest = await engine.documents(
    hits.filter((_, i) => !added[i]).map((hit) => hit.document),
    signal,
  );
  signal?.throwIfAborted();
  return hits.map((hit, i) => (added[i] ? [added[i].index, added[i].document] : [hit.document, rest.shift()]));
}

/**
 * @param {import('../collection/session.js').Session} session
 * @param {Iterable<string>} texts
 * @param {(import('../../lib/index.d.ts').RerankQuery & {hybrid?: unknown, filter?: object})|null} request
 * @returns {Promise<import('../../lib/index.d.ts').RerankResult>}
 */
export function rerank(session, texts, request) {
  return session.use(async (engine, encode) => {
    const started = performance.now();
    const entries = checkTexts(texts);
    const { signal } = request ?? {};
    if (String(request?.method).toLowerCase() === WORDS || (request?.hybrid ?? false) !== false) {
      throw new QueryError('rerank: bare texts have no inverted index: leave hybrid and bm25 out');
    }
    if (request?.filter && Object.keys(request.filter).length > 0) {
      throw new QueryError('rerank: bare texts have no fields to filter by');
    }
    const { query, vectors } = await prepare(engine, encode, request, session.info.dim);
    const rows = (await encode(entries, 'document', signal)).map(({ vector }) => vector);
    const encoded = performance.now();
    const hits = await engine.rankAmong(rows, ranking(query, vectors, []), signal);
    signal?.throwIfAborted();
    return {
      ...head(session.info, query, vectors),
      ...who(vectors),
      hits: hits.map((hit, i) => present(hit, i + 1, query, hit.row, { _id: '', title: '', text: entries[hit.row] })),
      texts: vectors.texts,
      timing: { encode: encoded - started, rank: performance.now() - encoded },
    };
  });
}

function checkTexts(texts) {
  if (typeof texts === 'string' || typeof texts?.[Symbol.iterator] !== 'function') {
    throw new QueryError('rerank takes a list of texts: rerank(texts, {query: "..."})');
  }
  return Array.from(texts, (text, i) => {
    if (typeof text !== 'string') throw new QueryError(`rerank: text ${i} is not a string`);
    return text;
  });
}

async function prepare(engine, encode, request, dim) {
  request?.signal?.throwIfAborted();
  const query = await normalize(request, (text) => engine.split(text));
  const vectors = await toVectors(query, (texts, role) => encode(texts, role, request.signal), dim);
  return { query, vectors };
}

function ranking({ lambda, k, mmr, explain, cosineRank }, { method, query, root, perspectives }, filters) {
  return { method, query, root, perspectives, lambda, k, mmr, explain, cosineRank, filters };
}

function head({ model }, { lambda, k }, { method }) {
  const { id, revision = '' } = model;
  return { method, lambda: shortest(Math.fround(lambda)), k, encoder: { id, revision } };
}

/** Who encoded the texts, and why another than was to; nothing where all are vectors. */
function who({ texts }) {
  const { encodedBy, notice } = texts.find((text) => text.notice) ?? texts[0] ?? {};
  return { ...(notice && { notice }), ...(encodedBy && { encodedBy }) };
}

function present(hit, rank, query, index, { _id, title, text }) {
  const answer = { rank, id: _id, index, score: shortest(hit.score), title, text };
  if (!query.explain) return answer;
  const explain = {};
  for (const name of ['x', 'y', 'norm', 'numerator', 'denominator', 'cosine']) explain[name] = shortest(hit[name]);
  if (query.cosineRank) explain.cosine_rank = hit.cosineRank;
  return { ...answer, explain };
}

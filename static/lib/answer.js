// From a question to an answer, on any engine: encode, rank, read the
// documents, present. The rules are those of wasm/search, so that page,
// command and headless host give the same answer.

import { QueryError } from './errors.js';
import { compileFilter } from './filter.js';
import { shortest } from './float32.js';
import { normalize, toVectors } from './query.js';

/**
 * @param {import('./session.js').Session} session
 * @param {import('./index.d.ts').SearchQuery|null} request
 * @returns {Promise<import('./index.d.ts').SearchResult>}
 */
export function search(session, request) {
  return session.use(async (engine, encode) => {
    const started = performance.now();
    const { signal } = request ?? {};
    const { info, local } = session;
    const { query, vectors } = await prepare(engine, encode, request, info.dim);
    const filters = compileFilter(request.filter, info.fields);
    const encoded = performance.now();
    const { hits, coverage } = await engine.rank(ranking(query, vectors, filters), signal);
    const ranked = performance.now();
    // Looked up at once: a document removed a moment later is still one of
    // this answer.
    const added = hits.map((hit) => local.at(hit.row));
    const read = await engine.documents(hits.filter((_, i) => !added[i]).map((hit) => hit.document), signal);
    signal?.throwIfAborted();
    return {
      ...head(info, query, vectors),
      hits: hits.map((hit, i) => present(hit, i + 1, query.explain, added[i]?.index ?? hit.document, added[i]?.document ?? read.shift())),
      coverage,
      texts: vectors.texts,
      timing: { encode: encoded - started, rank: ranked - encoded, documents: performance.now() - ranked },
    };
  });
}

/**
 * @param {import('./session.js').Session} session
 * @param {Iterable<string>} texts
 * @param {import('./index.d.ts').RerankQuery|null} request
 * @returns {Promise<import('./index.d.ts').RerankResult>}
 */
export function rerank(session, texts, request) {
  return session.use(async (engine, encode) => {
    const started = performance.now();
    const entries = checkTexts(texts);
    const { signal } = request ?? {};
    if (request?.filter && Object.keys(request.filter).length > 0) throw new QueryError('rerank: bare texts have no fields to filter by');
    const { query, vectors } = await prepare(engine, encode, request, session.info.dim);
    const rows = (await encode(entries, 'document', signal)).map(({ vector }) => vector);
    const encoded = performance.now();
    const hits = await engine.rankAmong(rows, ranking(query, vectors, []), signal);
    signal?.throwIfAborted();
    return {
      ...head(session.info, query, vectors),
      hits: hits.map((hit, i) => present(hit, i + 1, query.explain, hit.row, { _id: '', title: '', text: entries[hit.row] })),
      texts: vectors.texts,
      timing: { encode: encoded - started, rank: performance.now() - encoded },
    };
  });
}

function checkTexts(texts) {
  if (typeof texts === 'string' || typeof texts?.[Symbol.iterator] !== 'function') throw new QueryError('rerank takes a list of texts: rerank(texts, {query: "..."})');
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

function ranking({ lambda, k, mmr, explain }, { method, query, root, perspectives }, filters) {
  return { method, query, root, perspectives, lambda, k, mmr, explain, filters };
}

function head({ model }, { lambda, k }, { method }) {
  const { id, revision = '' } = model;
  return { method, lambda: shortest(Math.fround(lambda)), k, encoder: { id, revision } };
}

function present(hit, rank, explained, index, { _id, title, text }) {
  const answer = { rank, id: _id, index, score: shortest(hit.score), title, text };
  if (!explained) return answer;
  const explain = {};
  for (const name of ['x', 'y', 'norm', 'numerator', 'denominator', 'cosine']) explain[name] = shortest(hit[name]);
  explain.cosine_rank = hit.cosineRank;
  return { ...answer, explain };
}

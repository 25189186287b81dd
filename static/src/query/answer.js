// Answers a query on any engine: encode, rank, read the documents, present. The
// rules are those of internal/search, so that page, command and headless host
// give the same answer.

import { MAXSIM, WORDS } from '../constants.js';
import { QueryError } from '../errors.js';
import { tellClose, tellCloseByWords } from './close.js';
import { checkContexts, join } from './contexts.js';
import { compileFilter } from './filter.js';
import { shortest } from './float32.js';
import { missing, notice, rankBoth, rankWords, unencoded, worded } from './hybrid.js';
import { checkAngles, checkMethod, checkSides } from './methods.js';
import { byTokens, checkTokens } from './maxsim.js';
import { checkRescore } from './rescore.js';
import { readAngles, planOf } from './plan.js';
import { normalize, toVectors } from './query.js';
import { rootOf } from './root.js';
import { checkTexts, encodeBoth } from './texts.js';
import { rootOfHits, tellHits, tellTexts } from './told.js';
import { head, notices, present, read, who } from './result.js';
import { textOf } from './values.js';

/**
 * @import { Session } from '../collection/session.js'
 * @import { Encoded, TextEncoding } from '../collection/encoding.js'
 * @import { Entry } from '../collection/local.js'
 * @import { Hit, Ranking } from '../engine/request.js'
 * @import { CollectionInfo, Coverage, Document, RerankQuery, RerankResult, RerankText } from '../../lib/index.d.ts'
 * @import { SearchQuery, SearchResult, TextOrVector } from '../../lib/index.d.ts'
 * @import { Fleet } from '../worker/fleet.js'
 * @import { Angles } from './angles.js'
 * @import { Condition } from './filter.js'
 * @import { FusedHit } from './hybrid.js'
 * @import { Chosen, Query, Vectors } from './query.js'
 */

/**
 * @param {Session} session
 * @param {SearchQuery|null} request
 * @returns {Promise<SearchResult>}
 */
export function search(session, request) {
  return session.use(async (engine, encode) => {
    const started = performance.now();
    const { signal } = request ?? {};
    const { info, local } = session;
    signal?.throwIfAborted();
    const early = engine.encoderPending;
    let asked = await normalize(request, (text) => engine.call('split', [text]));
    if (asked.method) {
      checkMethod(asked.method);
      checkAngles(asked.method, info);
    }
    checkTokens(asked, info);
    checkRescore(asked, info);
    const contexts = checkContexts(session, request, asked);
    const filters = compileFilter(request?.filter, info.fields);
    const words = (why = '') => byWords(session, engine, asked, filters, signal, started, why && notice(why));
    if (asked.method === WORDS) return words();
    if (asked.side) checkSides(info);
    const why = asked.side ? '' : missing(session, asked); // words cannot tell sides apart
    if (why) {
      if (engine.encoderBroke) engine.call('encode', [[], 'query', 'vector']).catch(() => {}); // fetches it again
      // If words fail too, the query waits for the encoder, and the vectors that have arrived answer.
      const answer = await words(why).catch((error) => {
        if (signal?.aborted || !session.info.encodes) throw error;
      });
      if (answer) return answer;
    }
    // The grammar alone has read the query if the encoder was not there.
    if (early || why) asked = await normalize(request, (text) => session.split(text));
    if (info.score === MAXSIM) {
      try {
        return await byTokens(session, engine, encode, asked, contexts, filters, started, signal);
      } catch (error) {
        if (!session.wordsReplace(error) || !worded(session, asked)) throw error;
        return await words(unencoded(error));
      }
    }
    let vectors;
    try {
      vectors = await toVectors(asked, (texts, role) => encode(texts, role, signal), info.dim);
    } catch (error) {
      if (asked.side || !session.wordsReplace(error) || !worded(session, asked)) throw error;
      return await words(unencoded(error));
    }
    const { query, angles, notice: less } = await planOf(session, engine, asked, true, signal);
    const only = query.side && {
      side: query.side,
      root: await rootOf(session, encode, textOf(/** @type {TextOrVector} */ (query.root)), signal),
    };
    if (only) await readAngles(session, engine, signal);
    const encoded = performance.now();
    const by = { ...ranking(query, vectors, angles, filters, info), only };
    /** @type {{hits: FusedHit[], coverage: Coverage}} */
    const { hits, coverage } = query.hybrid
      ? await rankBoth(session, query, by, signal)
      : await engine.rank(by, signal);
    const root = () => only?.root ?? rootOfHits(session, engine, encode, query, vectors, angles, signal);
    const { stances, lost } = await tellHits(session, engine, root, hits, signal);
    const ranked = performance.now();
    const documents = await read(engine, hits, (hit) => local.at(hit.row), signal);
    const close = await tellClose(session, engine, asked, by, { hits, coverage }, documents, signal);
    const how = { fused: query.hybrid !== null, score: query.score ?? info.score };
    // All that comes from the network has arrived. From here on, contexts only order the hits.
    const pairs = contexts && (await join(session, engine, encode, contexts, hits, how, signal));
    const order = pairs ?? hits.map(({ score }, place) => ({ place, score, because: null }));
    return {
      ...head(info, query, angles),
      ...(query.hybrid ? { hybrid: query.hybrid.fusion } : {}),
      ...who(vectors, notices(less, lost)),
      ...(close !== undefined && { close }),
      hits: order.map(({ place, score, because }, i) => {
        const hit = hits[place];
        return {
          ...present({ ...hit, score }, i + 1, query, ...documents[place]),
          ...(stances[place] && { stance: stances[place] }),
          ...(because && { because }),
          ...(hit.lexical ? { lexical: { ...hit.lexical, score: shortest(Math.fround(hit.lexical.score)) } } : {}),
        };
      }),
      coverage,
      texts: vectors.texts,
      timing: { encode: encoded - started, rank: ranked - encoded, documents: performance.now() - ranked },
    };
  });
}

/**
 * An answer only by words; `notice` says why, unless the query asked for that.
 * @param {Session} session
 * @param {Fleet} engine
 * @param {Query} query
 * @param {Condition[]} filters
 * @param {AbortSignal|undefined} signal
 * @param {number} started
 * @param {string} notice
 * @returns {Promise<SearchResult>}
 */
async function byWords(session, engine, query, filters, signal, started, notice) {
  const { info, local } = session;
  const hits = await rankWords(session, query, filters, signal);
  const ranked = performance.now();
  const documents = await read(engine, hits, (hit) => local.byIndex.get(hit.document), signal);
  const close = await tellCloseByWords(engine, query, documents, signal);
  const { total } = session.coverage;
  return {
    ...head(info, { ...query, method: WORDS, kind: '' }),
    ...(notice ? { notice } : {}),
    ...(close !== undefined && { close }),
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
 * @param {Session} session
 * @param {Iterable<RerankText>} texts
 * @param {(RerankQuery & {hybrid?: unknown, filter?: object, side?: unknown, contexts?: unknown,
 *   contextLambda?: unknown})|null} request
 * @returns {Promise<RerankResult>}
 */
export function rerank(session, texts, request) {
  return session.use(async (engine, encode) => {
    const started = performance.now();
    const entries = checkTexts(texts, 'rerank', 'rerank(texts, {query: "..."})', session);
    const { signal } = request ?? {};
    if (String(request?.method).toLowerCase() === WORDS || (request?.hybrid ?? false) !== false) {
      throw new QueryError('rerank: bare texts have no inverted index: leave hybrid and bm25 out');
    }
    if (request?.filter && Object.keys(request.filter).length > 0) {
      throw new QueryError('rerank: bare texts have no fields to filter by');
    }
    if (request?.contexts || (request?.contextLambda ?? null) !== null) {
      throw new QueryError('rerank: contexts order the hits of a collection: leave them out');
    }
    if (session.info.score === MAXSIM) {
      throw new QueryError('rerank: the collection was made for maxsim, which ranks its own documents only');
    }
    if (request?.side) throw new QueryError('rerank: all texts are ranked, whatever their side: leave side out');
    const { query, vectors, angles, notice: less } = await prepare(session, engine, encode, request);
    const withAngles = angles.angles.length > 0;
    const { rows, slants } = await encodeBoth(session, encode, entries, withAngles, signal);
    const told = withAngles ? await rootOfHits(session, engine, encode, query, vectors, angles, signal) : null;
    const encoded = performance.now();
    const asked = ranking(query, vectors, angles, [], session.info);
    const hits = await engine.call('rankAmong', [rows, slants, asked], signal);
    const of = (/** @type {Float32Array[]} */ all) => hits.map(({ row }) => all[row]);
    const stances = await tellTexts(engine, told, of(rows), of(slants), signal);
    signal?.throwIfAborted();
    return {
      ...head(session.info, query, angles),
      ...who(vectors, less),
      hits: hits.map((hit, i) => ({
        ...present(hit, i + 1, query, hit.row, { _id: '', title: '', text: entries[hit.row].text }),
        ...(stances[i] && { stance: stances[i] }),
      })),
      texts: vectors.texts,
      timing: { encode: encoded - started, rank: performance.now() - encoded },
    };
  });
}

/**
 * @param {Session} session
 * @param {Fleet} engine
 * @param {TextEncoding} encode
 * @param {RerankQuery|null} request
 */
async function prepare(session, engine, encode, request) {
  request?.signal?.throwIfAborted();
  const usage = 'rerank takes texts and an object: rerank(texts, {query: "..."})';
  const asked = await normalize(request, (text) => session.split(text), usage);
  checkTokens(asked, session.info);
  checkRescore(asked, session.info);
  const vectors = await toVectors(asked, (texts, role) => encode(texts, role, request?.signal), session.info.dim);
  return { vectors, ...(await planOf(session, engine, asked, false, request?.signal)) };
}

/**
 * @param {Chosen} asked
 * @param {Vectors} vectors
 * @param {Angles} angles
 * @param {Condition[]} filters
 * @param {Pick<CollectionInfo, 'score'>} info
 * @returns {Ranking}
 */
function ranking(asked, { query, root, perspectives }, { angles, strength }, filters, { score: own }) {
  const { method, lambda, k, mmr, explain, cosineRank } = asked;
  const score = asked.score ?? own;
  return { method, query, root, perspectives, lambda, score, angles, strength, k, mmr, explain, cosineRank, filters };
}

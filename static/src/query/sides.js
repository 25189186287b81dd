// Which texts are for a root and which are against it, and the other side of a document. The rules are those of
// internal/search, so that page, command and headless host give the same answer.

import { DEFAULT_K, FAR_STRENGTH, MAX_STRENGTH, METHODS, OTHER_SIDE_STRENGTH } from '../constants.js';
import { QueryError } from '../errors.js';
import { present, read } from './result.js';
import { anglesOf, strengthOf } from './angles.js';
import { compileFilter } from './filter.js';
import { shortest } from './float32.js';
import { checkSides } from './methods.js';
import { absent } from './query.js';
import { presentStance, rootOf } from './root.js';
import { isText, number } from './values.js';
import { surveyParts, tellParts, vectorsOfParts } from '../worker/sides.js';

/**
 * @import { Document, OtherSide, OtherSideOptions, Sides, SidesOptions, Stance } from '../../lib/index.d.ts'
 * @import { TextEncoding } from '../collection/encoding.js'
 * @import { Session } from '../collection/session.js'
 * @import { Hit, Ranking } from '../engine/request.js'
 * @import { Counted, Poll, Root, Told } from '../engine/sides.js'
 * @import { Fleet } from '../worker/fleet.js'
 * @import { Condition } from './filter.js'
 */

const CONTRAST = /** @type {typeof METHODS[number]} */ (METHODS.find(({ name }) => name === 'contrast'));

/** Least number of documents that are ranked to find those on the other side. */
const LEAST = 64;

/**
 * The sides of all documents.
 * @param {Session} session
 * @param {string} root
 * @param {SidesOptions} options
 * @returns {Promise<Sides>}
 */
export function sides(session, root, { filter, signal, ...options }) {
  return session.use(async (engine, encode) => {
    signal?.throwIfAborted();
    checkSides(session.info);
    const filters = compileFilter(filter, session.info.fields);
    const poll = await pollOf(session, encode, root, options, filters, signal);
    await session.ears.open(signal);
    const { sides: found, coverage } = await engine.answer((parts) => surveyParts(parts, poll, signal));
    session.ears.used = true;
    const { local } = session;
    const all = [found.for, found.neither, found.against].flatMap(({ hits }) => hits);
    const documents = await read(engine, all, (hit) => local.at(hit.row), signal);
    return { ...headOf(session, root, poll), ...listed(found, documents), coverage };
  });
}

/**
 * The sides of texts.
 * @param {Session} session
 * @param {string} root
 * @param {Iterable<string>} texts
 * @param {SidesOptions} options
 * @returns {Promise<Omit<Sides, 'coverage'>>}
 */
export function sidesOf(session, root, texts, { filter, signal, ...options }) {
  return session.use(async (engine, encode) => {
    signal?.throwIfAborted();
    if (filter && Object.keys(filter).length > 0) {
      throw new QueryError('sidesOf: bare texts have no fields to filter by');
    }
    const entries = listTexts(texts);
    const poll = await pollOf(session, encode, root, options, [], signal);
    const rows = entries.length > 0 ? await encode(entries, 'document', signal) : [];
    const angles = entries.length > 0 ? await anglesOf(session, entries, 'document', signal) : [];
    const vectors = rows.map(({ vector }) => vector);
    const found = await engine.call('surveyAmong', [vectors, angles, poll], signal);
    signal?.throwIfAborted();
    const all = [found.for, found.neither, found.against].flatMap(({ hits }) => hits);
    /** @type {[number, Pick<Document, '_id'|'title'|'text'>][]} */
    const documents = all.map(({ row }) => [row, { _id: '', title: '', text: entries[row] }]);
    return { ...headOf(session, root, poll), ...listed(found, documents) };
  });
}

/**
 * The stances of documents towards a root, null for those that are not on its subject.
 * @param {Session} session
 * @param {string} root
 * @param {Iterable<number>} documents
 * @param {AbortSignal} [signal]
 * @returns {Promise<(Stance|null)[]>}
 */
export function stances(session, root, documents, signal) {
  return session.use(async (engine, encode) => {
    signal?.throwIfAborted();
    checkSides(session.info);
    const hits = [...documents].map((index) => hitOf(session, index));
    const asked = await rootOf(session, encode, checkRoot(root), signal);
    await session.ears.open(signal);
    const told = await tellAll(engine, asked, hits, signal);
    session.ears.used = true;
    return told.map((one) => (one?.onSubject ? presentStance(one) : null));
  });
}

/**
 * Documents near a document in topic and on the other side.
 * @param {Session} session
 * @param {number} document
 * @param {OtherSideOptions} options
 * @returns {Promise<OtherSide>}
 */
export function otherSide(session, document, { root, k: wanted, strength, filter, signal }) {
  return session.use(async (engine, encode) => {
    signal?.throwIfAborted();
    checkSides(session.info);
    const k = checkK(wanted);
    const own = hitOf(session, document);
    const filters = compileFilter(filter, session.info.fields);
    const of = absent(root) ? null : await rootOf(session, encode, checkRoot(root), signal);
    const by = number('strength', strength ?? (of ? OTHER_SIDE_STRENGTH : FAR_STRENGTH), 0, MAX_STRENGTH);
    await session.ears.open(signal);
    const vectors = await vectorsOf(session, engine, own.document, signal);
    session.ears.used = true;
    const told = of && (await tellAll(engine, of, [own], signal))[0];
    if (of && !told?.slant) {
      throw new QueryError(`document ${document} says nothing about the root, so that it has no other side`);
    }
    const sign = told ? -Math.sign(told.slant) : 0;
    /** @type {Ranking} */
    const ranking = {
      method: of ? 'contrast' : 'aspect',
      query: vectors.topic,
      root: of ? vectors.topic : null,
      perspectives: [],
      lambda: 0,
      angles: of ? of.angles : [vectors.angle],
      strength: of ? sign * by : -by,
      k,
      mmr: null,
      explain: true,
      filters,
    };
    const found = await across(session, engine, ranking, own.document, of && { root: of, sign }, signal);
    const { local } = session;
    const rows = [own, ...found.hits.map(({ hit }) => hit)];
    const [[index, { _id: id, title, text }], ...documents] = await read(
      engine,
      rows,
      (one) => local.at(one.row),
      signal,
    );
    return {
      ...(root && { root }),
      k,
      strength: shortest(Math.fround(by)),
      encoder: encoderOf(session),
      of: { rank: 0, id, index, score: 0, title, text, ...(told && { stance: presentStance(told) }) },
      hits: found.hits.map(({ hit, told: side }, i) => ({
        ...present(hit, i + 1, { explain: true, cosineRank: false }, ...documents[i]),
        ...(side && { stance: presentStance(side) }),
      })),
      coverage: found.coverage,
    };
  });
}

/**
 * The best hits that are on the other side. It ranks more and more documents until there are enough such hits.
 * @param {Session} session
 * @param {Fleet} engine
 * @param {Ranking} ranking
 * @param {number} document that is left out
 * @param {{root: Root, sign: number}|null} side with the sign of the slants that are sought
 * @param {AbortSignal} [signal]
 */
async function across(session, engine, ranking, document, side, signal) {
  for (let k = Math.max(4 * ranking.k, LEAST); ; k *= 4) {
    const { total } = session.coverage;
    const { hits, coverage } = await engine.rank({ ...ranking, k: Math.min(k, Math.max(1, total)) }, signal);
    const told = side ? await tellAll(engine, side.root, hits, signal) : [];
    const kept = hits
      .map((hit, i) => ({ hit, told: told[i] ?? null }))
      .filter(({ hit, told: one }) => {
        if (hit.document === document) return false;
        return !side || (one?.onSubject && Math.sign(one.slant) === side.sign);
      });
    if (kept.length >= ranking.k || k >= total) return { hits: kept.slice(0, ranking.k), coverage };
  }
}

/**
 * @param {Session} session
 * @param {Fleet} engine
 * @param {number} document
 * @param {AbortSignal} [signal]
 */
async function vectorsOf(session, engine, document, signal) {
  const { vectors } = await engine.answer(async (parts) => {
    const found = await vectorsOfParts(parts, document, session.info.angles, signal);
    return { vectors: found, coverage: { rows: 0, total: 0 } };
  });
  const { topic, angle } = vectors ?? {};
  if (!topic) throw new QueryError(`document ${document} has not arrived yet: wait for \`ready\``);
  if (!angle) throw new QueryError(`document ${document} has no angle, so that it has no other side`);
  return { topic, angle };
}

/**
 * @param {Fleet} engine
 * @param {Root} root
 * @param {{row: number, document: number}[]} hits
 * @param {AbortSignal} [signal]
 * @returns {Promise<(Told|null)[]>}
 */
async function tellAll(engine, root, hits, signal) {
  const { told } = await engine.answer(async (parts) => {
    return { told: await tellParts(parts, root, hits, signal), coverage: { rows: 0, total: 0 } };
  });
  return told;
}

/**
 * @param {Session} session
 * @param {TextEncoding} encode
 * @param {string} root
 * @param {Pick<SidesOptions, 'k'|'strength'>} options
 * @param {Condition[]} filters
 * @param {AbortSignal} [signal]
 * @returns {Promise<Poll>}
 */
async function pollOf(session, encode, root, { k, strength }, filters, signal) {
  checkRoot(root);
  const wanted = checkK(k);
  const by = absent(strength) ? null : number('strength', strength, -MAX_STRENGTH, MAX_STRENGTH);
  const asked = await rootOf(session, encode, root, signal);
  const hearing = await session.ears.hearing(signal);
  return { ...asked, strength: by ?? strengthOf(CONTRAST, hearing), k: wanted, filters };
}

/** @param {string|null|undefined} root */
function checkRoot(root) {
  if (isText(root) && root !== '') return root;
  throw new QueryError('the root is empty: give the claim that texts are for or against');
}

/** @param {number|null} [given] */
function checkK(given) {
  const k = number('k', given ?? DEFAULT_K, 1, 2 ** 31 - 1);
  if (!Number.isInteger(k)) throw new QueryError(`k: ${k} is not a whole number`);
  return k;
}

/** @param {Iterable<string>} texts */
function listTexts(texts) {
  if (typeof texts === 'string' || typeof texts?.[Symbol.iterator] !== 'function') {
    throw new QueryError('sidesOf takes a list of texts: sidesOf("a claim", texts)');
  }
  return Array.from(texts, (text, i) => {
    if (!isText(text)) throw new QueryError(`sidesOf: text ${i} is not a string`);
    return text;
  });
}

/**
 * A document in the form of a hit.
 * @param {Session} session
 * @param {number} index
 */
function hitOf({ info: { documents }, local }, index) {
  const entry = local.byIndex.get(index);
  if (entry) return { row: entry.row, document: entry.row };
  if (!Number.isInteger(index) || index < 0 || index >= documents || local.removed.has(index)) {
    throw new QueryError(
      `document ${index}: the collection has documents 0 to ${documents - 1}, less those that were removed, and ` +
        'those that were added',
    );
  }
  return { row: index, document: index };
}

/** @param {Session} session */
function encoderOf({ info: { model } }) {
  const { id, revision = '' } = model;
  return { id, revision };
}

/**
 * @param {Session} session
 * @param {string} root
 * @param {Poll} poll
 */
function headOf(session, root, { k, strength, calibration: { subject } }) {
  const encoder = encoderOf(session);
  return { root, k, strength: shortest(Math.fround(strength)), subject: shortest(Math.fround(subject)), encoder };
}

/**
 * @param {Counted} found
 * @param {[number, Pick<Document, '_id'|'title'|'text'>][]} documents of all hits
 */
function listed(found, documents) {
  const left = [...documents];
  /** @param {keyof Counted} side */
  const of = (side) => ({
    count: found[side].count,
    hits: found[side].hits.map((told, i) => {
      const [index, { _id: id, title, text }] = /** @type {typeof documents[number]} */ (left.shift());
      return { rank: i + 1, id, index, score: shortest(told.score), title, text, stance: presentStance(told) };
    }),
  });
  return { for: of('for'), neither: of('neither'), against: of('against') };
}

// Which texts are for a root and which are against it. The rules are those of internal/search, so that
// page, command and headless host give the same answer.

import { DEFAULT_K, MAX_STRENGTH, METHODS } from '../constants.js';
import { QueryError } from '../errors.js';
import { hasDocuments } from '../collection/range.js';
import { read } from './result.js';
import { strengthOf } from './angles.js';
import { compileFilter } from './filter.js';
import { shortest } from './float32.js';
import { listOf } from './list.js';
import { checkSides } from './methods.js';
import { absent } from './query.js';
import { presentStance, rootOf } from './root.js';
import { checkTexts, encodeBoth } from './texts.js';
import { isText, number } from './values.js';
import { surveyParts, tellParts } from '../worker/sides.js';

/**
 * @import { Document, RerankText, Sides, SidesOptions, Stance } from '../../lib/index.d.ts'
 * @import { TextEncoding } from '../collection/encoding.js'
 * @import { Session } from '../collection/session.js'
 * @import { Counted, Poll, Root, Told } from '../engine/sides.js'
 * @import { Fleet } from '../worker/fleet.js'
 * @import { Condition } from './filter.js'
 */

const CONTRAST = /** @type {typeof METHODS[number]} */ (METHODS.find(({ name }) => name === 'contrast'));

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
    await session.branch.open(signal);
    const { sides: found, coverage } = await engine.answer((parts) => surveyParts(parts, poll, signal));
    session.branch.used = true;
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
 * @param {Iterable<RerankText>} texts
 * @param {SidesOptions} options
 * @returns {Promise<Omit<Sides, 'coverage'>>}
 */
export function sidesOf(session, root, texts, { filter, signal, ...options }) {
  return session.use(async (engine, encode) => {
    signal?.throwIfAborted();
    if (filter && Object.keys(filter).length > 0) {
      throw new QueryError('sidesOf: bare texts have no fields to filter by');
    }
    const entries = checkTexts(texts, 'sidesOf', 'sidesOf("a claim", texts)', session);
    const poll = await pollOf(session, encode, root, options, [], signal);
    const { rows, slants } = await encodeBoth(session, encode, entries, true, signal);
    const found = await engine.call('surveyAmong', [rows, slants, poll], signal);
    signal?.throwIfAborted();
    const all = [found.for, found.neither, found.against].flatMap(({ hits }) => hits);
    /** @type {[number, Pick<Document, '_id'|'title'|'text'>][]} */
    const documents = all.map(({ row }) => [row, { _id: '', title: '', text: entries[row].text }]);
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
    const indexes = listOf(documents, 'stances takes a list of indexes: stances("a claim", [0, 1])');
    const hits = indexes.map((index) => hitOf(session, index));
    const asked = await rootOf(session, encode, checkRoot(root), signal);
    await session.branch.open(signal);
    const told = await tellAll(engine, asked, hits, signal);
    session.branch.used = true;
    return told.map((one) => (one?.onSubject ? presentStance(one) : null));
  });
}

/**
 * @param {Fleet} engine
 * @param {Root} root
 * @param {{row: number, document: number}[]} hits
 * @param {AbortSignal} [signal]
 * @returns {Promise<(Told|null)[]>}
 */
export async function tellAll(engine, root, hits, signal) {
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
  const tables = await session.branch.tables(signal);
  return { ...asked, strength: by ?? strengthOf(CONTRAST, tables), k: wanted, filters };
}

/** @param {string|null|undefined} root */
export function checkRoot(root) {
  if (isText(root) && root.trim()) return root;
  throw new QueryError('the root is empty: give the claim that texts are for or against');
}

/** @param {number|null} [given] */
export function checkK(given) {
  const k = number('k', given ?? DEFAULT_K, 1, 2 ** 31 - 1);
  if (!Number.isInteger(k)) throw new QueryError(`k: ${k} is not a whole number`);
  return k;
}

/**
 * A document in the form of a hit.
 * @param {Session} session
 * @param {number} index
 */
export function hitOf({ info: { documents }, local }, index) {
  const entry = local.byIndex.get(index);
  if (entry) return { row: entry.row, document: entry.row };
  if (!Number.isInteger(index) || index < 0 || index >= documents || local.removed.has(index)) {
    throw new QueryError(`document ${index}: ${hasDocuments(documents)}; this one was removed, or never added`);
  }
  return { row: index, document: index };
}

/** @param {Session} session */
export function encoderOf({ info: { model } }) {
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

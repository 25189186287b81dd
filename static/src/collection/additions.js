// What a page adds to a collection and removes from it, and saves for its next visit.

import { MAXSIM } from '../constants.js';
import { QueryError, StorageError, UnsupportedError } from '../errors.js';
import { listOf } from '../query/list.js';
import { addRows, removeRows } from '../worker/changes.js';
import { anglesOf, encodedText, vectorsOf } from './local.js';
import { pack, unpack } from './saved.js';
import { saved } from './storage.js';

/**
 * @import { LocalDocument } from '../../lib/index.d.ts'
 * @import { TextEncoding } from './encoding.js'
 * @import { Entry } from './local.js'
 * @import { Session } from './session.js'
 */

/**
 * Adds documents, all or none.
 * @param {Session} session
 * @param {Iterable<LocalDocument>} documents as the page writes them
 * @param {{signal?: AbortSignal, angles?: boolean}} [options] angles: encode them now, if the encoder gives some, and
 *   not when a query first needs them
 * @returns {Promise<number[]>} their indexes
 */
export function add(session, documents, options) {
  return insert(session, () => session.local.check(documents, session.info.dim), options);
}

/**
 * Saves the added documents under a name; returns how many there are.
 * @param {Session} session
 * @param {string} name
 */
export async function save(session, name) {
  if (session.closed) throw session.closed;
  const { entries } = session.local;
  await saved.store(name, await pack(entries, session.info.model));
  return entries.length;
}

/**
 * Adds the documents saved under a name, all or none; returns their indexes.
 * @param {Session} session
 * @param {string} name
 * @param {AbortSignal} [signal]
 */
export async function restore(session, name, signal) {
  const bytes = await saved.load(name);
  if (!bytes) throw new StorageError(`${name}: nothing is saved under this name`);
  const { angles: angleDim, dim, model } = session.info;
  const { documents, vectors, angles } = await unpack(bytes, name, model, angleDim);
  return insert(
    session,
    () => {
      const entries = session.local.check(documents, dim);
      entries.forEach((entry, i) => {
        entry.vector ??= vectors[i];
        entry.angle = angles[i];
      });
      return entries;
    },
    { signal },
  );
}

/**
 * @param {Session} session
 * @param {() => Entry[]} check returns the documents to add
 * @param {{signal?: AbortSignal, angles?: boolean}} [options] as in add
 * @returns {Promise<number[]>} the indexes of what was added
 */
function insert(session, check, { signal, angles = false } = {}) {
  return session.change(() =>
    session.use(async (engine, encode) => {
      if (session.info.score === MAXSIM) {
        throw new UnsupportedError(
          'add: the collection is ranked by the vectors of tokens (maxsim), which only `vantage index` makes: add ' +
            'the documents to the corpus and index it again',
        );
      }
      const entries = check();
      const { columns, commit } = session.fields.columns(entries.map((entry) => entry.document));
      if (session.info.angles > 0 && (angles || session.branch.awake)) await session.branch.fill(entries, signal);
      await fill(entries, encode, signal);
      if (entries.length === 0) return [];
      session.local.number(entries);
      try {
        await addRows(engine, entries[0].row, vectorsOf(entries), columns, anglesOf(entries));
        if (session.closed) throw session.closed;
        session.local.insert(entries);
      } finally {
        session.settled = session.local.count;
      }
      commit();
      return entries.map((entry) => entry.index);
    }),
  );
}

/**
 * Removes documents by id, all or none: added ones, else the collection's.
 * @param {Session} session
 * @param {Iterable<string>} ids
 * @param {AbortSignal} [signal]
 */
export function remove(session, ids, signal) {
  return session.change(() =>
    session.use(async (engine) => {
      const wanted = listOf(ids, 'remove takes a list of ids: remove(["note-1"])');
      const unknown = (/** @type {string} */ id) =>
        new QueryError(`remove: there is no document with the id ${JSON.stringify(id)}`);
      if (new Set(wanted).size !== wanted.length) throw new QueryError('remove: an id occurs twice');
      const entries = wanted.flatMap((id) => session.local.byId.get(id) ?? []);
      const others = wanted.filter((id) => !session.local.byId.has(id));
      const found = others.length > 0 ? await engine.call('find', [others], signal) : [];
      const indexes = found.map((index, i) => {
        if (index === null || session.local.removed.has(index)) throw unknown(others[i]);
        return index;
      });
      signal?.throwIfAborted();
      await removeRows(engine, [...entries.map((entry) => entry.row), ...indexes]);
      if (session.closed) throw session.closed;
      for (const entry of entries) session.local.delete(entry);
      for (const index of indexes) session.local.removed.add(index);
      session.removals = session.removals.concat(
        entries.map((entry) => entry.index),
        indexes,
      );
    }),
  );
}

/**
 * Encodes the entries that have no vector yet.
 * @param {Entry[]} entries
 * @param {TextEncoding} encode
 * @param {AbortSignal} [signal]
 */
async function fill(entries, encode, signal) {
  const open = entries.filter((entry) => !entry.vector);
  const encoded =
    open.length > 0
      ? await encode(
          open.map((entry) => encodedText(entry.document)),
          'document',
          signal,
        )
      : [];
  signal?.throwIfAborted();
  open.forEach((entry, i) => {
    entry.vector = encoded[i].vector;
  });
}

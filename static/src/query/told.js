// If a query asks for a side, its hits say which side they are on. The rules are those of tellHits in
// internal/search/stances.go.

import { askedSide } from './angles.js';
import { calibrationOf, presentStance, rootOf } from './root.js';
import { QueryError } from '../errors.js';
import { isUnusable, messageOf } from '../thrown.js';
import { tellParts } from '../worker/sides.js';

/**
 * @import { Stance } from '../../lib/index.d.ts'
 * @import { TextEncoding } from '../collection/encoding.js'
 * @import { Session } from '../collection/session.js'
 * @import { Root, Told } from '../engine/sides.js'
 * @import { Fleet } from '../worker/fleet.js'
 * @import { Angles } from './angles.js'
 * @import { Chosen, Vectors } from './query.js'
 */

/**
 * The root of a query whose hits get stances; null if they get none. With a method that has angles, these are there
 * already. With other methods, hits get stances only if an earlier query has read the angles of rows into memory.
 * @param {Session} session
 * @param {Fleet} engine
 * @param {TextEncoding} encode
 * @param {Pick<Chosen, 'text'|'perspectives'|'reading'|'opposites'>} query
 * @param {Vectors} vectors
 * @param {Angles} angles
 * @param {AbortSignal} [signal]
 * @returns {Promise<Root|null>}
 */
export async function rootOfHits(session, engine, encode, query, vectors, { angles, side }, signal) {
  const { branch } = session;
  const text = vectors.texts.find(({ role }) => role === 'root')?.text;
  if (!text || query.opposites || !(side || (branch.dim > 0 && branch.used))) return null;
  const tables = await branch.tables(signal);
  if (tables.problem) return null;
  if (side) {
    const [u, v] = side === 'for' ? angles : [angles[1], angles[0]];
    const root = { topic: /** @type {Float32Array} */ (vectors.root), angles: [u, v] };
    branch.roots.set(text, root);
    return { root: root.topic, angles: root.angles, calibration: calibrationOf(session, tables) };
  }
  return (await askedSide(engine, query, signal)) === 0 ? null : rootOf(session, encode, text, signal);
}

/**
 * The stances of the collection's hits. A hit that is on neither side, or not on the subject, has undefined. If there
 * should be stances but they cannot be computed, lost says why; otherwise it is ''.
 * @param {Session} session
 * @param {Fleet} engine
 * @param {() => Promise<Root|null>|Root|null} rootOfAll returns null if hits get no stances
 * @param {{row: number, document: number}[]} hits
 * @param {AbortSignal} [signal]
 * @returns {Promise<{stances: (Stance|undefined)[], lost: string}>}
 */
export async function tellHits(session, engine, rootOfAll, hits, signal) {
  try {
    const root = await rootOfAll();
    if (!root || hits.length === 0) return { stances: [], lost: '' };
    await session.branch.open(signal);
    const stances = await orNothing(async () => {
      const { told } = await engine.answer(async (parts) => {
        return { told: await tellParts(parts, root, hits, signal), coverage: { rows: 0, total: 0 } };
      });
      return told.map(stanceOf);
    });
    return { stances, lost: '' };
  } catch (error) {
    if (!isUnusable(error)) throw error;
    const why = 'the angles of texts cannot be used, so hits do not say which side they are on';
    return { stances: [], lost: `${why} (${messageOf(error)})` };
  }
}

/**
 * The stances of texts that were ranked.
 * @param {Fleet} engine
 * @param {Root|null} root
 * @param {Float32Array[]} vectors
 * @param {Float32Array[]} angles
 * @param {AbortSignal} [signal]
 */
export async function tellTexts(engine, root, vectors, angles, signal) {
  if (!root || vectors.length === 0) return [];
  return orNothing(async () => (await engine.call('tellAmong', [vectors, angles, root], signal)).map(stanceOf));
}

/**
 * @param {Told|null} told
 * @returns {Stance|undefined}
 */
function stanceOf(told) {
  return told?.onSubject && told.side !== 'neither' ? presentStance(told) : undefined;
}

/**
 * No stances if the root has no direction: the query is answered nevertheless.
 * @param {() => Promise<(Stance|undefined)[]>} tell
 */
async function orNothing(tell) {
  try {
    return await tell();
  } catch (error) {
    if (error instanceof QueryError) return [];
    throw error;
  }
}

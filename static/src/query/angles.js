// The angles of a query, for the methods that need them. The rules are those of
// internal/search/angles.go.

import { QueryError } from '../errors.js';
import { asking } from './claim.js';
import { isText, isVector, textOf } from './values.js';
import { lookup } from './methods.js';

/**
 * @import { SideTables } from '../collection/encoder.js'
 * @import { Session } from '../collection/session.js'
 * @import { Method, TextOrVector, TextRole } from '../../lib/index.d.ts'
 * @import { Fleet } from '../worker/fleet.js'
 * @import { Chosen } from './query.js'
 */

/**
 * What a ranking needs beside the vectors; side is "for" or "against" if it was read from the query.
 * @typedef {{angles: Float32Array[], strength: number, side?: 'for'|'against'}} Angles
 */

/** @type {Angles} of a method without angles */
const NONE = { angles: [], strength: 0 };

/**
 * @param {Pick<Session, 'branch'>} session
 * @param {Fleet} engine
 * @param {Chosen} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<Angles>}
 */
export async function toAngles(session, engine, query, signal) {
  const method = lookup(query.method);
  if (!method?.angles) return NONE;
  const tables = await session.branch.tables(signal);
  const strength = query.strength ?? strengthOf(method, tables);
  const { side, wanted } =
    method.angles === 2 ? await opposites(session, engine, query, tables, signal) : { wanted: [textOf(query.text)] };
  const texts = wanted.filter(isText);
  if (texts.includes('')) {
    throw new QueryError(`method ${method.name} needs the text of the query: the angle cannot be read from a vector`);
  }
  if (texts.length > 0 && tables.problem) throw new QueryError(tables.problem);
  const encoded = texts.length > 0 ? await anglesOf(session, texts, 'query', signal) : [];
  const angles = wanted.map((one) =>
    isText(one) ? /** @type {Float32Array} */ (encoded.shift()) : Float32Array.from(one),
  );
  if (angles.some(({ length }) => length !== angles[0].length)) {
    throw new QueryError('the angles of a query differ in length: encode them with the same model');
  }
  return { angles, strength, side };
}

/**
 * The strength of a method if a query sets none: the encoder's, or else the method's default.
 * @param {Method} method
 * @param {SideTables} tables
 */
export function strengthOf({ name, strength }, { numbers }) {
  const own = numbers[name];
  return own?.length === 1 ? own[0] : strength;
}

/**
 * Angles of texts.
 * @param {Pick<Session, 'branch'>} session
 * @param {string[]} texts
 * @param {TextRole} role
 * @param {AbortSignal} [signal]
 */
export async function anglesOf(session, texts, role, signal) {
  return (await session.branch.encode(texts, role, { alone: true, signal })).map(({ angle }) => angle);
}

/**
 * The texts that contrast compares, or their angles if they are given or known from an earlier question about the root.
 * @param {Pick<Session, 'branch'>} session
 * @param {Fleet} engine
 * @param {Pick<Chosen, 'opposites'|'root'|'text'|'perspectives'|'reading'>} query
 * @param {SideTables} tables
 * @param {AbortSignal} [signal]
 * @returns {Promise<{wanted: (string|ArrayLike<number>)[], side?: 'for'|'against'}>}
 */
async function opposites({ branch }, engine, query, tables, signal) {
  const root = query.root === null ? '' : textOf(query.root);
  if (!query.opposites) {
    const side = await sideOf(engine, query, tables, signal);
    if (!root.trim()) throw noRoot();
    const known = branch.roots.get(root)?.angles;
    const [pro, con] = known ?? [asking(tables.texts, 'for', root), asking(tables.texts, 'against', root)];
    return { wanted: side === 'for' ? [pro, con] : [con, pro], side };
  }
  const wanted = query.opposites.map((one) => {
    if (!isText(one)) return isVector(one) ? one : one.vector;
    if (one === '') {
      throw new QueryError(
        'method contrast compares two opposites, and one of them is empty: give both wordings, or neither',
      );
    }
    if (!root.trim()) throw noRoot();
    return one + root;
  });
  return { wanted };
}

const noRoot = () =>
  new QueryError(
    'method contrast asks the root for each of two opposite sides, and the query has no text of its root: ' +
      'give the root as a text, or the opposites as vectors',
  );

/**
 * The side that the perspectives ask for, or the query if there are none.
 * @param {Fleet} engine
 * @param {Pick<Chosen, 'text'|'perspectives'|'reading'>} query
 * @param {SideTables} tables
 * @param {AbortSignal} [signal]
 * @returns {Promise<'for'|'against'>}
 */
async function sideOf(engine, query, { id, problem, texts }, signal) {
  if (problem) throw new QueryError(problem);
  if (!texts.for?.length || !texts.against?.length) {
    throw new QueryError(`the encoder ${id} has no wordings of for and against: name two opposites`);
  }
  const side = await askedSide(engine, query, signal);
  if (side === 0) {
    throw new QueryError(
      'method contrast asks for a side, and the query names none, or several: say that a claim supports or opposes ' +
        'the root, name two opposites, or use method aspect',
    );
  }
  return side > 0 ? 'for' : 'against';
}

/**
 * The side that the perspectives ask for, or the query if there are none: 1 (for) or -1 (against). 0 if they do not all
 * name the same side.
 * @param {Fleet} engine
 * @param {Pick<Chosen, 'text'|'perspectives'|'reading'>} query
 * @param {AbortSignal} [signal]
 */
export async function askedSide(engine, { text, perspectives, reading }, signal) {
  if (reading || perspectives.length === 0) {
    const found = reading ?? (await engine.call('split', [textOf(text)], signal));
    return found?.side === 'for' ? 1 : found?.side === 'against' ? -1 : 0;
  }
  const sides = await Promise.all(perspectives.map((one) => engine.call('stance', [textOf(one)], signal)));
  return sides.every((one) => one === sides[0]) ? sides[0] : 0;
}

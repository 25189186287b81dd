// What is needed to tell which side of a root texts are on: the root's vectors, which are encoded once, and the
// encoder's constants. The rules are those of internal/search/roots.go.

import { CALIBRATION } from '../constants.js';
import { InputError, QueryError } from '../errors.js';
import { anglesOf } from './angles.js';
import { asking } from './claim.js';
import { shortest } from './float32.js';

/**
 * @import { Stance } from '../../lib/index.d.ts'
 * @import { SideTables } from '../collection/encoder.js'
 * @import { RootVectors } from '../collection/branch.js'
 * @import { TextEncoding } from '../collection/encoding.js'
 * @import { Session } from '../collection/session.js'
 * @import { Calibration, Root, Told } from '../engine/sides.js'
 */

/**
 * The root with all that is needed to tell sides.
 * @param {Session} session
 * @param {TextEncoding} encode
 * @param {string} text
 * @param {AbortSignal} [signal]
 * @returns {Promise<Root>}
 */
export async function rootOf(session, encode, text, signal) {
  const tables = await session.branch.tables(signal);
  if (tables.problem) throw new QueryError(tables.problem);
  const calibration = calibrationOf(session, tables);
  const { topic, angles } = await vectorsOf(session, encode, tables, text, signal);
  return { root: topic, angles, calibration };
}

/**
 * @param {Session} session
 * @param {TextEncoding} encode
 * @param {SideTables} tables
 * @param {string} text
 * @param {AbortSignal} [signal]
 * @returns {Promise<RootVectors>}
 */
async function vectorsOf(session, encode, { id, texts }, text, signal) {
  const { roots } = session.branch;
  const known = roots.get(text);
  if (known) return known;
  if (!texts.for?.length || !texts.against?.length) {
    throw new QueryError(
      `the encoder ${id} has no wordings of for and against, by which sides are told: use one whose pack has them`,
    );
  }
  const [[{ vector }], angles] = await Promise.all([
    encode([text], 'root', signal),
    anglesOf(session, [asking(texts, 'for', text), asking(texts, 'against', text)], 'query', signal),
  ]);
  const found = { topic: vector, angles };
  roots.set(text, found);
  return found;
}

/**
 * The constants in an encoder's tables, or the standard ones in place of a table that is missing. The engine checks
 * them. A text is on the subject of a root only if the collection's level for close hits says so, too.
 * @param {Session} session
 * @param {SideTables} tables
 * @returns {Calibration}
 */
export function calibrationOf({ info: { close } }, { id, numbers: { calibration, subject } }) {
  if ((calibration?.length ?? 3) !== 3 || (subject?.length ?? 1) !== 1) {
    throw new InputError(
      `the encoder ${id} has ${calibration?.length ?? 3} numbers in its table "calibration" and ` +
        `${subject?.length ?? 1} in "subject", must have 3 and 1: make its pack again`,
    );
  }
  const [twoWidth, width, level] = calibration ?? [CALIBRATION.twoWidth, CALIBRATION.width, CALIBRATION.level];
  return { twoWidth, width, level, subject: Math.max(subject?.[0] ?? CALIBRATION.subject, close || -1) };
}

/**
 * A stance as the page gets it, with the shortest decimals of its numbers.
 * @param {Told} told
 * @returns {Stance}
 */
export function presentStance({ side, probability, cosine, slant }) {
  return { side, probability: shortest(probability), cosine: shortest(cosine), slant: shortest(slant) };
}

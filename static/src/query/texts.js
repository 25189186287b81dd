// Texts that the page has: their vectors and angles are encoded, unless the page gives them.

import { QueryError } from '../errors.js';
import { listOf } from './list.js';
import { vector } from './query.js';
import { isText, isVector } from './values.js';

/**
 * @import { RerankText } from '../../lib/index.d.ts'
 * @import { TextEncoding } from '../collection/encoding.js'
 * @import { Session } from '../collection/session.js'
 * @typedef {{text: string, vector: Float32Array|null, angle: Float32Array|null}} Entry
 */

/**
 * Checks texts that come from the page.
 * @param {Iterable<RerankText>} texts
 * @param {string} method for messages
 * @param {string} usage
 * @param {Session} session
 * @returns {Entry[]}
 */
export function checkTexts(texts, method, usage, { info: { dim, angles } }) {
  return listOf(texts, `${method} takes a list of texts: ${usage}`).map((given, i) => {
    if (isText(given)) return { text: given, vector: null, angle: null };
    const at = `${method}: text ${i}`;
    if (!isText(given?.text)) throw new QueryError(`${at} is not a string`);
    const known = isVector(given.vector) ? finite(`${at}: vector`, given.vector, dim) : null;
    if (!known) throw new QueryError(`${at}: its vector must be a list of numbers`);
    const slant = given.angle ?? null;
    if (slant !== null && !isVector(slant)) throw new QueryError(`${at}: its angle must be a list of numbers`);
    return { text: given.text, vector: known, angle: slant && finite(`${at}: angle`, slant, angles) };
  });
}

/**
 * @param {string} what
 * @param {ArrayLike<number>} value
 * @param {number} dim
 */
function finite(what, value, dim) {
  const copy = vector(what, value, dim);
  if (!copy.every(Number.isFinite)) throw new QueryError(`${what}: a component is not a finite float32`);
  return copy;
}

/**
 * The vectors of texts, and their angles if they are needed. Only what the page has not given is encoded, one
 * pass for both where that is possible.
 * @param {Session} session
 * @param {TextEncoding} encode
 * @param {Entry[]} entries
 * @param {boolean} withAngles whether angles are needed
 * @param {AbortSignal} [signal]
 * @returns {Promise<{rows: Float32Array[], slants: Float32Array[]}>}
 */
export async function encodeBoth({ branch }, encode, entries, withAngles, signal) {
  const rows = entries.map((entry) => entry.vector);
  const slants = entries.map((entry) => entry.angle);
  if (withAngles) {
    // First a pass that gives both, if one encoder makes both, then one for the angles that are still missing.
    for (const alone of [false, true]) {
      const at = entries.flatMap((_, i) => (!slants[i] && (alone || (branch.whole && !rows[i])) ? [i] : []));
      if (at.length === 0) continue;
      const texts = at.map((i) => entries[i].text);
      const encoded = await branch.encode(texts, 'document', { alone, signal });
      at.forEach((i, n) => {
        slants[i] = encoded[n].angle;
        if (!alone) rows[i] = encoded[n].vector;
      });
    }
  }
  const at = entries.flatMap((_, i) => (rows[i] ? [] : [i]));
  if (at.length > 0) {
    const texts = at.map((i) => entries[i].text);
    const encoded = await encode(texts, 'document', signal);
    at.forEach((i, n) => {
      rows[i] = encoded[n].vector;
    });
  }
  return {
    rows: /** @type {Float32Array[]} */ (rows),
    slants: withAngles ? /** @type {Float32Array[]} */ (slants) : [],
  };
}

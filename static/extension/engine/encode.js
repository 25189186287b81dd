// Vectors of texts. Several engines share the work of encoding. What they encode is cached by its text, so that for
// another perspective on the same results only the query is encoded.

import { Recent } from '../../src/recent.js';

/**
 * @import { Vantage } from '../../lib/index.js'
 * @typedef {{text: string, vector: Float32Array, angle?: Float32Array}} Known
 * @typedef {(texts: string[], angle: boolean, signal: AbortSignal, keep: (known: Known[]) => void) => Promise<void>}
 *   Encode hands over what it has encoded, piece by piece
 */

/** Bytes of texts and vectors that each encoder caches. */
const CACHE = 16_000_000;

/** A cache before an encoder. */
export class Cached {
  /** @type {Recent<string, Known>} */
  #known = new Recent(CACHE);

  /** @param {Encode} encode */
  constructor(encode) {
    this.#encode = encode;
  }

  #encode;

  /**
   * @param {string[]} texts
   * @param {boolean} angle whether angles are needed
   * @param {AbortSignal} signal
   * @returns {Promise<Known[]>}
   */
  async encode(texts, angle, signal) {
    /** @type {Map<string, Known>} */
    const found = new Map();
    for (const text of texts) {
      const known = this.#known.get(text);
      if (known && (known.angle || !angle)) found.set(text, known);
    }
    const missing = [...new Set(texts)].filter((text) => !found.has(text));
    if (missing.length > 0) {
      // What was encoded before a question was cancelled serves the next one.
      await this.#encode(missing, angle, signal, (encoded) => {
        for (const known of encoded) {
          found.set(known.text, known);
          this.#known.set(known.text, known, sizeOf(known));
        }
      });
    }
    return texts.map((text) => /** @type {Known} */ (found.get(text)));
  }

  clear() {
    this.#known.clear();
  }
}

/** @param {Known} known */
function sizeOf({ text, vector, angle }) {
  return 2 * text.length + vector.byteLength + (angle?.byteLength ?? 0);
}

/**
 * Encodes by several instances, each of which takes the next few texts when it is free.
 * @param {{get: () => Promise<Vantage>}[]} instances
 * @param {number} size number of texts that an instance takes at a time; before each it checks the signal
 * @returns {Encode}
 */
export function shared(instances, size) {
  return async (texts, angle, signal, keep) => {
    let next = 0;
    const work = async (/** @type {typeof instances[number]} */ instance) => {
      const vantage = await instance.get();
      while (next < texts.length) {
        signal.throwIfAborted();
        const piece = texts.slice(next, (next += size));
        const encoded = await (angle
          ? vantage.encode(piece, 'document', { angle: true })
          : vantage.encode(piece, 'document'));
        keep(
          encoded.map((one, i) => {
            const angled = 'angle' in one ? { angle: /** @type {Float32Array} */ (one.angle) } : {};
            return { text: piece[i], vector: one.vector, ...angled };
          }),
        );
      }
    };
    await Promise.all(instances.map(work));
    signal.throwIfAborted();
  };
}

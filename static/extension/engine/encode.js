// Vectors of texts, shared among engines and cached by content, so that another perspective on the same results
// encodes the query alone.

import { Recent } from '../../src/recent.js';

/**
 * @import { RerankText, Vantage } from '../../lib/index.js'
 * @typedef {{text: string, vector: Float32Array, angle?: Float32Array}} Known
 * @typedef {{encode: (texts: string[], angle: boolean, signal: AbortSignal) => Promise<Known[]>}} Encoder
 */

/** Bytes of texts and vectors that each encoder caches. */
const CACHE = 16_000_000;

/** Texts that an engine encodes before it looks whether they are still wanted. */
const PIECE = 3;

/** A cache before an encoder. */
export class Cached {
  /** @type {Recent<string, Known>} */
  #known = new Recent(CACHE);

  /** @param {Encoder['encode']} encode */
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
      const encoded = await this.#encode(missing, angle, signal);
      for (const known of encoded) {
        found.set(known.text, known);
        this.#known.set(known.text, known, sizeOf(known));
      }
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
 * @returns {Encoder['encode']}
 */
export function shared(instances) {
  return async (texts, angle, signal) => {
    /** @type {Known[]} */
    const all = new Array(texts.length);
    const size = instances.length > 1 ? PIECE : Math.max(PIECE, 16);
    let next = 0;
    const work = async (/** @type {typeof instances[number]} */ instance) => {
      const vantage = await instance.get();
      while (next < texts.length) {
        signal.throwIfAborted();
        const at = next;
        const piece = texts.slice(at, (next += size));
        const encoded = await (angle
          ? vantage.encode(piece, 'document', { angle: true })
          : vantage.encode(piece, 'document'));
        encoded.forEach((one, i) => {
          const heard = 'angle' in one ? { angle: /** @type {Float32Array} */ (one.angle) } : {};
          all[at + i] = { text: piece[i], vector: one.vector, ...heard };
        });
      }
    };
    await Promise.all(instances.map(work));
    signal.throwIfAborted();
    return all;
  };
}

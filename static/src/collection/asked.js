// The vectors of recent queries. A page asks the same text by several methods and for several sides, and a transformer
// takes milliseconds for each.

import { Recent } from '../recent.js';

/**
 * @import { Encoded, TextEncoding } from './encoding.js'
 */

/** Bytes of texts and vectors that are cached. */
const CACHE = 1_000_000;

/**
 * Remembers what the engine's encoder gave for queries, roots and perspectives, which it encodes alike. Documents are
 * encoded anew each time.
 * @param {TextEncoding} encode
 * @returns {TextEncoding}
 */
export function remembering(encode) {
  /** @type {Recent<string, Encoded>} */
  const known = new Recent(CACHE);
  return async (texts, role, signal) => {
    if (role === 'document') return encode(texts, role, signal);
    const found = texts.map((text) => known.get(text));
    const missing = texts.filter((_, i) => !found[i]);
    // An empty list is encoded too: that checks the encoder.
    const encoded = missing.length > 0 || texts.length === 0 ? await encode(missing, role, signal) : [];
    missing.forEach((text, i) => {
      const { vector, notice } = encoded[i];
      if (!notice) known.set(text, encoded[i], 2 * text.length + vector.byteLength); // what it tells may pass
    });
    let next = 0;
    return found.map((one) => copyOf(one ?? encoded[next++]));
  };
}

/**
 * The page may change what it gets.
 * @param {Encoded} encoded
 */
function copyOf(encoded) {
  return { ...encoded, vector: encoded.vector.slice() };
}

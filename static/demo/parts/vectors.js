// Encodes every text once, so that moving a slider only needs a ranking.

import { Recent } from '../../src/recent.js';

/**
 * @import { EncodedText, Encoding, TextRole, Vantage } from '../../lib/index.js'
 * @typedef {EncodedText} Told what became of a text
 * @typedef {{text: string, vector: Float32Array}} Known
 * @import { Asked } from './form.js'
 */

/** Most texts whose vectors are cached. */
const KEPT = 2048;

export class Vectors {
  /** @param {Vantage} encoder an opened collection */
  constructor(encoder) {
    this.encoder = encoder;
    /** @type {Recent<string, Promise<Encoding>>} by role and text */
    this.known = new Recent(KEPT);
    this.time = 0; // milliseconds of the last encoding
  }

  /**
   * A query whose texts have vectors, and details of each text.
   * @template {Pick<Asked, 'query'|'root'|'perspectives'>} Q
   * @param {Q} query
   */
  async of({ query, root, perspectives, ...rest }) {
    /** @type {[role: Told['role'], text: string][]} */
    const wanted = [
      ['query', query],
      ...(root ? [/** @type {[Told['role'], string]} */ (['root', root])] : []),
      ...perspectives.map((text) => /** @type {[Told['role'], string]} */ (['perspective', text])),
    ];
    const started = performance.now();
    const fresh = wanted.some(([role, text]) => !this.known.get(`${role} ${text}`));
    const encoded = await Promise.all(wanted.map(([role, text]) => this.encode(role, text)));
    if (fresh) this.time = performance.now() - started;
    const known = encoded.map(({ vector }, i) => ({ text: wanted[i][1], vector }));
    return {
      ...rest,
      query: known[0],
      root: root ? known[1] : null,
      perspectives: known.slice(root ? 2 : 1),
      texts: encoded.map(({ vector: _, ...info }, i) => ({ role: wanted[i][0], text: wanted[i][1], ...info })),
    };
  }

  /**
   * @param {TextRole} role
   * @param {string} text
   */
  encode(role, text) {
    const key = `${role} ${text}`;
    const vector = this.known.get(key) ?? this.encoder.encode(text, role);
    this.known.set(key, vector);
    vector.catch(() => this.known.delete(key)); // tried again the next time
    return vector;
  }
}

/**
 * The direction of a perspective, or null. If only a root is given, the direction is the
 * difference of query and root.
 * @param {{query: Known, root: Known|null, perspectives: Known[]}} query
 * @param {number} which
 */
export function axisOf({ query, root, perspectives }, which) {
  if (perspectives.length > 0) return perspectives[which].vector;
  return root ? query.vector.map((value, i) => value - root.vector[i]) : null;
}

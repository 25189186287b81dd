// Encodes every text once, so that a slider that moves asks for a ranking and
// for nothing else.

/** Texts whose vectors are kept. */
const KEPT = 2048;

export class Vectors {
  /** @param {object} encoder an opened collection */
  constructor(encoder) {
    this.encoder = encoder;
    this.known = new Map(); // promises by role and text, least recently used first
    this.time = 0; // milliseconds of the last encoding
  }

  /**
   * A query with vectors in place of its texts, and what became of each text.
   * @param {{query: string, root: string, perspectives: string[]}} query
   */
  async of({ query, root, perspectives, ...rest }) {
    const wanted = [
      ['query', query],
      ...(root ? [['root', root]] : []),
      ...perspectives.map((text) => ['perspective', text]),
    ];
    const started = performance.now();
    const fresh = wanted.some(([role, text]) => !this.known.has(`${role} ${text}`));
    const encoded = await Promise.all(wanted.map(([role, text]) => this.encode(role, text)));
    if (fresh) this.time = performance.now() - started;
    const vectors = encoded.map(({ vector }) => vector);
    return {
      ...rest,
      query: vectors[0],
      root: root ? vectors[1] : null,
      perspectives: vectors.slice(root ? 2 : 1),
      texts: encoded.map(({ vector: _, ...info }, i) => ({ role: wanted[i][0], text: wanted[i][1], ...info })),
    };
  }

  encode(role, text) {
    const key = `${role} ${text}`;
    const vector = this.known.get(key) ?? this.encoder.encode(text, role);
    this.known.delete(key); // to the end of the order of use
    this.known.set(key, vector);
    vector.catch(() => this.known.delete(key)); // asked again the next time
    for (const oldest of this.known.keys()) {
      if (this.known.size <= KEPT) break;
      this.known.delete(oldest);
    }
    return vector;
  }
}

/** The direction that a perspective points in, or null: a root alone gives the difference to it. */
export function axisOf({ query, root, perspectives }, which = 0) {
  if (perspectives.length > 0) return perspectives[Math.min(which, perspectives.length - 1)];
  return root ? query.map((value, i) => value - root[i]) : null;
}

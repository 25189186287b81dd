// A bounded cache that drops the least recently used entry.

/**
 * @template K
 * @template V
 */
export class Recent {
  /** @type {Map<K, {value: V, cost: number}>} least recently used first */
  #entries = new Map();
  #total = 0;
  #limit;

  /**
   * @param {number} limit the bound of the sum of costs; the newest entry is kept even if it
   * costs more
   */
  constructor(limit) {
    this.#limit = limit;
  }

  /**
   * @param {K} key
   * @returns {V|undefined} undefined: not cached
   */
  get(key) {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key); // to the end of the order of use
    this.#entries.set(key, entry);
    return entry.value;
  }

  /**
   * @param {K} key
   * @param {V} value
   * @param {number} [cost]
   */
  set(key, value, cost = 1) {
    this.delete(key);
    this.#entries.set(key, { value, cost });
    this.#total += cost;
    for (const oldest of this.#entries.keys()) {
      if (this.#total <= this.#limit || oldest === key) break;
      this.delete(oldest);
    }
  }

  /** @param {K} key */
  delete(key) {
    this.#total -= this.#entries.get(key)?.cost ?? 0;
    this.#entries.delete(key);
  }

  clear() {
    this.#entries.clear();
    this.#total = 0;
  }
}

// A page that undoes our order: it sorts or builds its results anew whenever we have moved them. After three tries in
// quick succession we leave its order alone.

import { keyOf } from './read.js';

/** @import { Result } from './read.js' */

const TRIES = 3;

/** If our order has stood for this many milliseconds, a later change is taken for the reader's wish, as by a menu. */
const ACCEPTED = 10_000;

export class Contest {
  #lost = 0;
  #applied = 0;

  /** An order was applied. @param {number} now */
  applied(now) {
    this.#applied = now;
  }

  /**
   * The page has undone our order.
   * @param {number} now
   * @returns {boolean} whether to give way
   */
  lost(now) {
    this.#lost = now - this.#applied < ACCEPTED ? this.#lost + 1 : 0;
    return this.#lost >= TRIES;
  }

  /** The reader asks anew. */
  reset() {
    this.#lost = 0;
  }
}

/**
 * Whether our order still stands: results that were there stand in the order that we gave them, or some are gone.
 * A page that restores its order shows the same results, and maybe more; where some have gone, these are the results of
 * another question or filter. A result is known by its link and title, where they are its own: a page may show it in
 * another element.
 * @param {Result[]} applied as we left them
 * @param {Result[]} found as they are now
 */
export function stands(applied, found) {
  const byKey = unique(applied);
  const byElement = new Map(applied.map((result, at) => [result.element, at]));
  const keys = unique(found);
  const there = new Set();
  let sorted = true;
  let last = -1;
  for (const result of found) {
    const key = keyOf(result);
    const at = (keys.has(key) ? byKey.get(key) : undefined) ?? byElement.get(result.element);
    if (at === undefined) continue;
    if (at < last) sorted = false;
    last = at;
    there.add(at);
  }
  return sorted || [...byKey.values()].some((at) => !there.has(at));
}

/**
 * Where each key is that only one result has.
 * @param {Result[]} results
 * @returns {Map<string, number>}
 */
function unique(results) {
  const places = new Map();
  const twice = new Set();
  results.forEach((result, at) => {
    const key = keyOf(result);
    if (key === '\n' || places.has(key)) twice.add(key);
    places.set(key, at);
  });
  for (const key of twice) places.delete(key);
  return places;
}

// Keeps the bar in the page: above the first result, wherever that goes. If the page takes it away again and again, it
// goes to the window's edge.

import { isConnected, insert, move, nextOf, parentOf, remove, rootOf } from './dom.js';
import { spotAbove } from './spot.js';

/** @import { Bar } from './bar.js' */

const TRIES = 3;

/** A bar that stood for this many milliseconds was removed with old results, not because the page rejects it. */
const ACCEPTED = 5_000;

export class Stand {
  /** @type {Bar | null} */
  #bar = null;
  #taken = 0;
  #floats = false;
  #inserted = 0;

  get isUp() {
    return this.#bar !== null && isConnected(this.#bar.host);
  }

  /**
   * @param {Element} first the first result
   * @param {Bar} bar
   */
  above(first, bar) {
    const now = performance.now();
    if (this.#bar === bar && !isConnected(bar.host)) {
      this.#taken = now - this.#inserted < ACCEPTED ? this.#taken + 1 : 0;
    }
    this.#bar = bar;
    if (this.#taken >= TRIES) {
      if (this.#taken < 2 * TRIES) this.float(bar); // later it is not shown any more
      return;
    }
    if (this.#floats) {
      this.#floats = false;
      bar.float(false);
      remove(bar.host);
    }
    const { parent, before } = spotAbove(first);
    if (parentOf(bar.host) === parent) {
      if (follows(bar.host, before)) return;
      move(parent, bar.host, before);
    } else {
      insert(parent, bar.host, before);
      this.#inserted = now;
    }
  }

  /** Shows the bar at the window's edge. @param {Bar} bar */
  float(bar) {
    this.#bar = bar;
    this.#floats = true;
    bar.float(true);
    const root = rootOf(document);
    if (parentOf(bar.host) !== root) insert(root, bar.host, null);
  }

  remove() {
    if (this.#bar) remove(this.#bar.host);
    this.#bar = null;
    this.#taken = 0;
  }
}

/** @param {Node} host @param {Node} before whether nothing but text stands between them */
function follows(host, before) {
  let next = nextOf(host);
  while (next && next !== before && !(next instanceof Element)) next = nextOf(next);
  return next === before;
}

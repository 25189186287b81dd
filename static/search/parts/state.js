// The query and its point of view, as they are in the address of the page: ?q=…&side=…&from=…

/**
 * @typedef {object} Asked
 * @property {string} query
 * @property {'for'|'against'|''} side the side of the results; '' means all
 * @property {string} from a perspective in the visitor's words; '' means none
 */

/** @returns {Asked} */
export function read() {
  const given = new URLSearchParams(location.search);
  const side = given.get('side');
  return {
    query: given.get('q') ?? '',
    side: side === 'for' || side === 'against' ? side : '',
    from: given.get('from') ?? '',
  };
}

/** @param {Asked} asked */
function addressOf({ query, side, from }) {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries({ q: query.trim(), side, from })) {
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  }
  return url.href;
}

/** Milliseconds from the last key until the address changes. Browsers refuse changes that come too often. */
const SLOWLY = 300;

/** Milliseconds without a key after which a query is complete. The next key begins a new step of the history. */
const PAUSE = 2000;

/** Keeps the address up to date. A query is one step of the browser's history, however many keys it took. */
export class Address {
  constructor() {
    this.finished = true; // the next change begins a new step
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    /** @type {Asked|null} a query that is not in the address yet */
    this.waiting = null;
  }

  /**
   * A part of a query was typed.
   * @param {Asked} asked
   */
  type(asked) {
    this.waiting = asked;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.write();
      this.timer = setTimeout(() => (this.finished = true), PAUSE - SLOWLY);
    }, SLOWLY);
  }

  /** The query that was typed is complete. */
  finish() {
    clearTimeout(this.timer);
    this.write();
    this.finished = true;
  }

  /**
   * A click asked for something else: a step of its own.
   * @param {Asked} asked
   */
  step(asked) {
    this.finish();
    this.waiting = asked;
    this.finish();
  }

  /** The visitor went back or forward, so the address is right already. */
  left() {
    clearTimeout(this.timer);
    this.waiting = null;
    this.finished = true;
  }

  write() {
    if (!this.waiting) return;
    const address = addressOf(this.waiting);
    this.waiting = null;
    if (address === location.href) return;
    if (this.finished) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
    this.finished = false;
  }
}

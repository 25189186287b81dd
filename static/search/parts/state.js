// What is asked, in the address of the page: ?q=…&side=…&from=…

/**
 * @typedef {object} Asked
 * @property {string} query
 * @property {'for'|'against'|''} side of which results are shown; '': all
 * @property {string} from a perspective in the visitor's words; '': none
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

/** Browsers refuse too many changes of the address, so it follows the typing at this distance in milliseconds. */
const SLOWLY = 300;

/** After this pause a query counts as finished: the next one is another step of the browser's history. */
const PAUSE = 2000;

/** The address bar follows what is asked. Keys that follow each other are one step of the history. */
export class Address {
  constructor() {
    this.finished = true; // the next change is a step
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    /** @type {Asked|null} that the address does not say yet */
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
   * Something else is asked, in one step.
   * @param {Asked} asked
   */
  step(asked) {
    this.finish();
    this.waiting = asked;
    this.finish();
  }

  /** The browser went to another step. */
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

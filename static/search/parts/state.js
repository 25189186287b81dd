// The query and its point of view, as they are in the address of the page: ?q=…&side=…&from=…

/**
 * @typedef {object} Asked
 * @property {string} query
 * @property {'for'|'against'|''} side the side of the results; '' means all
 * @property {string} from a perspective in the visitor's words; '' means none
 */

/** Most characters of the part of an address that has the query. Hosts refuse long addresses. */
const MOST = 2000;

/** @returns {Asked} */
export function read() {
  const given = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(history.state ?? {})) given.set(name, value);
  const side = given.get('side');
  return {
    query: given.get('q') ?? '',
    side: side === 'for' || side === 'against' ? side : '',
    from: given.get('from') ?? '',
  };
}

/**
 * The address of a query, and what is too long for it.
 * @param {Asked} asked
 */
function placeOf({ query, side, from }) {
  const url = new URL(location.href);
  /** @type {{[name: string]: string}} */
  const rest = {};
  for (const [name, value] of Object.entries({ q: query.trim(), side, from })) {
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
    if (!value || url.search.length <= MOST) continue;
    url.searchParams.delete(name);
    rest[name] = value;
  }
  return { address: url.href, rest: Object.keys(rest).length > 0 ? rest : null };
}

const here = () => ({ search: location.search, rest: history.state });

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
    this.here = here();
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
    // A link to a part of this page leads to the same query, but has no state.
    if (location.hash && !history.state && location.search === this.here.search) {
      history.replaceState(this.here.rest, '');
    }
    this.here = here();
  }

  write() {
    if (!this.waiting) return;
    const { address, rest } = placeOf(this.waiting);
    this.waiting = null;
    if (address === location.href && JSON.stringify(rest) === JSON.stringify(history.state)) return;
    if (this.finished) history.pushState(rest, '', address);
    else history.replaceState(rest, '', address);
    this.here = here();
    this.finished = false;
  }
}

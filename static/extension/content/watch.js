// Watches what the page does: results that come, go or change, and addresses that change without a new page. Content
// scripts cannot wrap the page's history, so the address is looked at whenever something happens.

import { rootOf } from './dom.js';

/** Milliseconds without changes before the page is looked at, and how long changes may put this off. */
const QUIET = 120;
const PATIENCE = 600;

/** Looking takes at most this share of the time, however long it takes and however much the page changes. */
const SHARE = 0.1;

/** Most records of one batch that are handed to `follow`. After more, `look` works the order out. */
const FOLLOWED = 2_000;

export class Watch {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** When the first change came that has not been looked at. */
  #since = 0;
  /** Not before this time is the page looked at again. */
  #earliest = 0;
  #address = location.href;
  #stop = new AbortController();

  /**
   * @param {object} told
   * @param {(records: MutationRecord[]) => void} told.follow changes of one time, at once, unless there are too many
   * @param {() => void} told.look when the changes have calmed down
   * @param {() => void} told.moved the address has changed
   */
  constructor(told) {
    this.told = told;
    this.observer = new MutationObserver((records) => this.#hear(records));
    this.add([rootOf(document)]);
    const { signal } = this.#stop;
    const moved = () => this.#checkAddress();
    // The Navigation API tells of pushState too.
    const { navigation } = /** @type {{navigation?: EventTarget}} */ (/** @type {unknown} */ (globalThis));
    navigation?.addEventListener?.('currententrychange', moved, { signal });
    addEventListener('popstate', moved, { signal });
    addEventListener('hashchange', moved, { signal });
    // A page that comes back from the back/forward cache stands as it was left, but the engine's port is closed.
    addEventListener('pageshow', (event) => event.persisted && this.soon(), { signal });
  }

  /** @param {Node[]} roots are watched too: what happens in a shadow root, no one hears outside of it */
  add(roots) {
    for (const root of roots) this.observer.observe(root, { subtree: true, childList: true, characterData: true });
  }

  stop() {
    this.#stop.abort();
    this.observer.disconnect();
    clearTimeout(this.#timer);
  }

  /**
   * Changes the page, without hearing of it.
   * @param {() => void} change
   */
  quietly(change) {
    const pending = this.observer.takeRecords();
    if (pending.length > 0) this.#hear(pending);
    change();
    this.observer.takeRecords();
  }

  /** @param {MutationRecord[]} records */
  #hear(records) {
    if (records.length <= FOLLOWED) this.told.follow(records);
    this.#checkAddress();
    this.soon();
  }

  #checkAddress() {
    if (location.href === this.#address) return;
    this.#address = location.href;
    this.told.moved();
    this.soon();
  }

  /** Looks at the page at once, if it has changed since the last look. */
  now() {
    const pending = this.observer.takeRecords();
    if (pending.length > 0) this.#hear(pending);
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#look();
  }

  /** Looks at the page a little later, as after a change. */
  soon() {
    const now = performance.now();
    if (this.#timer === undefined) this.#since = now;
    clearTimeout(this.#timer);
    const due = Math.max(Math.min(now + QUIET, this.#since + PATIENCE), this.#earliest);
    this.#timer = setTimeout(() => this.#look(), Math.max(due - now, 0));
  }

  #look() {
    this.#timer = undefined;
    const start = performance.now();
    try {
      this.told.look();
    } finally {
      const end = performance.now();
      this.#earliest = end + (end - start) / SHARE;
    }
  }
}

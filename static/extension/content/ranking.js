// Ranks the results of the page: asks the engine, moves results, shows badges, and takes it all back.

import { Badges } from './badges.js';
import { askOf } from './chips.js';
import { Contest, stands } from './contest.js';
import { keeping } from './keep.js';
import { Order } from './order.js';
import { arePlaced } from './placed.js';
import { RANKED, same } from './read.js';
import { Engine } from './talk.js';
import { parentOf } from './dom.js';
import { text } from '../text.js';

/** @import { Choice } from './chips.js' */
/** @import { Result } from './read.js' */
/** @import { Status } from './status.js' */
/** @import { By, FromEngine } from '../types.js' */

/** Rankings that the page causes, not the reader: after OFTEN of them in a MINUTE there is a PAUSE before each. */
const OFTEN = 12;
const MINUTE = 60_000;
const PAUSE = 5_000;

/** Milliseconds after which the page has laid out what was moved. If it then looks wrong, it is looked at once more. */
const LAID_OUT = 300;

/** How often badges that the page removes are brought back, until the reader asks anew. */
const MENDED = 5;

/** @type {{[by in By]: string}} */
const RANKED_BY = { light: 'barRankedLight', sides: 'barRankedSides', server: 'barRankedServer' };

export class Ranking {
  order = new Order();
  #badges = new Badges();
  #contest = new Contest();
  /** The results as they stand. @type {Result[]} */
  #results = [];
  /** As we left them. @type {Result[] | null} */
  #applied = null;
  /** The results of the question, in its order. @type {Result[]} */
  #asked = [];
  /** How many of them the encoders could not read. */
  #foreign = 0;
  /** What the page was about when it was last ranked. @type {string | null} */
  #root = null;
  /** @type {Set<string>} */
  #notices = new Set();
  #yielded = false;
  #mended = 0;
  /** @type {number[]} When the page caused rankings. */
  #caused = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #paused;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #seen;

  /**
   * @param {object} page
   * @param {(change: () => void) => void} page.quietly changes the document without hearing of it
   * @param {() => void} page.look at what the page has changed
   * @param {() => Choice} page.choice
   * @param {(count: number) => string} page.ready what to say of results that nothing is asked of
   * @param {() => string} page.root what the page is about
   * @param {() => 'dark' | 'light'} page.scheme
   * @param {() => void} page.gone the extension is no longer there
   * @param {Status} status
   */
  constructor(page, status) {
    this.page = page;
    this.status = status;
    this.engine = new Engine({
      ranked: (answer) => this.#ranked(answer),
      sending: (host, now) => this.status.send(now ? host : null),
      notice: (key, host) => {
        this.#notices.add(text(key, host));
        this.#note();
      },
      done: () => this.#done(),
      failed: (key, detail) => {
        this.status.send(null);
        this.status.say(text(key), { fault: true, actions: [{ key: 'barTryAgain', run: () => this.ask() }] });
        if (detail) console.debug('Vantage:', detail);
      },
      gone: () => this.page.gone(),
    });
  }

  /** Whether the page is about something else than when it was last ranked, or found to have no subject. */
  get isStale() {
    return this.#root !== this.page.root();
  }

  /** What was asked does not count any more. It is asked anew at the next look, even if the page is back by then. */
  drop() {
    this.engine.cancel();
    this.#root = null;
  }

  /** Brings badges back that the page has removed, as when it writes a title anew; not forever. */
  mend() {
    if (!this.#badges.torn) return;
    this.page.quietly(() => (this.#mended++ < MENDED ? this.#badges.mend(this.page.scheme()) : this.#badges.clear()));
  }

  /** The reader has chosen: ranks, or puts everything back. */
  ask() {
    this.#contest.reset();
    this.#yielded = false;
    this.#mended = 0;
    this.#caused = [];
    this.#send();
  }

  /**
   * The page has changed its results.
   * @param {Result[]} results as they stand now
   */
  changed(results) {
    // Other results for another query have not been fought for. A title alone may change all the time.
    if (this.#yielded && this.isStale && !same(results, this.#results)) {
      this.#yielded = false;
      this.#contest.reset();
    }
    const lost = this.#applied !== null && !stands(this.#applied, results);
    this.#results = results;
    this.order.adopt(results);
    if (lost && this.#contest.lost(performance.now())) this.#yield('barGaveWay');
    if (this.#yielded) return;
    const now = performance.now();
    this.#caused = [...this.#caused.filter((time) => now - time < MINUTE), now];
    if (this.#caused.length <= OFTEN) return this.#send();
    // An answer that is still to come is about other results.
    this.engine.cancel();
    this.#asked = [];
    this.status.send(null);
    this.#paused ??= setTimeout(() => this.#send(), PAUSE); // more changes do not put it off
  }

  /** Puts the results back, and takes badges away. */
  undo() {
    this.#unpause();
    clearTimeout(this.#seen);
    this.engine.cancel();
    this.#asked = [];
    this.#notices.clear();
    this.status.send(null);
    if (this.#applied) {
      this.page.quietly(() => keeping(this.#results[0]?.mover ?? null, () => this.order.undo()));
      this.#results = this.order.own(this.#results);
      this.#applied = null;
    }
    this.page.quietly(() => this.#badges.clear());
  }

  #unpause() {
    clearTimeout(this.#paused);
    this.#paused = undefined;
  }

  #send() {
    this.#unpause();
    const root = this.page.root();
    this.#root = root;
    const ask = askOf(this.page.choice(), root);
    if (!ask) {
      this.undo();
      this.status.say(root ? this.page.ready(this.#results.length) : text('barNoSubject'));
      this.#note();
      return;
    }
    this.#notices.clear();
    this.#foreign = 0;
    this.#asked = this.order.own(this.#results).filter(({ title, snippet }) => title || snippet);
    this.status.say(text('barRanking'), { busy: true });
    this.#note();
    this.engine.rank(
      ask,
      this.#asked.map(({ title, snippet }) => ({ title, snippet })),
    );
  }

  /** @param {Extract<FromEngine, {type: 'ranked'}>} answer */
  #ranked({ by, places }) {
    const asked = this.#asked;
    // The page may have changed the results meanwhile, or our last order: then this answer is too late.
    if (this.#applied) this.page.look();
    if (asked !== this.#asked) return;
    const ranked = places.map(({ index }) => asked[index]);
    const kept = new Set(ranked.filter((_, at) => places[at].foreign));
    this.page.quietly(() => {
      keeping(this.#results[0]?.mover ?? null, () => {
        const { results, up } = this.order.apply(this.#results, ranked, kept);
        this.#results = this.#applied = results;
        const reasons = places.map(
          (place, at) => /** @type {const} */ ([ranked[at], { up: up.get(ranked[at]) ?? 0, place }]),
        );
        this.#badges.show(new Map(reasons.filter(([result]) => !kept.has(result))), this.page.scheme());
      });
    });
    this.#contest.applied(performance.now());
    clearTimeout(this.#seen);
    this.#seen = setTimeout(() => this.#see(ranked), LAID_OUT);
    const none = kept.size > 0 && kept.size === places.length;
    this.status.say(text(none ? 'barNoneRanked' : (RANKED_BY[by] ?? 'barRankedLight')), { busy: true });
    this.#foreign = kept.size;
    this.#note();
  }

  /**
   * Gives up if the reader does not see the order. A page may show it in an animation, or lay it out by a script.
   * @param {Result[]} ranked
   * @param {boolean} [again]
   */
  #see(ranked, again = false) {
    const looked = new Set(ranked);
    const shown = this.#results.filter((result) => looked.has(result));
    if (!arePlaced(shown, this.order.own(shown))) return;
    if (again) this.#yield('barPlaced');
    else this.#seen = setTimeout(() => this.#see(ranked, true), 4 * LAID_OUT);
  }

  #done() {
    this.status.send(null);
    this.status.say(this.status.said);
  }

  /** @param {string} key of what is said */
  #yield(key) {
    this.#yielded = true;
    this.undo();
    this.status.say(text(key), { fault: true, actions: [{ key: 'barTryAgain', run: () => this.ask() }] });
    this.#note();
  }

  /** Says what else there is to know: which results were not ranked, and what the engine reports. */
  #note() {
    const notes = [...this.#notices];
    if (this.#asked.length > 0) {
      if (this.#results.length > RANKED) notes.push(text('barFirstOnly', RANKED, this.#results.length));
      const parents = new Set(this.#results.map(({ mover }) => parentOf(mover)));
      if (this.#foreign > 0) notes.push(text('barForeign', this.#foreign, this.#asked.length));
      if (parents.size > 1) notes.push(text('barWithinGroups'));
    }
    this.status.note(notes);
  }

  /** The results as they stand, for comparing them with the page's next ones. */
  get results() {
    return this.#results;
  }

  /** Nothing of the last results counts any more. */
  forget() {
    this.undo();
    this.#results = [];
  }
}

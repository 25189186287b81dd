// What happens in one page: which rule is used, where the bar stands, and when the page is looked at. The state lives
// here, in the memory of the content script: a chip that is left pressed holds for in-page navigation and for pages
// that come back from the back/forward cache, and ends with the page.

import { Bar } from './bar.js';
import { above, activeOf, isConnected, rootOf } from './dom.js';
import { Found, openOptions } from './found.js';
import { candidates, unmatched } from './lists.js';
import { Ranking } from './ranking.js';
import { read, same } from './read.js';
import { openRoots } from './roots.js';
import { schemeAt } from './scheme.js';
import { Stand } from './stand.js';
import { isOrphan } from './talk.js';
import { Watch } from './watch.js';
import { isPrivate } from '../platform.js';
import { contains, matches, value } from '../rules/dom.js';
import { ruleFor } from '../rules/match.js';
import { query } from '../rules/results.js';
import { onSettings, readSettings, writeSettings } from '../settings.js';
import { text } from '../text.js';

/** @import { Result } from './read.js' */
/** @import { ContentState, Rule, Settings, ToContent } from '../types.js' */

/** Milliseconds without changes before a page without results is judged, and how long changes may put this off. */
const CALM = 2_500;
const WAIT = 10_000;

/** How many milliseconds are waited for a page to load: until then, its framework may still take over its HTML. */
const LOAD = 3_000;

/**
 * Tells that another script of ours has started in this page. The page can dispatch it, too, and so end this script. It
 * harms only itself: it could as well remove the bar again and again. A secret name is no remedy, since the script of
 * another version would not know it.
 */
const SUCCEEDED = 'vantage-succeeded';

export class Page {
  /** @type {Settings | null} */
  #settings = null;
  /** @type {Rule | null} */
  #rule = null;
  #inferred = false;
  /** The reader has taken the bar away. */
  #off = false;
  /** @type {Bar | null} */
  #bar = null;
  /** @type {Ranking | null} */
  #ranking = null;
  /** @type {Watch | null} */
  #watch = null;
  #stand = new Stand();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #verdict;
  /** When the page was found without results. */
  #emptySince = 0;
  #broken = false;
  /** The rule that was found broken, also while a list that the reader took instead is shown. @type {Rule | null} */
  #failed = null;
  #found = new Found({
    rule: () => (this.#inferred ? this.#rule : null),
    use: (rule) => {
      this.#off = false;
      this.#rule = null; // the same list, chosen again, is shown again
      this.#use(rule, true);
    },
    float: () => {
      this.#off = false;
      const { bar } = this.#made();
      this.#take(() => this.#stand.float(bar));
      this.#dress();
      bar.disable(true);
      return bar.status;
    },
    status: () => this.#bar?.status ?? null,
    close: () => this.#show(false),
  });

  constructor() {
    this.started = this.#start();
    this.started.catch(() => {}); // an extension that was removed meanwhile
  }

  /** @returns {ContentState} */
  get state() {
    const rule = this.#rule && { id: this.#rule.id, name: this.#rule.name, inferred: this.#inferred };
    return { shown: this.#stand.isUp, rule, results: this.#ranking?.results.length ?? 0 };
  }

  /**
   * @param {ToContent} message
   * @returns {Promise<ContentState>}
   */
  async hear(message) {
    await this.started;
    switch (message.type) {
      case 'infer':
        this.#found.infer(candidates());
        break;
      case 'pick':
        this.#found.pick(); // not awaited: the popup closes when this is answered
        break;
      case 'show':
        this.#show(message.on === true);
        break;
    }
    return this.state;
  }

  async #start() {
    // A content script from before an update of the extension may still be in the page. It can do nothing any more.
    document.dispatchEvent(new Event(SUCCEEDED));
    document.addEventListener(SUCCEEDED, () => this.#end(), { once: true });
    this.#settings = await readSettings();
    onSettings((settings) => {
      this.#settings = settings;
      if (this.#watch && !this.#inferred) this.#choose();
    });
    await loaded();
    // Without a rule too: the page may go on to an address that has one.
    this.#watch = new Watch({
      follow: (records) => this.#ranking?.order.follow(records),
      look: () => this.#look(),
      moved: () => this.#moved(),
    });
    this.#choose();
  }

  /** Takes the rule for the address. */
  #choose() {
    const found = this.#settings && ruleFor(location.href, this.#settings);
    this.#use(found?.rule ?? null, false);
  }

  /**
   * @param {Rule | null} rule
   * @param {boolean} inferred
   */
  #use(rule, inferred) {
    if (rule && isEqual(rule, this.#rule)) return;
    this.#ranking?.forget();
    if (!inferred) this.#failed = null;
    this.#rule = rule;
    this.#inferred = inferred;
    this.#broken = false;
    this.#found.reset();
    this.#emptySince = 0;
    clearTimeout(this.#verdict);
    if (rule) this.#look();
    else this.#take(() => this.#stand.remove());
  }

  /** The address has changed, and the page may still show the results of the old one. */
  #moved() {
    if (this.#isStale()) this.#ranking?.drop();
    const rule = (this.#settings && ruleFor(location.href, this.#settings)?.rule) ?? null;
    if (!this.#inferred || (rule && !isEqual(rule, this.#failed))) this.#use(rule, false);
  }

  #look() {
    if (isOrphan()) return this.#gone();
    if (!this.#rule || this.#off) return;
    const results = readSafely(this.#rule);
    if (!results[0] || !contains(document, results[0].mover)) this.#watch?.add(openRoots());
    if (results.length === 0) return this.#empty();
    this.#emptySince = 0;
    this.#broken = false;
    if (!this.#inferred) this.#failed = null;
    const { bar, ranking } = this.#made();
    this.#take(() => this.#stand.above(results[0].mover, bar));
    this.#dress();
    if (same(results, ranking.results) && !this.#isStale()) return ranking.mend();
    ranking.changed(results);
    this.#found.offer();
  }

  /** Whether the page is about something else than when it was last ranked, and the reader is not just typing that. */
  #isStale() {
    return Boolean(this.#ranking?.isStale && this.#rule && !isTyping(this.#rule));
  }

  /** A page without results may be loading still, or have none, or be built in a new way. */
  #empty() {
    this.#ranking?.forget();
    if (this.#broken) return;
    this.#take(() => this.#stand.remove());
    clearTimeout(this.#verdict);
    this.#emptySince ||= performance.now();
    this.#verdict = setTimeout(() => this.#judge(), CALM);
    if (performance.now() - this.#emptySince > WAIT) this.#judge();
  }

  #judge() {
    if (!this.#rule || this.#off || this.#broken || (this.#inferred && !this.#failed)) return;
    if (document.readyState !== 'complete') {
      this.#verdict = setTimeout(() => this.#judge(), CALM);
      return;
    }
    // A shadow root may have come without a change of the document.
    if (readSafely(this.#rule).length > 0) return this.#look();
    if (this.#inferred) return this.#choose(); // the rule that failed elsewhere may do here
    if (!asks(this.#rule) || !this.#root(this.#rule)) return;
    const list = unmatched();
    const first = list && readSafely(list)[0];
    if (!first) return;
    this.#broken = true;
    this.#failed = this.#rule;
    const { bar } = this.#made();
    this.#take(() => this.#stand.above(first.mover, bar));
    this.#dress();
    bar.disable(true);
    bar.status.offer([]);
    bar.status.say(text('barRuleBroken', this.#rule.name), {
      fault: true,
      actions: [
        { key: 'barUseFound', run: () => this.#found.infer(candidates()) },
        { key: 'barPick', run: (button) => this.#found.pick(button) },
        { key: 'barOptions', run: openOptions },
      ],
    });
  }

  /** @param {boolean} on */
  #show(on) {
    this.#off = !on;
    if (on) {
      this.#broken = false; // said again
      if (this.#rule) this.#look();
      else this.#found.infer(candidates());
      return;
    }
    this.#ranking?.forget();
    this.#take(() => this.#stand.remove());
  }

  /** Makes the bar, once. */
  #made() {
    if (this.#bar && this.#ranking) {
      this.#bar.disable(false);
      return { bar: this.#bar, ranking: this.#ranking };
    }
    const kept = this.#settings?.bar ?? { folded: false, place: '', time: '', audience: '', own: '' };
    const bar = new Bar(
      {
        chosen: () => (isOrphan() ? this.#gone() : this.#ranking?.ask()),
        near: () => (isOrphan() ? this.#gone() : this.#ranking?.engine.warm()),
        kept: (changed) => {
          if (!isPrivate()) writeSettings({ bar: changed }).catch(() => {}); // only a convenience
        },
      },
      kept,
    );
    const ranking = new Ranking(
      {
        quietly: (change) => this.#take(change),
        look: () => this.#watch?.now(),
        choice: () => bar.choice,
        ready: (count) => text(this.#inferred ? 'barInferred' : 'barReady', count),
        root: () => (this.#rule ? this.#root(this.#rule) : ''),
        scheme: () => this.#scheme(),
        gone: () => this.#gone(),
      },
      bar.status,
    );
    this.#bar = bar;
    this.#ranking = ranking;
    return { bar, ranking };
  }

  /** @param {Rule} rule what the page is about */
  #root(rule) {
    const asked = query(document, new URL(location.href), rule);
    return asked || (this.#inferred ? document.title.trim() : '');
  }

  #scheme() {
    return schemeAt((this.#bar && above(this.#bar.host)) ?? rootOf(document));
  }

  #dress() {
    const { direction } = getComputedStyle((this.#bar && above(this.#bar.host)) ?? rootOf(document));
    this.#bar?.look(this.#scheme(), direction === 'rtl' ? 'rtl' : 'ltr');
  }

  /** Changes the document without hearing of it. @param {() => void} change */
  #take(change) {
    if (this.#watch) this.#watch.quietly(change);
    else change();
  }

  #end() {
    this.#gone();
    this.#stand.remove();
  }

  /** The extension was updated or removed: nothing works until the page is loaded anew. */
  #gone() {
    this.#watch?.stop();
    this.#watch = null;
    clearTimeout(this.#verdict);
    if (this.#bar && isConnected(this.#bar.host)) this.#bar.end();
  }
}

/**
 * Whether the reader is in the field of the page's query. Until the page shows other results, what stands there may be
 * half of another query.
 * @param {Rule} rule
 */
function isTyping({ query: source }) {
  const active = activeOf(document);
  return 'selector' in source && active !== null && value(active) !== null && matches(active, source.selector);
}

/**
 * Whether the rule's query tells a page of results from others: each page has a title, and most have a heading.
 * @param {Rule} rule
 */
const asks = ({ query: source }) => !('selector' in source && ['title', 'h1'].includes(source.selector));

/** @param {Rule} one @param {Rule | null} other */
const isEqual = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** @param {Rule} rule @returns {Result[]} none if this browser does not know a selector */
function readSafely(rule) {
  try {
    return read(rule);
  } catch {
    return [];
  }
}

/** Waits until the page has loaded, but not forever. */
async function loaded() {
  if (document.readyState === 'complete') return;
  await Promise.race([
    new Promise((resolve) => addEventListener('load', resolve, { once: true })),
    new Promise((resolve) => setTimeout(resolve, LOAD)),
  ]);
}

// <vantage-search>: a search box over a collection, for pages that need nothing
// else.
//
//   <script type="module" src="lib/vantage-search.js"></script>
//   <vantage-search collection="collection/" placeholder="Search">
//     <a href="/archive/">All articles</a>  <!-- until it is ready -->
//   </vantage-search>
//
// Attributes, parts, custom properties and events: vantage-search.d.ts.

import { Dialog } from './element/dialog.js';
import { make } from './element/make.js';
import { MESSAGES } from './element/messages.js';
import { numberOf, optionsOf } from './element/options.js';
import { Results } from './element/results.js';
import { InputError, LostInstanceError, Vantage } from './index.js';
import { wordsOf } from './show/excerpt.js';
import { style } from './vantage-search-style.js';

/**
 * @import { SearchResult, Vantage as Opened } from '../lib/index.d.ts'
 * @import { VantageSearch as Declared } from '../lib/vantage-search.d.ts'
 * @import { Words } from '../lib/words.d.ts'
 * @typedef {object} Answered what is shown
 * @property {string} query
 * @property {SearchResult|null} result null if words.js has answered
 * @property {readonly number[]} indexes of the hits
 * @property {number} at the time since when it is shown, in milliseconds
 */

/** Milliseconds after the last key until the typed text is searched. */
const PAUSE = 200;

/** Milliseconds for which results may still change after they appear, because nobody has begun to read them. */
const GLANCE = 1000;

/** Most milliseconds that the engine waits for an idle page, if the element has loading="idle". */
const IDLE = 2000;

/** The key that opens the dialog, unless the page names another: Ctrl-K, or ⌘K on Apple's systems. */
const HOTKEY = 'mod+k';

/** @param {{hits: readonly {index: number}[]}} result */
const indexesOf = ({ hits }) => hits.map(({ index }) => index);

// A server that renders the page may import this module; only browsers have elements.
const Element = globalThis.HTMLElement ?? class {};

/** @implements {Declared} */
export class VantageSearch extends Element {
  static observedAttributes = [
    'collection',
    'workers',
    'loading',
    'dialog',
    'hotkey',
    'method',
    'perspectives',
    'lambda',
    'mmr',
    'k',
    'sides',
    'hybrid',
    'highlight',
    'placeholder',
    'label',
  ];

  #met = false; // whether it has been inserted into a page
  #begun = false; // whether the box has replaced the element's children
  /** @type {Promise<Words|null>|undefined} the search by words, which answers until the collection is open */
  #words = undefined;
  /** @type {Promise<Opened>|null} the collection, from when it begins to open */
  #opening = null;
  /** @type {Opened|null} the collection, once it is open */
  #open = null;
  #whole = false; // whether the encoder and all vectors have arrived
  /** @type {Answered|null} */
  #shown = null;
  #stop = new AbortController(); // cancels the current search
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer = undefined;
  #messages = MESSAGES;
  #elements;
  #dialog;
  #results;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    root.adoptedStyleSheets = [style()];
    const slot = root.appendChild(document.createElement('slot'));
    const fault = make('p', 'fault', root, { role: 'alert', hidden: '' });
    const box = make('div', 'box', root, { hidden: '' });
    const form = make('form', 'form', box, { role: 'search' });
    const label = make('label', 'label', form, { for: 'query' });
    const typed = { id: 'query', type: 'search', autocomplete: 'off', enterkeyhint: 'search' };
    const input = make('input', 'input', form, typed);
    const button = make('button', 'button', form, { type: 'submit' });
    const offer = make('p', 'offer', box, { 'aria-live': 'polite' });
    const better = make('button', 'better', offer, { type: 'button', hidden: '' });
    const status = make('p', 'status', box, { role: 'status' });
    const sides = make('p', 'sides', box, { role: 'status' });
    const results = make('ol', 'results', box);
    this.#elements = { slot, fault, box, label, input, button, better, status, sides };
    this.#dialog = new Dialog(root, input);
    this.#results = new Results(this, results, (hit) => this.#tell('vantage-select', hit));
    better.addEventListener('click', () => {
      input.focus({ preventScroll: true }); // the button disappears
      this.search();
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.search();
    });
    input.addEventListener('focus', () => this.#load());
    input.addEventListener('input', () => {
      this.#load();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.search(), PAUSE);
    });
    box.addEventListener('keydown', (event) => this.#move(event));
    this.#label();
  }

  connectedCallback() {
    this.#met = true;
    this.#arrange();
    this.#begin();
  }

  // If an element is moved, it is removed and immediately inserted again, and keeps its engine.
  disconnectedCallback() {
    this.#dialog.deafen();
    this.#dialog.close();
    queueMicrotask(() => {
      if (!this.isConnected) this.#end();
    });
  }

  /**
   * @param {string} name
   * @param {string|null} before
   * @param {string|null} after
   */
  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    this.#label();
    if (!this.isConnected || !this.#met) return; // connectedCallback will read all attributes
    if (name === 'collection' || name === 'workers') {
      this.#end();
      this.#begin();
    } else if (name === 'loading') {
      this.#loadInTime();
    } else if (name === 'dialog' || name === 'hotkey') {
      this.#arrange();
    } else if (name !== 'placeholder' && name !== 'label' && this.value) {
      this.search();
    }
  }

  get vantage() {
    return this.#opening;
  }

  get value() {
    return this.#elements.input.value;
  }

  set value(text) {
    this.#elements.input.value = text;
  }

  /** @returns {string|null} */
  get hybrid() {
    return this.getAttribute('hybrid');
  }

  /** @param {string|boolean|null} value */
  set hybrid(value) {
    if (value === null) this.removeAttribute('hybrid');
    else this.setAttribute('hybrid', value === true ? '' : String(value));
  }

  get highlight() {
    return this.hasAttribute('highlight');
  }

  set highlight(on) {
    this.toggleAttribute('highlight', on);
  }

  showModal() {
    this.#dialog.open();
  }

  close() {
    this.#dialog.close();
  }

  set messages(texts) {
    this.#messages = { ...MESSAGES, ...texts };
    this.#label();
  }

  get messages() {
    return this.#messages;
  }

  async search() {
    clearTimeout(this.#timer);
    this.#stop.abort();
    const { signal } = (this.#stop = new AbortController());
    const query = this.value.trim();
    if (query !== '') this.#load();
    if (query === '' || !this.#opening) return void this.#show([], '');
    const { status } = this.#elements;
    if (!status.textContent) status.textContent = this.#messages.searching;
    const open = this.#open;
    if (!open) return this.#answerByWords(query, signal);
    const whole = this.#whole;
    try {
      const [result, asked] = await Promise.all([this.#ask(open, query, signal), this.#wordsOf(query)]);
      const documents = await open.documents(
        result.hits.map((hit) => hit.index),
        { signal },
      );
      if (signal.aborted) return;
      this.#show(
        result.hits.map((hit, i) => ({ ...hit, metadata: documents[i].metadata })),
        this.#statusOf(query, result),
        asked,
      );
      const indexes = indexesOf(result);
      const before = this.#shown;
      // If words alone gave the same results before, the visitor has been reading them since then.
      const same = before?.query === query && before.indexes.join() === indexes.join();
      this.#shown = { query, result, indexes, at: same ? before.at : performance.now() };
      this.#tell('vantage-results', result);
      this.#tellSides(open, query, result, signal);
      if (this.#whole && !whole) this.#improve(); // the rest arrived during the search
    } catch (error) {
      if (signal.aborted) return;
      this.#show([], '');
      this.#fail('fault', error);
    }
  }

  /**
   * Answers by words while the collection is still opening, if it has an index of words. Errors are left to the engine,
   * which will report them.
   * @param {string} query
   * @param {AbortSignal} signal
   */
  async #answerByWords(query, signal) {
    try {
      const [words, asked] = await Promise.all([this.#openWords(), this.#wordsOf(query)]);
      if (!words) return;
      const result = await words.search({ query, k: numberOf(this, 'k'), signal });
      if (signal.aborted) return;
      const { hits } = result;
      const { searching, found, words: only } = this.#messages;
      this.#show(hits, hits.length > 0 ? found(query, hits.length) + only : searching, asked);
      this.#shown = { query, result: null, indexes: indexesOf(result), at: performance.now() };
    } catch {
      // the engine will report it
    }
  }

  #openWords() {
    const url = this.getAttribute('collection') ?? '';
    this.#words ??= import('./words.js').then(({ Words }) => Words.open(new URL(url, this.baseURI))).catch(() => null);
    return this.#words;
  }

  /**
   * The query's words; null if the page does not want them marked, or if words.js cannot be loaded.
   * @param {string} query
   */
  async #wordsOf(query) {
    if (!this.highlight) return null;
    const module = await import('./words.js').catch(() => null);
    return module && wordsOf(query, module.Words.terms);
  }

  /**
   * @param {Opened} open
   * @param {string} query
   * @param {AbortSignal} signal
   */
  async #ask(open, query, signal) {
    const ask = () => open.search({ ...optionsOf(this), query, signal });
    return ask().catch((error) => {
      if (error instanceof LostInstanceError) return ask(); // by a new engine
      throw error;
    });
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   */
  #statusOf(query, { method, hits, notice, coverage: { rows, total } }) {
    const { none, found, partly, words } = this.#messages;
    return (
      (hits.length > 0 ? found(query, hits.length) : none(query)) +
      (notice && method === 'bm25' ? words : rows < total ? partly(rows, total) : '')
    );
  }

  // Asks again when the rest of the collection has arrived. If the answer differs and the old one is being read, a
  // button offers the new one, so that nothing moves under the reader's eyes.
  async #improve() {
    const { value } = this;
    const open = this.#open;
    const shown = this.#shown;
    if (!open || !shown || shown.query !== value.trim()) return; // another search has begun, or will begin
    const { notice, coverage } = shown.result ?? {};
    if (coverage && !notice && coverage.rows === coverage.total) return;
    const whole = this.#whole;
    if (performance.now() - shown.at < GLANCE) return this.search();
    const { signal } = this.#stop;
    const result = await this.#ask(open, shown.query, signal).catch(() => null); // the next search reports it
    if (!result || signal.aborted || this.#shown !== shown) return;
    if (indexesOf(result).join() === shown.indexes.join()) {
      this.#shown = { ...shown, result };
      this.#elements.status.textContent = this.#statusOf(shown.query, result);
      if (!shown.result) this.#tell('vantage-results', result);
      this.#tellSides(open, shown.query, result, signal);
      if (this.#whole && !whole) this.#improve(); // more has arrived meanwhile
    } else {
      this.#elements.better.hidden = false;
    }
  }

  /**
   * Says how many documents are for and against the root of the query, or the query itself if it has no root. The
   * results do not wait for it.
   * @param {Opened} open
   * @param {string} query
   * @param {SearchResult} result
   * @param {AbortSignal} signal
   */
  async #tellSides(open, query, { hits, notice }, signal) {
    if (!this.hasAttribute('sides') || open.info.angles === 0 || notice) return;
    try {
      const root = (await open.split(query))?.root ?? query;
      const indexes = indexesOf({ hits });
      const [sides, stances] = await Promise.all([
        open.sides(root, { k: 1, signal }),
        open.stances(root, indexes, { signal }),
      ]);
      if (signal.aborted) return;
      this.#elements.sides.textContent = this.#messages.sides(sides.for.count, sides.against.count);
      this.#results.tell(stances, this.#messages.stance);
      this.#tell('vantage-sides', sides);
    } catch (error) {
      // A query such as a single letter may have no sides.
      if (!signal.aborted && Object(error).kind !== 'query') this.#fail('fault', error);
    }
  }

  #label() {
    const { label, input, button, better } = this.#elements;
    label.textContent = this.getAttribute('label') ?? this.#messages.label;
    this.#dialog.label(label.textContent, this.#messages.close);
    input.placeholder = this.getAttribute('placeholder') ?? '';
    button.textContent = this.#messages.button;
    better.textContent = this.#messages.better;
  }

  /** Puts the box into the page, or into the dialog. */
  #arrange() {
    const { box, fault } = this.#elements;
    const dialog = this.hasAttribute('dialog');
    const place = dialog ? this.#dialog.element : this.shadowRoot;
    this.#dialog.deafen();
    if (!dialog) this.#dialog.close();
    if (box.parentNode !== place) place?.append(box);
    box.before(fault);
    if (dialog) {
      try {
        this.#dialog.listen(this.getAttribute('hotkey') ?? HOTKEY);
      } catch (error) {
        this.#report(error); // the button still opens the dialog
      }
    }
    this.#reveal(this.#begun);
  }

  /** @param {boolean} box whether the box is shown; if not, the children are */
  #reveal(box) {
    this.#elements.slot.hidden = box;
    this.#elements.box.hidden = !box;
    this.#dialog.slot.hidden = !box || !this.hasAttribute('dialog');
  }

  #begin() {
    if (this.#begun) return;
    if (!this.hasAttribute('collection')) return void queueMicrotask(() => this.#miss()); // a script may set it soon
    this.#begun = true;
    this.#takeOver();
    this.#loadInTime();
  }

  /** Loads the engine as the attribute "loading" says: now, when the page is idle, or when the visitor uses the box. */
  #loadInTime() {
    if (!this.#begun || this.#opening) return;
    const loading = this.getAttribute('loading');
    if (loading !== 'lazy' && loading !== 'idle') this.#load();
    else this.setAttribute('state', 'idle');
    if (this.value) this.search(); // it was typed into the children
    if (loading !== 'idle') return;
    const load = () => this.getAttribute('loading') === 'idle' && this.#load();
    if ('requestIdleCallback' in globalThis) requestIdleCallback(load, { timeout: IDLE });
    else setTimeout(load, IDLE); // Safari
  }

  async #load() {
    const url = this.getAttribute('collection');
    if (this.#opening || !this.#begun || url === null) return;
    const open = async () => Vantage.open(new URL(url, this.baseURI), { workers: numberOf(this, 'workers') });
    const opening = (this.#opening = open());
    this.setAttribute('state', 'loading');
    try {
      const vantage = await opening;
      if (this.#opening !== opening) return vantage.close();
      this.#open = vantage;
      this.setAttribute('state', 'ready');
      this.#tell('vantage-ready', vantage);
      if (this.#shown && this.#shown.query === this.value.trim()) this.#improve();
      else if (this.value) this.search();
      vantage.ready.then(
        () => {
          if (this.#open !== vantage) return;
          this.#whole = true;
          this.#improve();
        },
        (error) => this.#open === vantage && this.#fail('incomplete', error),
      );
    } catch (error) {
      if (this.#opening !== opening) return;
      this.#giveBack();
      this.setAttribute('state', 'error');
      this.#fail('unavailable', error);
    }
  }

  // Reports that the attribute "collection" is missing.
  #miss() {
    if (!this.isConnected || this.hasAttribute('collection')) return;
    this.setAttribute('state', 'error');
    this.#fail(
      'unavailable',
      new InputError('the element has no attribute "collection": give it the address of a collection\'s folder'),
    );
  }

  /**
   * The field among the children, for visitors whose browser runs no scripts.
   * @returns {HTMLInputElement|null}
   */
  get #field() {
    return this.querySelector('input[type=search], input[type=text], input:not([type])');
  }

  // Replaces the children with the box, and keeps what was typed into them.
  #takeOver() {
    const { box, fault, input } = this.#elements;
    const typed = this.#field?.value;
    if (!this.value && typed) this.value = typed;
    const active = document.activeElement;
    const focused = this.contains(active) && active !== this && !active?.closest('[slot]');
    box.before(fault);
    this.#reveal(true);
    if (!focused) return;
    if (this.hasAttribute('dialog')) this.#dialog.open();
    else input.focus();
  }

  // Replaces the box with the children again, and keeps what was typed into it.
  #giveBack() {
    const { input } = this.#elements;
    const field = this.#field;
    const focused = this.shadowRoot?.activeElement === input;
    this.#stop.abort();
    this.#show([], '');
    this.#dialog.close();
    this.#elements.slot.before(this.#elements.fault); // out of the dialog
    this.#reveal(false);
    if (field && this.value) field.value = this.value;
    if (focused) field?.focus();
  }

  #end() {
    this.#stop.abort();
    clearTimeout(this.#timer);
    this.#open?.close();
    this.#open = null;
    this.#opening = null;
    this.#words = undefined;
    this.#whole = false;
    this.#begun = false;
    this.#dialog.close();
    this.#reveal(false);
    this.removeAttribute('state');
    this.#show([], '');
  }

  /**
   * @param {Parameters<Results['show']>[0]} hits
   * @param {string} status
   * @param {Parameters<Results['show']>[1]} [asked]
   */
  #show(hits, status, asked = null) {
    this.#shown = null;
    this.#elements.status.textContent = status;
    this.#elements.better.hidden = true;
    this.#elements.fault.hidden = true;
    this.#elements.sides.textContent = '';
    this.#results.show(hits, asked);
  }

  /**
   * Reports an error to the visitor, and to the page or its author.
   * @param {'unavailable'|'incomplete'|'fault'} message
   * @param {unknown} error
   */
  #fail(message, error) {
    const { fault } = this.#elements;
    fault.textContent = this.#messages[message](/** @type {Error} */ (error));
    fault.hidden = false;
    this.#report(error);
  }

  /** @param {unknown} error */
  #report(error) {
    if (this.#tell('vantage-error', error)) console.error('<vantage-search>', error);
  }

  /**
   * Arrow keys move through the results. Escape returns to the box.
   * @param {KeyboardEvent} event
   */
  #move(event) {
    const stops = [this.#elements.input, ...this.#results.stops];
    const page = /** @type {Document|ShadowRoot} */ (this.getRootNode()); // the copies of a template are there
    const active = this.shadowRoot?.activeElement ?? page.activeElement;
    const at = stops.findIndex((stop) => stop === active);
    /** @type {{[key: string]: number}} */
    const keys = { ArrowDown: at + 1, ArrowUp: at - 1, Escape: 0 };
    if (event.key === 'Escape' && this.hasAttribute('dialog')) return; // Dialog closes itself
    const to = keys[event.key];
    if (at < 0 || !stops[to] || to === at) return;
    event.preventDefault();
    stops[to].focus();
  }

  /**
   * Dispatches an event. Returns false if a listener called preventDefault.
   * @param {string} type
   * @param {unknown} detail
   */
  #tell(type, detail) {
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable: true }));
  }
}

if (globalThis.customElements && !customElements.get('vantage-search')) {
  customElements.define('vantage-search', VantageSearch);
}

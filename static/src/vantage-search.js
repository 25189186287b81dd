// <vantage-search>: a search box over a collection, for pages that need nothing
// else.
//
//   <script type="module" src="lib/vantage-search.js"></script>
//   <vantage-search collection="collection/" placeholder="Search">
//     <a href="/archive/">All articles</a>  <!-- until it is ready -->
//   </vantage-search>
//
// Attributes, parts, custom properties and events: vantage-search.d.ts.

import { InputError, LostInstanceError, Vantage } from './index.js';
import { style } from './vantage-search-style.js';

/**
 * @import { Hit, SearchResult, Stance, Vantage as Opened } from '../lib/index.d.ts'
 * @import { Messages, VantageSearch as Declared } from '../lib/vantage-search.d.ts'
 * @typedef {Hit & {metadata: {[field: string]: unknown}}} Shown a hit with the metadata of its document
 */

/** Milliseconds after the last key until the typed text is searched. */
const PAUSE = 200;

/** Results that have been shown for fewer milliseconds may still change: nobody reads them yet. */
const GLANCE = 1000;

/** Most characters of a text without a title that is its own heading. */
const MAX_BRIEF = 200;

/** @type {Messages} */
const MESSAGES = {
  label: 'Search',
  button: 'Search',
  searching: 'Searching…',
  none: (query) => `Nothing found for “${query}”`,
  found: (query, n) => `${n === 1 ? 'One result' : `${n} results`} for “${query}”`,
  partly: (rows, total) => ` (${rows} of ${total} passages have arrived so far)`,
  sides: (pro, against) => `${pro} for · ${against} against`,
  stance: ({ side, probability }) => `${side} (${Math.round(probability * 100)} %)`,
  words: ' (only by their words so far)',
  better: 'Show better results',
  unavailable: (error) => `Search is not available here: ${error.message}`,
  incomplete: (error) => `Not all passages could be loaded: ${error.message}`,
  fault: (error) => error.message,
};

/**
 * Makes an element that is a part of the box.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} part
 * @param {Node} parent
 * @param {{[name: string]: string}} [attributes]
 * @returns {HTMLElementTagNameMap[Name]}
 */
function make(name, part, parent, attributes = {}) {
  const element = parent.appendChild(document.createElement(name));
  element.setAttribute('part', part);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

// A server that renders the page may import this module; only browsers have elements.
const Element = globalThis.HTMLElement ?? class {};

/** @implements {Declared} */
export class VantageSearch extends Element {
  static observedAttributes = [
    'collection',
    'workers',
    'method',
    'perspectives',
    'lambda',
    'mmr',
    'k',
    'sides',
    'placeholder',
    'label',
  ];

  /** @type {Promise<Opened>|null} of the collection */
  #opening = null;
  /** @type {Opened|null} the collection, once it is open */
  #open = null;
  #whole = false; // the encoder and all vectors have arrived
  /** @type {{query: string, result: SearchResult, at: number}|null} what is shown, and since when */
  #shown = null;
  #stop = new AbortController(); // of the search under way
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer = undefined;
  #messages = MESSAGES;
  #elements;

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
    this.#elements = { slot, fault, box, label, input, button, better, status, sides, results };
    better.addEventListener('click', () => {
      input.focus({ preventScroll: true }); // the button disappears
      this.search();
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.search();
    });
    input.addEventListener('input', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.search(), PAUSE);
    });
    box.addEventListener('keydown', (event) => this.#move(event));
    this.#label();
  }

  connectedCallback() {
    this.#start();
  }

  // If an element is moved, it is removed and immediately inserted again, and keeps its engine.
  disconnectedCallback() {
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
    if (!this.isConnected) return;
    if (name === 'collection' || name === 'workers') {
      this.#end();
      this.#start();
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
    const open = this.#open;
    if (!open || query === '') return void this.#show([], '');
    const { status } = this.#elements;
    if (!status.textContent) status.textContent = this.#messages.searching;
    const whole = this.#whole;
    try {
      const result = await this.#ask(open, query, signal);
      const documents = await open.documents(
        result.hits.map((hit) => hit.index),
        { signal },
      );
      if (signal.aborted) return;
      this.#show(
        result.hits.map((hit, i) => ({ ...hit, metadata: documents[i].metadata })),
        this.#statusOf(query, result),
      );
      this.#shown = { query, result, at: performance.now() };
      this.#tell('vantage-results', result);
      this.#tellSides(open, query, result, signal);
      if (this.#whole && !whole) this.#improve(); // the rest came while the search was under way
    } catch (error) {
      if (signal.aborted) return;
      this.#show([], '');
      this.#fail('fault', error);
    }
  }

  /**
   * @param {Opened} open
   * @param {string} query
   * @param {AbortSignal} signal
   */
  async #ask(open, query, signal) {
    const ask = () => open.search({ ...this.#options(), query, signal });
    return ask().catch((error) => {
      if (error instanceof LostInstanceError) return ask(); // a new engine answers
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

  // The rest of the collection has arrived. If that changes an answer that is being read, a
  // button offers the new one: nothing moves under the reader's eyes.
  async #improve() {
    const { value } = this;
    const open = this.#open;
    const shown = this.#shown;
    if (!open || !shown || shown.query !== value.trim()) return; // a search is under way, or will be
    const { notice, coverage } = shown.result;
    if (!notice && coverage.rows === coverage.total) return;
    if (performance.now() - shown.at < GLANCE) return this.search();
    const { signal } = this.#stop;
    const result = await this.#ask(open, shown.query, signal).catch(() => null); // the next search reports it
    if (!result || signal.aborted || this.#shown !== shown) return;
    const ids = (/** @type {SearchResult} */ { hits }) => JSON.stringify(hits.map(({ index }) => index));
    if (ids(result) === ids(shown.result)) {
      this.#shown = { ...shown, result };
      this.#elements.status.textContent = this.#statusOf(shown.query, result);
      this.#tellSides(open, shown.query, result, signal);
    } else {
      this.#elements.better.hidden = false;
    }
  }

  /**
   * Says what is for the root of the query, or for the query itself if it has none, and what is against it. The answer
   * does not wait for that.
   * @param {Opened} open
   * @param {string} query
   * @param {SearchResult} result
   * @param {AbortSignal} signal
   */
  async #tellSides(open, query, { hits, notice }, signal) {
    if (!this.hasAttribute('sides') || open.info.angles === 0 || notice) return;
    try {
      const root = (await open.split(query))?.root ?? query;
      const indexes = hits.map(({ index }) => index);
      const [sides, stances] = await Promise.all([
        open.sides(root, { k: 1, signal }),
        open.stances(root, indexes, { signal }),
      ]);
      if (signal.aborted) return;
      this.#elements.sides.textContent = this.#messages.sides(sides.for.count, sides.against.count);
      const labels = this.#elements.results.querySelectorAll('[part~=stance]');
      stances.forEach((stance, i) => this.#mark(labels[i], stance));
      this.#tell('vantage-sides', sides);
    } catch (error) {
      // A query such as a single letter may have no sides.
      if (!signal.aborted && Object(error).kind !== 'query') this.#fail('fault', error);
    }
  }

  /**
   * @param {Element} label of a result
   * @param {Stance|null} stance
   */
  #mark(label, stance) {
    if (!stance || stance.side === 'neither') return;
    label.setAttribute('part', `stance ${stance.side}`);
    label.textContent = this.#messages.stance(stance);
  }

  /** @param {string} name */
  #number(name) {
    return this.hasAttribute(name) ? Number(this.getAttribute(name)) : undefined;
  }

  #options() {
    const perspectives = (this.getAttribute('perspectives') ?? '')
      .split('|')
      .map((text) => text.trim())
      .filter(Boolean);
    return {
      method: this.getAttribute('method'),
      perspectives,
      lambda: this.#number('lambda'),
      mmr: this.#number('mmr'),
      k: this.#number('k'),
    };
  }

  #label() {
    const { label, input, button, better } = this.#elements;
    label.textContent = this.getAttribute('label') ?? this.#messages.label;
    input.placeholder = this.getAttribute('placeholder') ?? '';
    button.textContent = this.#messages.button;
    better.textContent = this.#messages.better;
  }

  async #start() {
    const url = this.getAttribute('collection');
    if (this.#opening) return;
    if (url === null) return void queueMicrotask(() => this.#miss()); // it may be set immediately
    const open = async () => Vantage.open(new URL(url, this.baseURI), { workers: this.#number('workers') });
    const opening = (this.#opening = open());
    this.setAttribute('state', 'loading');
    try {
      const vantage = await opening;
      if (this.#opening !== opening) return vantage.close();
      this.#open = vantage;
      this.#takeOver();
      this.setAttribute('state', 'ready');
      this.#tell('vantage-ready', vantage);
      if (this.value) this.search();
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
      this.setAttribute('state', 'error');
      this.#fail('unavailable', error);
    }
  }

  #miss() {
    if (!this.isConnected || this.hasAttribute('collection')) return;
    this.setAttribute('state', 'error');
    this.#fail(
      'unavailable',
      new InputError('the element has no attribute "collection": give it the address of a collection\'s folder'),
    );
  }

  // Replaces the children by the box, and keeps what was typed into them.
  #takeOver() {
    const { slot, box, input } = this.#elements;
    /** @type {HTMLInputElement|null} */
    const old = this.querySelector('input[type=search], input[type=text], input:not([type])');
    if (!this.value && old?.value) this.value = old.value;
    const focused = this.contains(document.activeElement) && document.activeElement !== this;
    slot.hidden = true;
    box.hidden = false;
    if (focused) input.focus();
  }

  #end() {
    this.#stop.abort();
    clearTimeout(this.#timer);
    this.#open?.close();
    this.#open = null;
    this.#opening = null;
    this.#whole = false;
    this.#elements.slot.hidden = false;
    this.#elements.box.hidden = true;
    this.removeAttribute('state');
    this.#show([], '');
  }

  /**
   * @param {Shown[]} hits
   * @param {string} status
   */
  #show(hits, status) {
    this.#shown = null;
    this.#elements.status.textContent = status;
    this.#elements.better.hidden = true;
    this.#elements.fault.hidden = true;
    this.#elements.sides.textContent = '';
    this.#elements.results.replaceChildren(...hits.map((hit) => this.#result(hit)));
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
    if (this.#tell('vantage-error', error)) console.error('<vantage-search>', error);
  }

  /** @param {Shown} hit */
  #result(hit) {
    const item = document.createElement('li');
    item.part = 'result';
    const link = this.#linkOf(hit);
    const head = item.appendChild(document.createElement(link ? 'a' : 'span'));
    head.part = 'title';
    if (link) head.setAttribute('href', link);
    head.tabIndex = link ? 0 : -1; // the arrow keys reach it in any case
    const brief = !hit.title && hit.text !== '' && hit.text.length <= MAX_BRIEF;
    head.textContent = brief ? hit.text : hit.title || hit.id;
    if (this.hasAttribute('sides')) make('p', 'stance', item);
    if (!brief) {
      const text = item.appendChild(document.createElement('p'));
      text.part = 'text';
      text.textContent = hit.text;
    }
    item.addEventListener('click', (event) => {
      if (!this.#tell('vantage-select', hit)) event.preventDefault();
    });
    return item;
  }

  /**
   * The address in a metadata field, if it is http or https: other schemes
   * could run scripts.
   * @param {Shown} hit
   */
  #linkOf({ metadata }) {
    const value = metadata[this.getAttribute('link') ?? 'url'];
    if (typeof value !== 'string') return null;
    try {
      const { protocol, href } = new URL(value, this.baseURI);
      return protocol === 'http:' || protocol === 'https:' ? href : null;
    } catch {
      return null;
    }
  }

  /**
   * Arrow keys move through the results, Escape returns to the box.
   * @param {KeyboardEvent} event
   */
  #move(event) {
    const { input, results } = this.#elements;
    /** @type {Element[]} */
    const links = [...results.querySelectorAll('[part=title]')];
    const stops = /** @type {HTMLElement[]} */ ([input, ...links]);
    const at = stops.findIndex((stop) => stop === this.shadowRoot?.activeElement);
    /** @type {{[key: string]: number}} */
    const keys = { ArrowDown: at + 1, ArrowUp: at - 1, Escape: 0 };
    const to = keys[event.key];
    if (at < 0 || !stops[to] || to === at) return;
    event.preventDefault();
    stops[to].focus();
  }

  /**
   * Dispatches an event; false if a listener prevented its default.
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

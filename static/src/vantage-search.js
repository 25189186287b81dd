// <vantage-search>: a search box over a collection, for pages that need nothing
// else.
//
//   <script type="module" src="lib/vantage-search.js"></script>
//   <vantage-search collection="collection/" placeholder="Search">
//     <a href="/archive/">All articles</a>  <!-- until it is ready -->
//   </vantage-search>
//
// Attributes, parts, custom properties and events: vantage-search.d.ts.

import { Answers } from './element/answers.js';
import { Box } from './element/box.js';
import { MESSAGES } from './element/messages.js';
import { numberOf } from './element/options.js';
import { Results } from './element/results.js';
import { InputError, UnavailableError, Vantage } from './index.js';

/**
 * @import { Vantage as Opened } from '../lib/index.d.ts'
 * @import { VantageSearch as Declared } from '../lib/vantage-search.d.ts'
 */

/** Milliseconds after the last key until the typed text is searched. */
const PAUSE = 200;

/** Most milliseconds that the engine waits for an idle page, if the element has loading="idle". */
const IDLE = 2000;

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
    'link',
    'sides',
    'hybrid',
    'highlight',
    'placeholder',
    'label',
  ];

  #met = false; // whether it has been inserted into a page
  #begun = false; // whether the box has replaced the element's children
  #renewed = false; // whether it has opened an updated collection, since the visitor last asked for results
  /** @type {Promise<Opened>|null} the collection, from when it begins to open */
  #opening = null;
  #lost = false; // whether it could not be opened because something is out of reach, so that another try may succeed
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer = undefined;
  #box;
  #answers;

  constructor() {
    super();
    const tell = this.#tell.bind(this);
    this.#box = new Box(this);
    const results = new Results(this, this.#box.list, (hit) => this.#tell('vantage-select', hit));
    this.#answers = new Answers(this, this.#box, results, tell, this.#fail.bind(this));
    this.#box.listen({
      search: () => {
        this.#renewed = false;
        this.search();
      },
      focus: () => this.#load(),
      type: () => {
        this.#renewed = false;
        this.#load();
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.search(), PAUSE);
      },
      stops: () => results.stops,
    });
    this.addEventListener('focusin', () => this.#lost && this.#load()); // in the children, too
    this.#label();
    // What the page has set before this script ran would hide the properties: it is set again.
    for (const [name, value] of Object.entries(this)) {
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
  }

  connectedCallback() {
    this.#met = true;
    this.#arrange();
    this.#begin();
  }

  // If an element is moved, it is removed and immediately inserted again, and keeps its engine.
  disconnectedCallback() {
    this.#box.dialog.deafen();
    this.#box.dialog.close();
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
    return this.#box.input.value;
  }

  set value(text) {
    this.#box.input.value = text ?? ''; // frameworks remove a property by setting it to undefined
  }

  /** @returns {string|null} */
  get hybrid() {
    return this.getAttribute('hybrid');
  }

  /** @param {string|boolean|null} value */
  set hybrid(value) {
    if ((value ?? null) === null) this.removeAttribute('hybrid');
    else this.setAttribute('hybrid', value === true ? '' : String(value));
  }

  get highlight() {
    return this.hasAttribute('highlight');
  }

  set highlight(on) {
    this.toggleAttribute('highlight', Boolean(on));
  }

  /** @param {FocusOptions} [options] */
  focus(options) {
    if (this.#lost) this.#load();
    super.focus(options);
    this.#box.input.focus(options); // from a result, too
  }

  showModal() {
    this.#box.dialog.open();
  }

  close() {
    this.#box.dialog.close();
  }

  set messages(texts) {
    this.#answers.messages = { ...MESSAGES, ...texts };
    this.#label();
  }

  get messages() {
    return this.#answers.messages;
  }

  async search() {
    clearTimeout(this.#timer);
    this.#answers.stop();
    const empty = this.value.trim() === '';
    if (!empty) this.#load();
    if (empty || !this.#opening) return this.#answers.empty();
    return this.#answers.search();
  }

  #label() {
    this.#box.label(this.messages);
  }

  #arrange() {
    try {
      this.#box.arrange();
    } catch (error) {
      this.#report(error); // the button still opens the dialog
    }
  }

  #begin() {
    if (this.#begun) return;
    if (!this.hasAttribute('collection')) return void queueMicrotask(() => this.#miss()); // a script may set it soon
    this.#begun = true;
    this.#box.takeOver();
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
    const again = this.#lost;
    if ((this.#opening && !again) || !this.#begun || url === null) return;
    this.#lost = false;
    const open = async () => Vantage.open(new URL(url, this.baseURI), { workers: numberOf(this, 'workers') });
    const opening = (this.#opening = open());
    const answers = this.#answers;
    this.setAttribute('state', 'loading');
    try {
      const vantage = await opening;
      if (this.#opening !== opening) return vantage.close();
      if (again) this.#box.takeOver();
      answers.open = vantage;
      this.setAttribute('state', 'ready');
      this.#tell('vantage-ready', vantage);
      if (!answers.refresh() && this.value) this.search();
      vantage.ready.then(
        () => {
          if (answers.open !== vantage) return;
          answers.whole = true;
          answers.refresh();
        },
        (error) => answers.open === vantage && this.#fail('incomplete', error),
      );
    } catch (error) {
      if (this.#opening !== opening) return;
      answers.stop();
      answers.empty();
      this.setAttribute('state', 'error');
      const lost = error instanceof UnavailableError;
      this.#box.giveBack(lost);
      this.#lost = lost; // only now: giveBack moves the focus, which would try again at once
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

  #end() {
    clearTimeout(this.#timer);
    this.#begun = false; // the field may get the focus, and must not load anything
    this.#shut();
    this.#box.hide();
    this.removeAttribute('state');
  }

  #shut() {
    this.#answers.open?.close();
    this.#opening = null;
    this.#lost = false;
    this.#answers.clear();
  }

  /**
   * Opens the collection again if the error says that it was updated. Returns false if it says something else, or if
   * the visitor would wait for a host that changes its files all the time.
   * @param {unknown} error
   */
  #renew(error) {
    if (Object(error).code !== 'outdated' || this.#renewed || !this.#answers.open) return false;
    this.#renewed = true;
    this.#shut();
    this.#load();
    return true;
  }

  /**
   * Reports an error to the visitor, and to the page or its author.
   * @param {'unavailable'|'incomplete'|'fault'} message
   * @param {unknown} error
   */
  #fail(message, error) {
    if (this.#renew(error)) return;
    const { fault } = this.#box;
    fault.textContent = this.messages[message](/** @type {Error} */ (error));
    fault.hidden = false;
    this.#report(error);
  }

  /** @param {unknown} error */
  #report(error) {
    if (this.#tell('vantage-error', error)) console.error('<vantage-search>', error);
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

// The query and its controls. Root and perspectives are read from the wording
// of the query until the visitor edits them.

import { addPerspective } from './chips.js';
import { byId, number, write } from './dom.js';
import { AUTO, byName, letterOf, methodOptions, shortName } from './methods.js';

/**
 * @import { CollectionInfo, Method, Score } from '../../lib/index.js'
 * @typedef {{query: string, root: string, perspectives: string[], method: string, lambda: number|null,
 *   strength: number|null, mmr: number|null, k: number, score: Score|null}} Asked the form's query, as texts; null: the
 *   default
 * @typedef {Asked & {lambda: number, edited: boolean, side: 'for'|'against'|'', other: number|null}} State edited: the
 *   user has changed root or perspectives, so they are no longer those of the wording; side: only passages on this side
 *   are shown; other: the passage whose other side is searched
 */

/**
 * The controls by their names.
 * @typedef {{query: HTMLTextAreaElement, root: HTMLInputElement, method: HTMLSelectElement, lambda: HTMLInputElement,
 *   strength: HTMLInputElement, diversify: HTMLInputElement, mmr: HTMLInputElement, k: HTMLSelectElement,
 *   score: HTMLSelectElement}} Fields
 */

/** The initial state of the form. */
/** @type {State} */
const DEFAULTS = {
  query: '',
  edited: false,
  root: '',
  perspectives: [],
  method: AUTO.name,
  lambda: 1,
  strength: null,
  mmr: null,
  k: 10,
  score: null,
  side: '',
  other: null,
};

export class Form {
  /**
   * @param {(text: string) => Promise<{root: string, perspective: string}|null>} split
   * @param {() => void} onChange called when the answer may change
   * @param {() => void} onCommit called when a change is complete, such as when a
   *   slider is released
   */
  constructor(split, onChange, onCommit) {
    this.split = split;
    this.onChange = onChange;
    this.onCommit = onCommit;
    this.edited = false;
    this.reading = Promise.resolve(); // settles when root and perspectives are those of the wording
    /** @type {number|null} of the angles; null: what the encoder recommends */
    this.strength = null;
    /** @type {Score|null} null: as the collection says */
    this.score = DEFAULTS.score;
    /** @type {Pick<CollectionInfo, 'angles'|'score'>|null} that is searched; null: it is not open yet */
    this.collection = null;
    this.side = DEFAULTS.side;
    this.other = DEFAULTS.other;
    this.fields.method.append(...methodOptions());
    const { query, root } = this.fields;
    query.addEventListener('input', () => {
      this.leave();
      this.read();
    });
    query.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        byId('form').requestSubmit();
      }
    });
    root.addEventListener('input', () => this.edit());
    byId('add').addEventListener('click', () => {
      this.addChip('').querySelector('input')?.focus();
      this.edit(false);
    });
    byId('reread').addEventListener('click', async () => {
      this.edited = false;
      query.focus();
      await this.read();
      onCommit();
    });
    this.fields.method.addEventListener('input', () => {
      this.strength = null; // each method has its own scale
    });
    this.fields.strength.addEventListener('input', () => {
      this.strength = Number(this.fields.strength.value);
      this.other = null;
      this.settle();
    });
    this.fields.score.addEventListener('input', () => {
      const { value } = this.fields.score;
      this.score = value === this.natural ? null : /** @type {Score} */ (value);
      this.other = null;
      this.settle();
    });
    for (const name of /** @type {(keyof Fields)[]} */ (['method', 'lambda', 'diversify', 'mmr', 'k'])) {
      this.fields[name].addEventListener('input', () => {
        this.other = null;
        this.settle();
      });
    }
    byId('form').addEventListener('change', () => onCommit());
    byId('form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.other = null;
      this.read();
      onCommit();
    });
    addEventListener('resize', () => this.grow());
    this.describe();
  }

  /** @returns {Fields} any: the page's HTML has controls of these names */
  get fields() {
    return /** @type {any} */ (byId('form').elements);
  }

  /** The chosen method as METHODS describes it. */
  get method() {
    return byName(this.fields.method.value);
  }

  get perspectives() {
    /** @type {NodeListOf<HTMLInputElement>} */
    const inputs = document.querySelectorAll('#perspectives input');
    return Array.from(inputs, (input) => input.value.trim()).filter(Boolean);
  }

  /** The SearchQuery for the chosen method. */
  get value() {
    const { query, root, lambda, diversify, mmr, k } = this.fields;
    return {
      query: query.value.trim(),
      root: root.value.trim(),
      perspectives: this.perspectives,
      method: shortName(this.method),
      lambda: this.method.lambda ? Number(lambda.value) : null,
      strength: this.method.angles > 0 ? this.strength : null,
      mmr: diversify.checked ? Number(mmr.value) : null,
      k: Number(k.value),
      score: this.score,
    };
  }

  /**
   * Offers what applies to the collection that is searched: methods that need angles if it has some; the scores by
   * which it can be compared, its own and another one. Under MaxSim, which compares the vectors of tokens, there is no
   * other score, and neither λ nor MMR, and the only methods are sums of scores.
   * @param {Pick<CollectionInfo, 'angles'|'score'>} info
   */
  offer({ angles, score }) {
    const { method, diversify } = this.fields;
    this.collection = { angles, score };
    for (const option of method.options) {
      const { angles: needed, sums } = byName(option.value);
      option.hidden = option.disabled = (needed > 0 && angles === 0) || (this.late && !sums);
    }
    if (method.selectedOptions[0]?.disabled) method.value = DEFAULTS.method;
    byId('score-control').hidden = byId('mmr-control').hidden = this.late;
    if (this.late) diversify.checked = false;
    if (this.late || this.score === score) this.score = null;
    this.describe();
  }

  /** @returns {CollectionInfo['score']|null} the collection's */
  get natural() {
    return this.collection?.score ?? null;
  }

  /** Whether the collection is ranked by MaxSim. */
  get late() {
    return this.natural === 'maxsim';
  }

  /**
   * Moves the slider to the strength of the answer if the visitor has not set one.
   * @param {number} strength
   */
  tellStrength(strength) {
    if (this.strength !== null || this.method.angles === 0) return;
    this.fields.strength.value = String(strength);
    this.describe();
  }

  /** What the method lacks, or null. A root alone gives a perspective, too. */
  get missing() {
    const { root, perspectives } = this.value;
    if (this.method.needs.includes('root') && !root) return 'something that the query is about';
    if (this.method.needs.includes('perspective') && !root && perspectives.length === 0) return 'a perspective';
    return null;
  }

  /** What the closed settings say about themselves. */
  get brief() {
    const { root, perspectives, mmr } = this.value;
    const parts = [
      this.method === AUTO ? 'automatic' : shortName(this.method),
      mmr !== null && 'diversified',
      root && `about “${root}”`,
      perspectives.length > 0 && `seen from “${perspectives.join('”, “')}”`,
    ];
    return parts.filter(Boolean).join(' · ');
  }

  /** The state that a link restores. */
  get state() {
    const { edited, side, other } = this;
    return { ...this.value, lambda: Number(this.fields.lambda.value), edited, side, other };
  }

  /**
   * Restores a state; missing values get their defaults.
   * @param {Partial<State>} given
   */
  async restore(given) {
    const state = { ...DEFAULTS, ...given };
    const { query, root, method, lambda, diversify, mmr, k } = this.fields;
    query.value = state.query;
    method.value = shortName(byName(state.method));
    lambda.value = String(state.lambda);
    this.strength = state.strength;
    diversify.checked = state.mmr !== null;
    mmr.value = state.mmr === null ? mmr.defaultValue : String(state.mmr);
    k.value = String(state.k);
    this.score = state.score;
    if (this.collection) this.offer(this.collection);
    this.edited = state.edited;
    this.side = state.side;
    this.other = state.other;
    if (state.edited) {
      root.value = state.root;
      byId('perspectives').replaceChildren();
      for (const text of state.perspectives) this.addChip(text);
    }
    await this.read();
  }

  /** @param {string} text */
  async setQuery(text) {
    this.fields.query.value = text;
    this.edited = false;
    this.leave();
    await this.read();
  }

  /** Reads root and perspective from the wording, unless they were edited. */
  read() {
    this.reading = this.readWording();
    return this.reading;
  }

  async readWording() {
    this.grow();
    if (this.edited) return this.settle();
    const { query, root } = this.fields;
    const text = query.value.trim();
    const found = text ? await this.split(text) : null;
    if (this.edited || query.value.trim() !== text) return;
    root.value = found?.root ?? '';
    byId('perspectives').replaceChildren();
    if (found) this.addChip(found.perspective);
    this.settle();
  }

  /** Notes that the visitor has edited root or perspectives. */
  edit(changed = true) {
    this.edited = true;
    this.leave();
    if (changed) this.settle();
    else this.describe();
  }

  /** @param {string} text */
  addChip(text) {
    return addPerspective(
      text,
      () => this.edit(),
      () => this.onCommit(),
    );
  }

  /** Shows all results again: the query is another one. */
  leave() {
    this.side = DEFAULTS.side;
    this.other = DEFAULTS.other;
  }

  settle() {
    this.describe();
    this.onChange();
  }

  describe() {
    const { query, lambda, strength, diversify, mmr, root, score } = this.fields;
    const { method } = this;
    write(byId('method-summary'), this.late && method === AUTO ? 'Compares the whole query.' : method.summary);
    write(byId('lambda-value'), method.lambda ? number(Number(lambda.value)) : 'unused');
    lambda.disabled = !method.lambda;
    const strong = method.angles > 0;
    byId('lambda-control').hidden = strong || this.late;
    byId('strength-control').hidden = !strong;
    if (strong && this.strength !== null) strength.value = String(this.strength);
    write(byId('strength-letter'), letterOf(method));
    write(byId('strength-value'), number(Number(strength.value)));
    write(byId('mmr-value'), diversify.checked ? number(Number(mmr.value)) : 'off');
    mmr.disabled = !diversify.checked;
    score.value = this.score ?? this.natural ?? 'cosine';
    byId('reread').hidden = !this.edited;
    write(byId('settings-now'), this.brief);
    write(
      byId('reading'),
      this.edited
        ? 'As edited by you.'
        : root.value
          ? 'Read from the wording of the query; edit it if it is wrong.'
          : query.value
            ? 'No root and perspective in this wording: say what it is about, and from which side, or add them here.'
            : 'What it is about, and the sides to see it from.',
    );
  }

  // Makes the query's box as high as its text.
  grow() {
    const { query } = this.fields;
    query.style.height = 'auto';
    query.style.height = `${query.scrollHeight + 2}px`;
  }
}

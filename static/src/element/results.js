// The results of <vantage-search>: a list in its shadow. If the page has a template for a result, its copies stand in
// slots of that list, and the page's style sheets apply to them. Texts of documents always become text nodes.

import { webAddress } from '../show/address.js';
import { excerpt, marked } from '../show/excerpt.js';
import { make } from './make.js';

/**
 * @import { Hit, Stance } from '../../lib/index.d.ts'
 * @import { WordsHit } from '../../lib/words.d.ts'
 * @import { Asked } from '../show/excerpt.js'
 * @typedef {(Hit & {metadata: {readonly [field: string]: unknown}})|WordsHit} Shown a hit and its document's metadata
 * @typedef {object} Row
 * @property {HTMLLIElement} item
 * @property {HTMLElement} stop the element that the arrow keys move to
 * @property {HTMLElement[]} stances the elements that say which side the result is on
 * @property {HTMLElement} [copy] the filled copy of the page's template
 */

/** Most characters of a text that serves as its own heading, if it has no title. */
const MAX_BRIEF = 200;

/** Most characters of a text that is shown whole when words are marked. Longer ones are cut to an excerpt. */
const MAX_WHOLE = 300;

/** Elements whose text the browser runs or applies. Texts of documents must not get there. */
const RUN = ['script', 'style'];

export class Results {
  #host;
  #list;
  #select;
  /** @type {Row[]} */
  #rows = [];

  /**
   * @param {HTMLElement} host
   * @param {HTMLElement} list
   * @param {(hit: Shown) => boolean} select called for a click on a result; false if the browser must not follow it
   */
  constructor(host, list, select) {
    this.#host = host;
    this.#list = list;
    this.#select = select;
  }

  /**
   * @param {readonly Shown[]} hits
   * @param {Asked|null} asked the words to be marked
   */
  show(hits, asked) {
    // If the element is a clone, it has copies that another one made.
    for (const copy of this.#host.querySelectorAll(':scope > [slot^="result-"]')) copy.remove();
    const template = this.#host.querySelector(':scope > template[slot="result"]');
    const own = template instanceof HTMLTemplateElement ? template.content : null;
    this.#rows = hits.map((hit, i) => (own ? this.#copy(own, hit, i, asked) : this.#plain(hit, asked)));
    for (const [i, { item }] of this.#rows.entries()) {
      item.part = 'result';
      item.dir = 'auto';
      item.addEventListener('click', (event) => {
        if (!this.#select(hits[i])) event.preventDefault();
      });
    }
    this.#list.replaceChildren(...this.#rows.map(({ item }) => item));
  }

  get stops() {
    return this.#rows.map(({ stop }) => stop);
  }

  /**
   * Says which side each result is on.
   * @param {readonly (Stance|null)[]} stances
   * @param {(stance: Stance) => string} say
   */
  tell(stances, say) {
    for (const [i, { stances: places, copy }] of this.#rows.entries()) {
      const stance = stances[i];
      if (!stance || stance.side === 'neither') continue;
      for (const place of places) {
        place.textContent = say(stance);
        place.hidden = false;
        if (copy) place.dataset.side = stance.side;
        else place.setAttribute('part', `stance ${stance.side}`);
      }
    }
  }

  /**
   * @param {Shown} hit
   * @param {Asked|null} asked
   * @returns {Row}
   */
  #plain(hit, asked) {
    const item = document.createElement('li');
    const link = this.#linkOf(hit);
    const head = make(link ? 'a' : 'span', 'title', item);
    if (link) head.setAttribute('href', link);
    head.tabIndex = link ? 0 : -1; // the arrow keys reach it in any case
    head.append(...titleOf(hit, asked));
    const stances = this.#host.hasAttribute('sides') ? [make('p', 'stance', item)] : [];
    if (!isBrief(hit)) make('p', 'text', item).append(...textOf(hit, asked));
    return { item, stop: head, stances };
  }

  /**
   * @param {DocumentFragment} template
   * @param {Shown} hit
   * @param {number} i
   * @param {Asked|null} asked
   * @returns {Row}
   */
  #copy(template, hit, i, asked) {
    const item = document.createElement('li');
    const slot = item.appendChild(document.createElement('slot'));
    const copy = document.createElement('div');
    copy.slot = slot.name = `result-${i + 1}`;
    copy.append(document.importNode(template, true));
    /** @type {HTMLElement[]} */
    const stances = [];
    /** @type {NodeListOf<HTMLElement>} */
    const places = copy.querySelectorAll('[data-field]');
    for (const place of places) {
      if (RUN.includes(place.localName)) continue;
      const { field = '' } = place.dataset;
      if (field === 'stance') stances.push(place);
      this.#fill(place, field, hit, asked);
    }
    this.#host.append(copy);
    /** @type {HTMLElement} */
    const stop = copy.querySelector('a[href]') ?? copy.querySelector('[data-field=title]') ?? copy;
    if (!stop.matches('a[href]')) stop.tabIndex = -1;
    return { item, stop, stances, copy };
  }

  /**
   * Fills an element of the template with a field of the hit, or hides it if the field is empty. A link with the field
   * "url" is not hidden, but loses its address.
   * @param {HTMLElement} place
   * @param {string} field
   * @param {Shown} hit
   * @param {Asked|null} asked
   */
  #fill(place, field, hit, asked) {
    if (field === 'url' && place instanceof HTMLAnchorElement) {
      const link = this.#linkOf(hit);
      if (link) place.setAttribute('href', link);
      else place.removeAttribute('href');
      if (!place.textContent?.trim() && place.childElementCount === 0) place.textContent = link;
      return;
    }
    const parts = this.#partsOf(field, hit, asked);
    place.replaceChildren(...parts);
    place.hidden = place.textContent === '';
  }

  /**
   * @param {string} field
   * @param {Shown} hit
   * @param {Asked|null} asked
   * @returns {(Node|string)[]}
   */
  #partsOf(field, hit, asked) {
    if (field === 'title') return titleOf(hit, asked);
    if (field === 'text') return isBrief(hit) ? [] : textOf(hit, asked);
    if (field === 'score') return [String(Number(hit.score.toPrecision(3)))];
    if (field === 'url') return [this.#linkOf(hit) ?? ''];
    const [, name] = field.match(/^metadata\.(.+)$/s) ?? [];
    return name !== undefined && Object.hasOwn(hit.metadata, name) ? [said(hit.metadata[name])] : [];
  }

  /** @param {Shown} hit */
  #linkOf({ metadata }) {
    const field = this.#host.getAttribute('link') ?? 'url';
    return (Object.hasOwn(metadata, field) && webAddress(metadata[field], this.#host.baseURI)?.href) || null;
  }
}

/** @param {Shown} hit */
const isBrief = ({ title, text }) => !title.trim() && text.trim() !== '' && text.length <= MAX_BRIEF;

/**
 * @param {Shown} hit
 * @param {Asked|null} asked
 */
function titleOf(hit, asked) {
  return withMarks(isBrief(hit) ? hit.text : hit.title.trim() ? hit.title : hit.id, asked, marked);
}

/**
 * @param {Shown} hit
 * @param {Asked|null} asked
 */
function textOf({ text }, asked) {
  return withMarks(text, asked, text.length > MAX_WHOLE ? excerpt : marked);
}

/**
 * @param {string} text
 * @param {Asked|null} asked
 * @param {(text: string, asked: Asked) => (Node|string)[]} mark
 */
function withMarks(text, asked, mark) {
  if (!asked) return [text];
  const parts = mark(text, asked);
  for (const part of parts) if (part instanceof HTMLElement) part.part = 'mark';
  return parts;
}

/**
 * A value of metadata as text: texts, numbers, truth values, and lists of them. Anything else is ''.
 * @param {unknown} value
 * @returns {string}
 */
function said(value) {
  if (Array.isArray(value)) return value.map(said).filter(Boolean).join(', ');
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

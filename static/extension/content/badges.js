// A badge in each result: how far it moved, and why.

import css from './badge.css';
import { firstOf, insert, isConnected, parentOf, remove, tagOf } from './dom.js';
import { hosted, make } from './shadow.js';
import { text } from '../text.js';

/** @import { Place } from '../types.js' */
/** @import { Result } from './read.js' */

/** Titles that cannot hold a badge: it stands before them. */
const CLOSED = new Set(['img', 'input', 'textarea', 'select', 'iframe', 'video', 'table', 'tr', 'tbody', 'svg']);

export class Badges {
  /** @type {Map<Element, HTMLElement>} The badge of each result's element. */
  #badges = new Map();
  /** @type {Map<Result, {up: number, place: Place}>} */
  #reasons = new Map();

  /**
   * Shows badges in these results, and in no others.
   * @param {Map<Result, {up: number, place: Place}>} reasons
   * @param {'dark' | 'light'} scheme
   */
  show(reasons, scheme) {
    const before = this.#badges;
    this.#badges = new Map();
    this.#reasons = reasons;
    for (const [{ element, heading }, { up, place }] of reasons) {
      const { host } = hosted('span', css, badgeOf(up, place));
      host.dataset.scheme = scheme;
      const parent = heading && parentOf(heading);
      if (parent && CLOSED.has(tagOf(heading))) insert(parent, host, heading);
      else insert(heading ?? element, host, firstOf(heading ?? element));
      this.#badges.set(element, host);
    }
    for (const host of before.values()) remove(host);
  }

  clear() {
    this.show(new Map(), 'light');
  }

  /** Shows again what was shown last. @param {'dark' | 'light'} scheme */
  mend(scheme) {
    this.show(this.#reasons, scheme);
  }

  /** Whether the page has removed badges, as when it writes a title anew. */
  get torn() {
    return [...this.#badges].some(([element, host]) => isConnected(element) && !isConnected(host));
  }
}

/**
 * @param {number} up
 * @param {Place} place
 * @returns {HTMLElement}
 */
function badgeOf(up, place) {
  const moved = up > 0 ? `▲${up}` : up < 0 ? `▼${-up}` : '=';
  const way = up > 0 ? 'up' : up < 0 ? 'down' : 'same';
  const { short, long, kind } = reasonOf(place);
  const sentence = [text(up > 0 ? 'barMovedUp' : up < 0 ? 'barMovedDown' : 'barNotMoved', Math.abs(up)), long]
    .join(' ')
    .trim();
  const badge = make('span', { class: 'badge', role: 'img', 'aria-label': sentence, title: sentence });
  badge.append(make('span', { class: `moved ${way}` }, moved));
  if (short) badge.append(make('span', { class: `why ${kind}` }, short));
  return badge;
}

/**
 * Why a result stands where it does.
 * @param {Place} place
 * @returns {{short: string, long: string, kind: string}}
 */
function reasonOf({ stance, why }) {
  if (stance) {
    const percent = Math.round(100 * stance.probability);
    const key = { for: 'barSupports', against: 'barOpposes', neither: 'barNeither' }[stance.side];
    if (key) return { short: text(key, percent), long: text(`${key}Long`, percent), kind: stance.side };
  }
  const near = why ? [why.root, why.perspective].filter((cosine) => cosine !== null) : [];
  if (near.length > 0 && near.every(Number.isFinite)) {
    const key = near.length > 1 ? 'barNear' : 'barNearSubject';
    const cosines = near.map((cosine) => cosine.toFixed(2));
    return { short: text(key, ...cosines), long: text(`${key}Long`, ...cosines), kind: 'near' };
  }
  return { short: '', long: '', kind: '' };
}

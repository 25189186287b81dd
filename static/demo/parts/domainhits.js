// The hits of a perspective (domain.js): how they are searched, and how they are listed.

import { el } from './dom.js';
import { nameOf } from './hit.js';

/** @import { Hit, Vantage } from '../../lib/index.js' */

/** A ranking by cosine alone (Eq. 4). */
export const BY_COSINE = /** @type {const} */ ({ method: 'none', score: 'cosine', hybrid: false, explain: false });

/** Number of documents near the query that are read ahead. */
const AHEAD = 30;

/**
 * Reads the texts near the query while the chat model writes: those near its rewritten queries are often the same.
 * @param {{vantage: Vantage, query: string}} asked
 * @param {AbortSignal} signal
 */
export function readAhead({ vantage, query }, signal) {
  const ahead = vantage.search({ query, ...BY_COSINE, k: AHEAD, signal });
  ahead.catch(() => {}); // the searches that need the texts report the fault
}

/** Most characters of a text that are shown. */
const MAX_TEXT = 120;

/** @param {Hit} hit */
export function beginningOf({ title, text }) {
  if (!title) return ''; // then the text is its name
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).replace(/\s+\S*$/u, '')} …`;
}

/**
 * @param {Hit} hit
 * @param {string} text
 * @param {string} why
 */
export function item(hit, text, why) {
  const line = el('li', {}, el('strong', {}, nameOf(hit)), ` ${text} `, el('span', { className: 'hint' }, why));
  line.dataset.index = String(hit.index);
  return line;
}

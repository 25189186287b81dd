// A document that a domain's queries have found, as a line of a list.

import { el } from './dom.js';
import { nameOf } from './hit.js';

/** @import { Hit } from '../../lib/index.js' */

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

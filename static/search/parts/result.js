// One result: a page or a document, with its best passage.

import { el } from '../../demo/parts/dom.js';
import { stanceText } from '../../demo/parts/stance.js';
import { CUT_AFTER, excerpt, marked } from '../../src/show/excerpt.js';
import { trail } from './address.js';

/**
 * @import { Asked } from '../../src/show/excerpt.js'
 * @import { Found, Group, Passage } from './groups.js'
 */

/** Most characters of a text that is its own title, if a passage has none. */
const BRIEF = 200;

/** Most characters of the beginning of a longer text that stands in for a title. */
const MAX_TITLE = 90;

/** Least probability of a side that is told: a less probable one is more probably not the text's. */
const TOLD = 0.5;

/**
 * @param {Group} group
 * @param {Asked} asked the query's words
 * @param {'h2'|'h3'} level of its heading
 * @returns {HTMLLIElement}
 */
export function resultOf({ found, url, further }, asked, level) {
  const title = titleOf(found);
  const brief = title === found.text;
  const shown = brief ? marked(title, asked) : title;
  const heading = url ? el('a', { href: url.href }, shown) : el('span', { tabIndex: -1 }, shown);
  heading.classList.add('stop'); // the arrow keys stop here
  const item = el(
    'li',
    { className: 'result', dir: 'auto' },
    found.picture,
    el(level, {}, heading),
    url && el('p', { className: 'trail' }, trail(url)),
    !brief && el('p', { className: 'excerpt' }, excerpt(found.text, asked)),
    stanceOf(found),
    found.because && el('p', { className: 'because' }, `because: ${found.because.text}`),
    further.length > 0 &&
      el('ul', { className: 'further', 'aria-label': 'More of this page' }, further.map(linkUnder(title))),
  );
  item.dataset.index = String(found.index);
  return item;
}

/** @param {Found} found */
function titleOf({ title, text, id }) {
  if (title.trim()) return title;
  if (text.length <= BRIEF) return text.trim() ? text : id;
  return `${text.slice(0, MAX_TITLE).replace(CUT_AFTER, '')} …`;
}

/**
 * Makes links to further passages of a page. Titles are headings with colons between them, and may have colons of their
 * own. What a passage's title shares with the result's is left out, unless nothing else is in it.
 * @param {string} title
 */
function linkUnder(title) {
  const shared = title.split(': ');
  return (/** @type {Passage} */ { found, url }) => {
    const own = titleOf(found).split(': ');
    const from = Math.max(
      own.findIndex((part, i) => part !== shared[i]),
      0,
    );
    return el('li', {}, el('a', { href: String(url) }, own.slice(from).join(': ')));
  };
}

/** @param {Found} found */
function stanceOf({ stance }) {
  if (!stance || stance.side === 'neither' || stance.probability < TOLD) return null;
  return el('p', { className: `stance ${stance.side}` }, stanceText(stance));
}

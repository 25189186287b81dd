// One result: a page or a document, with its best passage.

import { el } from '../../demo/parts/dom.js';
import { spoken } from '../../demo/parts/stance.js';
import { trail, webAddress } from './address.js';
import { excerpt, marked } from './excerpt.js';

/**
 * @import { Asked } from './excerpt.js'
 * @import { Found, Group, Passage } from './groups.js'
 */

/** A passage without a title is its own if it has at most so many characters, or else its beginning is. */
const BRIEF = 200;
const MAX_TITLE = 90;

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
  heading.classList.add('stop'); // of the arrow keys
  const item = el(
    'li',
    { className: 'result' },
    thumbnail(found),
    el(level, {}, heading),
    url && el('p', { className: 'trail' }, trail(url)),
    !brief && el('p', { className: 'excerpt' }, excerpt(found.text, asked)),
    stanceOf(found),
    further.length > 0 &&
      el('ul', { className: 'further', 'aria-label': 'More of this page' }, further.map(linkUnder(title))),
  );
  item.dataset.index = String(found.index);
  return item;
}

/** @param {Found} found */
function titleOf({ title, text, id }) {
  if (title || text.length <= BRIEF) return title || text || id;
  return `${text.slice(0, MAX_TITLE).replace(/\s+\S*$/u, '')} …`;
}

/**
 * Makes links to further passages. The page's title before a colon is left out.
 * @param {string} title
 */
function linkUnder(title) {
  const [shared] = title.match(/^.*?: /) ?? [`${title}: `];
  return (/** @type {Passage} */ { found, url }) => {
    const own = titleOf(found);
    return el('li', {}, el('a', { href: String(url) }, own.startsWith(shared) ? own.slice(shared.length) : own));
  };
}

/** @param {Found} found */
function stanceOf({ stance }) {
  if (!stance || stance.side === 'neither') return null;
  return el('p', { className: `stance ${stance.side}` }, spoken(stance));
}

/**
 * The document's picture, which only decorates. It has its place before it arrives, and leaves it if it never does.
 * @param {Found} found
 */
function thumbnail({ metadata }) {
  const url = webAddress(metadata.image);
  if (!url) return null;
  const image = el('img', {
    className: 'thumbnail',
    alt: '',
    width: 96,
    height: 72,
    loading: 'lazy',
    referrerPolicy: 'no-referrer',
    src: url.href,
  });
  image.addEventListener('error', () => image.classList.add('broken'));
  return image;
}

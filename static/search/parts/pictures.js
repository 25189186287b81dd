// The pictures of results. Which ones are asked for, and when, must not depend on private contexts, which only order
// what a query has found. So all pictures of an answer are asked for together, in the order of the documents.

import { el } from '../../demo/parts/dom.js';
import { webAddress } from '../../src/show/address.js';
import { keyOf } from './groups.js';

/** @import { Found } from './groups.js' */

/**
 * Gives the passages of an answer their pictures; passages of one page share one.
 * @param {readonly Found[]} hits in any order
 */
export function picture(hits) {
  /** @type {Map<string, HTMLImageElement>} */
  const made = new Map();
  for (const found of [...hits].sort((a, b) => a.index - b.index)) {
    const url = webAddress(found.metadata.image);
    if (!url) continue;
    const key = `${keyOf(found)} ${url.href}`;
    found.picture = made.get(key) ?? thumbnail(url);
    made.set(key, found.picture);
  }
}

/**
 * A picture only decorates. It has its place before it arrives, and leaves it if it never does.
 * @param {URL} url
 */
function thumbnail({ href }) {
  const image = el('img', {
    className: 'thumbnail',
    alt: '',
    width: 96,
    height: 72,
    referrerPolicy: 'no-referrer',
    src: href,
  });
  image.addEventListener('error', () => image.classList.add('broken'));
  return image;
}

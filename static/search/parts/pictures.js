// The pictures of results. Private contexts decide the order of results, and the requests for pictures must not betray
// that order. So the page requests all pictures of an answer together, in the order of the collection.

import { el } from '../../demo/parts/dom.js';
import { webAddress } from '../../src/show/address.js';
import { keyOf } from './groups.js';

/** @import { Found } from './groups.js' */

/**
 * Gives passages their pictures. If passages of one page have the same picture, they share the element.
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
 * A picture is decoration only. Its space is kept while it loads, and stays empty if it cannot be loaded.
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

// All passages of a page are one result: the best passage, with up to three others below it.

import { webAddress } from '../../src/show/address.js';
import { pageOf } from './address.js';

/**
 * @import { Because, Stance } from '../../lib/index.js'
 * @typedef {object} Found a passage that a search has found
 * @property {string} id
 * @property {number} index
 * @property {string} title
 * @property {string} text
 * @property {{readonly [field: string]: unknown}} metadata
 * @property {Stance} [stance]
 * @property {Because} [because] the private context that gave it its rank
 * @property {HTMLImageElement} [picture]
 * @typedef {{found: Found, url: URL|null}} Passage
 * @typedef {Passage & {key: string, further: Passage[]}} Group
 */

/** Most further passages of a page. */
const FURTHER = 3;

/**
 * Groups passages by page. Groups have the order of their best passages.
 * @param {readonly Found[]} hits best first
 */
export function grouped(hits) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const found of hits) {
    const url = webAddress(found.metadata.url);
    const key = keyOf(found);
    const group = groups.get(key);
    if (!group) groups.set(key, { key, found, url, further: [] });
    else if (group.further.length < FURTHER && isNew(group, url)) group.further.push({ found, url });
  }
  return [...groups.values()];
}

/**
 * The key of a passage's group: its page, or the passage itself if it has no address.
 * @param {Found} found
 */
export function keyOf({ index, metadata }) {
  const url = webAddress(metadata.url);
  return url ? pageOf(url) : `document ${index}`;
}

/**
 * Whether an address is not in the group yet. The passages of a long section share one address.
 * @param {Group} group
 * @param {URL|null} url
 */
const isNew = (group, url) => ![group, ...group.further].some((other) => other.url?.href === url?.href);

// The open shadow roots of the page. What is in a closed one, or in a frame, is not seen.

import { shadowOf } from './dom.js';
import { all } from '../rules/dom.js';

/** Most elements that are looked at, and most shadow roots. */
const ELEMENTS = 50_000;
const ROOTS = 500;

/** @returns {ShadowRoot[]} also those within others */
export function openRoots() {
  /** @type {ShadowRoot[]} */
  const found = [];
  let looked = 0;
  for (let next = -1; next < found.length; next++) {
    for (const element of all(next < 0 ? document : found[next], '*')) {
      if (looked++ === ELEMENTS) return found;
      const root = shadowOf(element);
      if (root && found.push(root) === ROOTS) return found;
    }
  }
  return found;
}

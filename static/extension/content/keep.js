// Keeps focus and scroll position while results move.

import { activeOf, isConnected, parentOf } from './dom.js';

/**
 * @param {Element | null} first a result
 * @param {() => void} change
 */
export function keeping(first, change) {
  const active = activeOf(document);
  const scrolled = [];
  for (let node = first && parentOf(first); node instanceof Element; node = parentOf(node)) {
    const { scrollTop, scrollLeft } = node;
    if (scrollTop || scrollLeft) scrolled.push({ node, scrollTop, scrollLeft });
  }
  change();
  if (active instanceof HTMLElement && activeOf(document) !== active && isConnected(active)) {
    HTMLElement.prototype.focus.call(active, { preventScroll: true });
  }
  for (const { node, scrollTop, scrollLeft } of scrolled) {
    // "instant", because a page may have smooth scrolling.
    node.scrollTo({ top: scrollTop, left: scrollLeft, behavior: 'instant' });
  }
}

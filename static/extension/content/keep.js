// Keeps focus and scroll position while results move.

import { activeOf, focus, isConnected, leftOf, parentOf, scroll, topOf } from './dom.js';

/**
 * @param {Element | null} first a result
 * @param {() => void} change
 */
export function keeping(first, change) {
  const active = activeOf(document);
  const scrolled = [];
  for (let node = first && parentOf(first); node instanceof Element; node = parentOf(node)) {
    const [top, left] = [topOf(node), leftOf(node)];
    if (top || left) scrolled.push({ node, top, left });
  }
  change();
  if (active instanceof HTMLElement && activeOf(document) !== active && isConnected(active)) {
    focus(active);
  }
  for (const { node, top, left } of scrolled) scroll(node, top, left);
}

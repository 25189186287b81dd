// Keeps focus and scroll position while results move.

import { above, focus, focused, isConnected, leftOf, scroll, topOf } from './dom.js';

/**
 * @param {Element | null} first a result
 * @param {() => void} change
 */
export function keeping(first, change) {
  const active = focused();
  const scrolled = [];
  for (let node = first && above(first); node; node = above(node)) {
    const [top, left] = [topOf(node), leftOf(node)];
    if (top || left) scrolled.push({ node, top, left });
  }
  change();
  if (active instanceof HTMLElement && focused() !== active && isConnected(active)) {
    focus(active);
  }
  for (const { node, top, left } of scrolled) scroll(node, top, left);
}

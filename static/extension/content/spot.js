// Where the bar stands: above the first result, where a block fits.

import { above, bodyOf, parentOf, rootOf, tagOf } from './dom.js';

/** Elements in which no block may stand: lists and tables, which hold their own items only, and elements of text. */
const LISTS = new Set([
  'ol',
  'ul',
  'dl',
  'menu',
  'table',
  'tbody',
  'thead',
  'tfoot',
  'tr',
  'select',
  'a',
  'button',
  'p',
]);

/**
 * Returns where to insert a block so that it stands above an element: a parent and the child that follows.
 * @param {Element} first
 * @returns {{parent: Node, before: Element}}
 */
export function spotAbove(first) {
  const body = bodyOf(document);
  let before = first;
  for (let level = 0; level < 12; level++) {
    const parent = parentOf(before);
    const box = above(before); // a shadow root's host
    if (!parent || !box || box === rootOf(document)) break;
    if (takesBlocks(box)) return { parent, before };
    if (box === body) break;
    before = box;
  }
  return { parent: parentOf(first) ?? body, before: first };
}

/** @param {Element} element whether its children stand below each other */
function takesBlocks(element) {
  if (LISTS.has(tagOf(element))) return false;
  const { display, flexDirection, gridTemplateColumns } = getComputedStyle(element);
  if (/flex/.test(display)) return flexDirection === 'column';
  if (/grid/.test(display)) return !/\s/.test(gridTemplateColumns.trim());
  return /^(block|flow-root|list-item|table-cell|inline-block)$/.test(display);
}

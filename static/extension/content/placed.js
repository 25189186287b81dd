// Pages whose styles say where each result stands: by `order`, by places in a grid, by absolute positions, from the end
// to the beginning. Results that move in such a document do not move before the reader's eyes.

import { above, parentOf } from './dom.js';

/** @import { Result } from './read.js' */

/** How much of the smaller one two results must share to stand in one row or column. */
const SHARED = 0.5;

/** If so many of the pairs stand the wrong way round, styles place the results. A dense grid has a few. */
const WRONG = 1 / 3;

/**
 * Whether the reader sees results in another order than the document's. All neighbours count, and those that have
 * changed sides count once more by themselves: they may be few.
 * @param {Result[]} results as they stand in the document
 * @param {Result[]} own in the page's order
 */
export function arePlaced(results, own) {
  const at = new Map(own.map((result, index) => [result, index]));
  const all = { pairs: 0, wrong: 0 };
  const turned = { pairs: 0, wrong: 0 };
  for (let i = 1; i < results.length; i++) {
    const [one, other] = [results[i - 1], results[i]];
    const parent = above(one.mover);
    if (!parent || parentOf(one.mover) !== parentOf(other.mover)) continue;
    const wrong = isBefore(boxOf(other.mover), boxOf(one.mover), getComputedStyle(parent));
    if (wrong === null) continue;
    for (const count of (at.get(other) ?? i) < (at.get(one) ?? i) ? [all, turned] : [all]) {
      count.pairs++;
      if (wrong) count.wrong++;
    }
  }
  return [all, turned].some(({ pairs, wrong }) => wrong > 0 && wrong >= WRONG * pairs);
}

/**
 * Whether one stands above the other, or before it in a row. null: nobody can tell, as in the columns of a newspaper.
 * @param {DOMRect} one
 * @param {DOMRect} other
 * @param {CSSStyleDeclaration} style of their parent
 * @returns {boolean | null}
 */
function isBefore(one, other, { direction, writingMode }) {
  if (writingMode !== 'horizontal-tb' || !one.width || !one.height || !other.width || !other.height) return null;
  const [x, y] = [
    overlap(one.left, one.right, other.left, other.right),
    overlap(one.top, one.bottom, other.top, other.bottom),
  ];
  if (x >= SHARED && y < SHARED) return one.top < other.top;
  // Of columns that fill as a wall of bricks, the next one may be before in its row; it is lower then.
  if (y >= SHARED && x < SHARED) return one.top <= other.top && one.left < other.left === (direction !== 'rtl');
  return null;
}

/**
 * How much a–b and c–d share of the shorter one.
 * @param {number} a @param {number} b @param {number} c @param {number} d
 */
const overlap = (a, b, c, d) => (Math.min(b, d) - Math.max(a, c)) / Math.min(b - a, d - c);

/** @param {Element} element @returns {DOMRect} */
const boxOf = (element) => Element.prototype.getBoundingClientRect.call(element);

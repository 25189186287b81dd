// The label that says which side a passage is on, and how surely.

import { el } from './dom.js';

/** @import { Stance } from '../../lib/index.js' */

/** Words that say how sure a side is, with the least probability for each. */
const SURE = /** @type {const} */ ([
  [0.85, 'clearly'],
  [0.65, 'probably'],
  [0, 'perhaps'],
]);

/**
 * The content of a label.
 * @param {Stance} stance
 * @returns {(Node|string)[]}
 */
export function stanceText({ side, probability }) {
  const word = SURE.find(([least]) => probability >= least)?.[1];
  return [`${word} ${side} `, el('span', { className: 'probability' }, `${Math.round(probability * 100)} %`)];
}

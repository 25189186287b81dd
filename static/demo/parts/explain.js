// Explains the rank of a passage: the method's formula with its numbers.

import { digits, el, number } from './dom.js';
import { formula } from './methods.js';

/**
 * @import { Explain, ExplainedHit } from '../../lib/index.js'
 * @import { Scored } from './methods.js'
 */

/**
 * @param {ExplainedHit} hit of a result
 * @param {Scored} method
 */
export function explanation(hit, method) {
  const { x, y, norm, numerator, denominator, topic, side, cosine, cosine_rank: rank } = hit.explain;
  const { lexical } = hit;
  const quotient = denominator === 0 ? 0 : numerator / denominator;
  const vectors = lexical ? quotient + (side ?? 0) : hit.score; // if lexical, hit.score is fused
  /** @type {[name: string, value: number, meaning: string][]} */
  let parts = [
    ['x', x, 'along what is sought'],
    ['y', y, 'along the perspective'],
    ['‖c‖', norm, 'length of the passage'],
  ];
  if (method.by) parts.splice(1, 1); // its plan has no p
  let sum = `= ${digits(numerator)} / ${digits(denominator)} = `;
  if (method.name.startsWith('re-ranking')) {
    parts = [
      ['first stage', x, 'score of the gate'],
      ['second stage', y, method.by ? 'p·c' : 'cos(p, c)'],
    ];
  }
  if (topic !== undefined && side !== undefined) {
    parts = [
      ['topic', topic, 'what it is about'],
      ['angle', side, 'from where it speaks'],
    ];
    sum = `= ${digits(topic)} ${side < 0 ? '−' : '+'} ${digits(Math.abs(side))} = `;
  }
  return el(
    'div',
    { className: 'explanation' },
    el('p', { className: 'equation' }, formula(method.formula), el('br'), sum, el('strong', {}, digits(vectors))),
    el(
      'dl',
      {},
      parts.map(([name, value, meaning]) =>
        el('div', {}, el('dt', {}, name), el('dd', {}, digits(value)), el('dd', { className: 'meaning' }, meaning)),
      ),
    ),
    el('p', { className: 'because' }, because({ y, norm, denominator, side }, method)),
    lexical && el('p', { className: 'because' }, fused(lexical.rank, hit.score)),
    el('p', { className: 'because' }, `Plain ${method.by ?? 'cosine'}: ${digits(cosine)}, rank ${rank}.`),
  );
}

/**
 * @param {number} rank by the words of the query; 0: not among the best
 * @param {number} score
 */
function fused(rank, score) {
  const words = rank > 0 ? `which put it at rank ${rank}` : 'which do not find it';
  return `Fused with the words of the query, ${words}: ${digits(score)}.`;
}

/**
 * @param {Pick<Explain, 'y'|'norm'|'denominator'|'side'>} explain
 * @param {Scored} method
 */
function because({ y, norm, denominator, side }, method) {
  if (side !== undefined) {
    return `The passage’s angle ${side < 0 ? 'points away from' : 'agrees with'} the one that the query asks for.`;
  }
  if (method.by && method.needs.includes('perspective') && !method.name.startsWith('re-ranking')) {
    return 'Under the dot product, the perspective changes the query alone.';
  }
  if (method.name === 'vec_dual_projection' && norm > 0) {
    const share = (1 - (denominator / norm) ** 2) * 100;
    if (Math.abs(share) < 0.05) return 'The passage has almost no part along the perspective, so its length stays.';
    return share > 0
      ? `Taking the perspective out removes ${number(share, 2)} % of the passage, and the rest counts as the whole.`
      : `The perspective is counted ${number(-share, 2)} % on top of the passage.`;
  }
  if (method.needs.includes('perspective')) {
    return `The passage lies ${y >= 0 ? 'along' : 'against'} the perspective (y = ${number(y, 3)}).`;
  }
  return 'The perspective plays no part.';
}

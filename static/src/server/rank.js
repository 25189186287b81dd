// One ranking from those of several perspectives, and the prompt of a reader: MVRAG (Chen, Yu and Sha 2024), as
// internal/mvrag has it in Go.

import { QueryError } from '../errors.js';

/**
 * @import { PerspectiveFound, PerspectiveHit, PerspectiveView } from '../../lib/server.d.ts'
 */

/** More than the rounding error of a share, and far less than a document. */
const ROUNDING = 1e-9;

/**
 * @param {readonly Pick<PerspectiveView, 'weight'>[]} views
 * @param {number} k
 * @returns {number[]}
 */
export function sharesOf(views, k) {
  if (!Number.isSafeInteger(k) || k < 1) throw new QueryError(`k: ${k} is not a whole number from 1`);
  const sum = views.reduce((all, { weight }) => all + weight, 0);
  for (const { weight } of views) {
    if (!(weight > 0 && sum < Infinity)) throw new QueryError(`weight: ${weight} is not above 0, or too large`);
  }
  return views.map(({ weight }) => Math.max(1, Math.ceil((k * weight) / sum - ROUNDING)));
}

/**
 * @param {readonly PerspectiveView[]} views
 * @param {readonly (readonly PerspectiveHit[])[]} rankings
 * @param {number} k
 * @returns {PerspectiveFound[]}
 */
export function mergePerspectives(views, rankings, k) {
  const shares = sharesOf(views, k);
  /** @type {Map<number, PerspectiveFound>} */
  const found = new Map();
  views.forEach(({ weight, perspective }, i) => {
    for (const { index, score } of (rankings[i] ?? []).slice(0, shares[i])) {
      const rel = score * weight;
      if (!Number.isFinite(rel)) throw new QueryError(`score: ${score} is not a number`);
      if (!(rel <= /** @type {number} */ (found.get(index)?.rel))) found.set(index, { index, rel, perspective });
    }
  });
  return [...found.values()].sort((a, b) => b.rel - a.rel || a.index - b.index);
}

/**
 * @param {string} query
 * @param {readonly string[]} documents
 */
export function readerPrompt(query, documents) {
  const list = documents.map((text, i) => `Document ${i + 1}:\n${fence(text)}`);
  return [`Question:\n${fence(query)}`, ...list].join('\n\n');
}

/**
 * Puts a text between two lines of backticks, more than the text has in a row, so that it cannot close them.
 * @param {string} text
 */
function fence(text) {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const line = '`'.repeat(longest + 1);
  return `${line}\n${text}\n${line}`;
}

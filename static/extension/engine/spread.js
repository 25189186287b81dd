// Spreads results over sides: maximal marginal relevance (Carbonell and Goldstein 1998), which takes next the result
// that is relevant and unlike those before it. The library's MMR compares texts by their topics. Here their angles are
// compared, which say from which side a text speaks, or the topics if the encoder gives no angles.

import { cosine } from '../../src/cosine.js';

/**
 * @import { Place } from '../types.js'
 * @import { Known } from './encode.js'
 */

/** λ: how much relevance counts beside novelty. */
const LAMBDA = 0.7;

/** Only the first places are spread: nobody sees the others, and the work grows with their square. */
const FIRST = 100;

/**
 * @param {Place[]} places best first
 * @param {Known[]} known the vectors of the texts, by the places' indexes
 * @returns {Place[]} a permutation
 */
export function spread(places, known) {
  const rest = places.slice(0, FIRST);
  const scores = scale(rest.map(({ score }) => score));
  const left = rest.map((place, i) => ({ place, score: scores[i], near: 0 }));
  /** @type {Place[]} */
  const chosen = [];
  while (left.length > 0) {
    let best = 0;
    for (let i = 1; i < left.length; i++) if (value(left[i]) > value(left[best])) best = i;
    const [{ place }] = left.splice(best, 1);
    chosen.push(place);
    for (const other of left) {
      other.near = Math.max(other.near, likeness(known[other.place.index], known[place.index]));
    }
  }
  return [...chosen, ...places.slice(FIRST)];
}

/** @param {{score: number, near: number}} candidate */
const value = ({ score, near }) => LAMBDA * score - (1 - LAMBDA) * near;

/**
 * Scores from 0 to 1, so that λ means the same with every method.
 * @param {number[]} scores
 */
function scale(scores) {
  const low = Math.min(...scores);
  const range = Math.max(...scores) - low;
  return scores.map((score) => (range > 0 ? (score - low) / range : 0));
}

/**
 * @param {Known} a
 * @param {Known} b
 */
function likeness(a, b) {
  return a.angle && b.angle ? cosine(a.angle, b.angle) : cosine(a.vector, b.vector);
}

// One ranking of some results by one encoder.

import { cosine } from '../../src/cosine.js';
import { needsAngles, questionOf } from './question.js';
import { spread } from './spread.js';

/**
 * @import { ExplainedHit, Stance, Vantage } from '../../lib/index.js'
 * @import { Ask, Place } from '../types.js'
 * @import { Cached, Known } from './encode.js'
 */

/**
 * Ranks texts. A text that the library's answer lacks, because the method leaves it out, comes last: the places are a
 * permutation.
 * @param {Vantage} vantage
 * @param {Cached} encoder of the texts, by the model of `vantage`
 * @param {Ask} ask
 * @param {string[]} texts
 * @param {AbortSignal} signal
 * @returns {Promise<{method: string, kind: string, places: Place[]}>} indexes are those of `texts`
 */
export async function rankBy(vantage, encoder, ask, texts, signal) {
  const { question, kind } = await questionOf(vantage, ask, signal);
  const hasAngles = vantage.info.angles > 0;
  const tells = ask.side !== null && hasAngles;
  const angles = tells || (ask.spread && hasAngles) || needsAngles(question.method);
  const known = await encoder.encode(texts, angles, signal);
  const result = await vantage.rerank(known, { ...question, k: Math.max(1, texts.length) });
  const why = needsAngles(result.method) ? byAngles : await byCosines(vantage, ask, known);
  const stances = tells ? await stancesOf(vantage, ask.root, known, signal) : [];
  signal.throwIfAborted();
  const places = result.hits.map((hit) => {
    return { index: hit.index, score: hit.score, stance: stances[hit.index] ?? null, why: why(hit) };
  });
  const ranked = new Set(places.map(({ index }) => index));
  const last = places.at(-1)?.score ?? 0;
  texts.forEach((_, index) => {
    if (!ranked.has(index)) places.push({ index, score: last, stance: stances[index] ?? null, why: null });
  });
  return {
    method: result.method,
    kind,
    places: ask.spread ? spread(places, known) : places,
  };
}

/**
 * With angles: the cosine with the root, and what the angles add to the score.
 * @param {ExplainedHit} hit
 */
function byAngles({ explain }) {
  return { root: explain.topic ?? explain.cosine, perspective: explain.side ?? 0 };
}

/**
 * @param {Vantage} vantage
 * @param {Ask} ask
 * @param {Known[]} known
 * @returns {Promise<(hit: {index: number}) => Place['why']>}
 */
async function byCosines(vantage, { root, perspective }, known) {
  const [r, p] = await Promise.all([
    vantage.encode(root, 'root'),
    perspective === '' ? null : vantage.encode(perspective, 'perspective'),
  ]);
  return ({ index }) => ({
    root: cosine(r.vector, known[index].vector),
    perspective: p && cosine(p.vector, known[index].vector),
  });
}

/**
 * The side of each text; null for one that is not on the subject of the root, about which nothing is told.
 * @param {Vantage} vantage
 * @param {string} root
 * @param {Known[]} known
 * @param {AbortSignal} signal
 * @returns {Promise<(Pick<Stance, 'side'|'probability'>|null)[]>}
 */
async function stancesOf(vantage, root, known, signal) {
  /** @type {(Pick<Stance, 'side'|'probability'>|null)[]} */
  const stances = known.map(() => null);
  if (known.length === 0) return stances;
  const sides = await vantage.sidesOf(root, known, { k: known.length, signal });
  for (const { index, stance } of [sides.for, sides.neither, sides.against].flatMap(({ hits }) => hits)) {
    stances[index] = { side: stance.side, probability: stance.probability };
  }
  return stances;
}

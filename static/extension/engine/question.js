// A question in the form that the library's `rerank` takes.

import { METHODS } from '../../lib/index.js';

/**
 * @import { RerankQuery, RerankResult, RerankText, Vantage } from '../../lib/index.js'
 * @import { Ask } from '../types.js'
 */

/** The wordings that the transformer was made with. */
const WORDINGS = { for: 'a claim that supports the argument', against: 'a claim that opposes the argument' };

/**
 * The method and its strength. With a side it is `contrast`, unless another one is asked for. An encoder without
 * angles cannot rank by methods that need them: the kind of perspective then chooses.
 * @param {Vantage} vantage
 * @param {Ask} ask
 * @param {AbortSignal} signal
 * @returns {Promise<{question: RerankQuery & {explain: true}, kind: string}>} without k; kind is that of the
 *   perspective, '' if auto did not choose by it
 */
export async function questionOf(vantage, ask, signal) {
  const { root } = ask;
  const hasAngles = vantage.info.angles > 0;
  const perspective = await wordingOf(vantage, ask);
  if (perspective === '') return { question: { query: root, root, method: 'none', explain: true, signal }, kind: '' };
  const asked = ask.method ?? (ask.side && hasAngles ? 'contrast' : null);
  const method = asked && needsAngles(asked) && !hasAngles ? null : asked;
  const question = {
    query: `${perspective}: ${root}`,
    root,
    perspectives: [perspective],
    method,
    explain: /** @type {const} */ (true),
    signal,
  };
  if (method && ask.strength === null) return { question, kind: '' };
  // What auto chooses, and what the method recommends, are known from a ranking of nothing.
  const chosen = await vantage.rerank([], question);
  const scale = ask.strength ?? 1;
  return {
    question: {
      ...question,
      method: chosen.method,
      ...(methodOf(chosen.method)?.lambda && { lambda: chosen.lambda * scale }),
      ...(chosen.strength !== undefined && { strength: chosen.strength * scale }),
    },
    kind: chosen.kind ?? '',
  };
}

/**
 * A wording from which the library reads the side that is asked for; without a side, the perspective as it is.
 * @param {Vantage} vantage
 * @param {Ask} ask
 */
async function wordingOf(vantage, { perspective, side }) {
  if (!side || (perspective !== '' && (await vantage.stance(perspective)) === side)) return perspective;
  return WORDINGS[side];
}

/**
 * The method with this name or alias.
 * @param {string} wanted
 */
export const methodOf = (wanted) => METHODS.find(({ name, aliases }) => name === wanted || aliases.includes(wanted));

/** @param {string|null|undefined} method */
export const needsAngles = (method) => Boolean(method && methodOf(method)?.angles);

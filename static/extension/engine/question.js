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
 * @returns {Promise<RerankQuery & {explain: true}>} without k
 */
export async function questionOf(vantage, ask, signal) {
  const { root } = ask;
  const hears = vantage.info.angles > 0;
  const perspective = await wordingOf(vantage, ask);
  if (perspective === '') return { query: root, root, method: 'none', explain: true, signal };
  const asked = ask.method ?? (ask.side && hears ? 'contrast' : null);
  const method = asked && needsAngles(asked) && !hears ? null : asked;
  const query = {
    query: `${perspective}: ${root}`,
    root,
    perspectives: [perspective],
    method,
    explain: /** @type {const} */ (true),
    signal,
  };
  if (method && ask.strength === null) return query;
  // What auto chooses, and what the method recommends, are known from a ranking of nothing.
  const chosen = await vantage.rerank([], query);
  const scale = ask.strength ?? 1;
  return {
    ...query,
    method: chosen.method,
    ...(lambdaOf(chosen.method) && { lambda: chosen.lambda * scale }),
    ...(chosen.strength !== undefined && { strength: chosen.strength * scale }),
  };
}

/**
 * A wording from which the library reads the side that is asked for.
 * @param {Vantage} vantage
 * @param {Ask} ask
 */
async function wordingOf(vantage, { perspective, side }) {
  if (!side || (perspective !== '' && (await vantage.stance(perspective)) === side)) return perspective;
  return WORDINGS[side];
}

/** @param {string} method */
export const needsAngles = (method) => METHODS.some(({ name, angles }) => name === method && angles > 0);

/** @param {string} method */
const lambdaOf = (method) => METHODS.some(({ name, lambda }) => name === method && lambda);

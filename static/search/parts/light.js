// The first answers, by words alone, before the engine has arrived.

import { grouped } from './groups.js';

/**
 * @import { Words } from '../../lib/words.js'
 * @import { List } from './engine.js'
 * @import { Asked } from './state.js'
 */

/**
 * The search by words, null if the collection or the host lacks something for it: the engine answers without it. And
 * how a text is divided into words.
 * @param {string} collection
 */
export async function openWords(collection) {
  try {
    const { Words } = await import('../../lib/words.js');
    return { terms: Words.terms, words: await Words.open(collection).catch(() => null) };
  } catch {
    return { terms: () => [], words: null };
  }
}

/**
 * @param {Words} words
 * @param {Asked} asked
 * @param {number} want most passages: each may be in a file of its own
 * @param {AbortSignal} signal
 * @returns {Promise<List>}
 */
export async function answerByWords(words, { query, from }, want, signal) {
  const text = from ? `${query} ${from}` : query;
  const { hits } = await words.search({ query: text, k: want, signal });
  return { kind: 'list', groups: grouped(hits), more: hits.length === want, result: null, root: '' };
}

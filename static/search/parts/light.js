// The first answers, by words alone, while the engine is still loading.

import { grouped } from './groups.js';
import { picture } from './pictures.js';

/**
 * @import { Words } from '../../lib/words.js'
 * @import { List } from './engine.js'
 * @import { Asked } from './state.js'
 */

/**
 * Opens the search by words. `words` is null if the collection has no index of words, or if a file is missing; then
 * the engine gives the first answer. `fault` says why. `terms` divides a text into words.
 * @param {string} collection
 */
export async function openWords(collection) {
  try {
    const { Words } = await import('../../lib/words.js');
    const { terms } = Words;
    return await Words.open(collection).then(
      (words) => ({ terms, words, fault: null }),
      (fault) => ({ terms, words: null, fault }),
    );
  } catch {
    return { terms: () => [], words: null, fault: null };
  }
}

/**
 * @param {Words} words
 * @param {Asked} asked
 * @param {number} want most passages; few, because each may be in a file of its own
 * @param {AbortSignal} signal
 * @returns {Promise<List>}
 */
export async function answerByWords(words, { query, from }, want, signal) {
  const text = from ? `${query} ${from}` : query;
  const { hits } = await words.search({ query: text, k: want, signal });
  picture(hits);
  const [groups, more] = [grouped(hits), hits.length === want];
  return { kind: 'list', groups, more, result: null, root: '', side: '', contexts: 0 };
}

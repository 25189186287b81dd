// Checks a question from a content script. The page's texts are in it, and a page may be hostile.

import { Fault } from './faults.js';
import { methodOf } from './question.js';

/**
 * @import { Ask } from '../types.js'
 * @typedef {{ask: Ask, texts: string[]}} Question the text of a result is its title and its snippet
 */

/** Most results of a question. */
const MAX_RESULTS = 10_000;

/** Characters of a result that count. */
const MAX_TEXT = 4_000;

/** Most characters of root and perspective. */
const MAX_QUERY = 1_000;

/** The most that `strength` may be; 1 is what a method recommends. */
const MAX_STRENGTH = 2;

/**
 * @param {any} message any: it comes from a page's process and is checked here
 * @returns {Question}
 */
export function checkQuestion({ ask, results }) {
  if (typeof ask !== 'object' || ask === null || !Array.isArray(results)) {
    throw new Fault('engineQuestion', 'a question has an ask and a list of results');
  }
  if (results.length > MAX_RESULTS) {
    throw new Fault('engineTooMany', `${results.length} results, at most ${MAX_RESULTS} can be ranked`);
  }
  const texts = results.map((result, i) => {
    const { title, snippet } = Object(result);
    if (typeof title !== 'string' || typeof snippet !== 'string') {
      throw new Fault('engineQuestion', `result ${i}: title and snippet must be texts`);
    }
    return `${title.slice(0, MAX_TEXT)} ${snippet.slice(0, MAX_TEXT)}`.trim().slice(0, MAX_TEXT);
  });
  return { ask: checkAsk(ask), texts };
}

/**
 * @param {any} ask any: see above
 * @returns {Ask}
 */
function checkAsk({ root, perspective, side, method, strength, spread }) {
  const wrong = (/** @type {string} */ what) => new Fault('engineQuestion', what);
  if (typeof root !== 'string' || typeof perspective !== 'string') throw wrong('root and perspective must be texts');
  if (root.length > MAX_QUERY || perspective.length > MAX_QUERY) {
    throw new Fault('engineQueryTooLong', `root and perspective may have ${MAX_QUERY} characters`);
  }
  if (root.trim() === '') throw new Fault('engineNoQuery', 'the root is empty');
  if (side !== null && side !== 'for' && side !== 'against') throw wrong('side must be for, against or null');
  if (method !== null && !methodOf(method)) throw wrong('method must be one of the library');
  if (strength !== null && !(typeof strength === 'number' && strength >= 0 && strength <= MAX_STRENGTH)) {
    throw wrong(`strength must be from 0 to ${MAX_STRENGTH}`);
  }
  if (typeof spread !== 'boolean') throw wrong('spread must be true or false');
  return { root: root.trim(), perspective: perspective.trim(), side, method, strength, spread };
}

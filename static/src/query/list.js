// Lists that a page gives.

import { QueryError } from '../errors.js';

/**
 * The entries of a list that a page gives; a text is none.
 * @param {any} given any: it comes from the page and is checked here
 * @param {string} usage the error if it is no list
 * @returns {any[]}
 */
export function listOf(given, usage) {
  if (typeof given === 'string' || typeof given?.[Symbol.iterator] !== 'function') throw new QueryError(usage);
  return [...given];
}

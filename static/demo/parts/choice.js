// What the ranking "Automatic" chose for a query, in words.

import { number } from './dom.js';
import { ASKS } from './kinds.js';
import { byName, plainName, shortName } from './methods.js';

/** @import { SearchResult } from '../../lib/index.js' */

/**
 * The method of a result and its settings, such as "contrast 0.2 with the words".
 * @param {Pick<SearchResult, 'method'|'score'|'lambda'|'strength'|'hybrid'>} result
 */
function chosenOf(result) {
  const { method: name, lambda, strength, hybrid } = result;
  const method = byName(name);
  const own = shortName(method) === 'none' ? `the ${plainName(result)}` : shortName(method);
  const at = method.angles ? ` ${number(strength ?? 0)}` : method.lambda ? ` ${number(lambda)}` : '';
  return `${own}${at}${hybrid ? ' with the words' : ''}`;
}

/**
 * A sentence that says what was chosen, and why.
 * @param {Pick<SearchResult, 'method'|'kind'|'score'|'lambda'|'strength'|'hybrid'>} result
 */
export function because({ kind, ...result }) {
  return `Automatic: ${chosenOf(result)}, because ${kind ? ASKS[kind] : 'the query has no perspective'}.`;
}

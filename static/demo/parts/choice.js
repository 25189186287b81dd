// What the ranking "Automatic" chose for a query, in words.

import { number } from './dom.js';
import { byName, plainName, shortName } from './methods.js';

/** @import { Kind, SearchResult } from '../../lib/index.js' */

/** @type {{readonly [kind in Kind]: string}} */
const ASKS = {
  stance: 'the query asks for a side',
  leaning: 'the query asks for a political side',
  time: 'the query asks for a period',
  topic: 'the query asks for a subtopic',
  place: 'the query asks for a place',
  analogy: 'the query asks for something alike',
  converse: 'the query asks for what its text supports or opposes',
  evidence: 'the query asks for a sort of evidence',
  audience: 'the query asks for somebody’s view',
  free: 'the query asks for a perspective in words of its own',
};

/**
 * The method of a result and its settings, such as "contrast 0.2 with words".
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

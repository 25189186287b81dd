// The names of methods that a search accepts: any name or alias of METHODS, and WORDS.

import { METHODS, WORDS } from '../constants.js';
import { QueryError } from '../errors.js';

/**
 * Throws unless a search accepts this name of a method; the rules are those of internal/search/methods.go.
 * @param {string} name
 */
export function checkMethod(name) {
  const key = (/** @type {string} */ text) => text.toLowerCase().replaceAll('_', '-');
  if (
    name === WORDS ||
    METHODS.some((method) => [method.name, ...method.aliases].some((known) => key(known) === key(name)))
  ) {
    return;
  }
  throw new QueryError(
    `unknown method ${JSON.stringify(name.slice(0, 64))}: use one of ` +
      `${[...METHODS.map((method) => method.aliases[0] ?? method.name), WORDS].join(', ')}`,
  );
}

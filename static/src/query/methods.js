// The names that a search accepts: of methods, any name or alias of METHODS, WORDS, and AUTO, which query.js turns into
// null before these checks; of scores, SCORES and MAXSIM.

import { MAXSIM, METHODS, SCORES, WORDS } from '../constants.js';
import { QueryError } from '../errors.js';

/**
 * The method of this name or alias, with the rules of perspective.Lookup.
 * @param {string} name
 */
export function lookup(name) {
  const key = (/** @type {string} */ text) => text.toLowerCase().replaceAll('_', '-');
  return METHODS.find((method) => [method.name, ...method.aliases].some((known) => key(known) === key(name)));
}

/**
 * Throws unless a search accepts this name of a method; the rules are those of internal/search/methods.go.
 * @param {string} name
 */
export function checkMethod(name) {
  if (name === WORDS || lookup(name)) return;
  throw new QueryError(
    `unknown method ${JSON.stringify(name.slice(0, 64))}: use one of ` +
      `${[...METHODS.map((method) => method.aliases[0] ?? method.name), WORDS].join(', ')}`,
  );
}

/**
 * Throws if the method needs angles and the collection has none.
 * @param {string} name
 * @param {{angles: number}} info
 */
export function checkAngles(name, { angles }) {
  const method = lookup(name);
  if (!method?.angles || angles > 0) return;
  throw new QueryError(
    `method ${method.aliases[0] ?? method.name} needs the angles of passages, and the collection has none: ` +
      'use another method, or index it with an encoder that tells sides apart',
  );
}

/**
 * Throws if the collection has no angles by which sides are told.
 * @param {{angles: number}} info
 */
export function checkSides({ angles }) {
  if (angles > 0) return;
  throw new QueryError(
    'sides are told by the angles of passages, and the collection has none: ' +
      'index it with an encoder that tells sides apart',
  );
}

/**
 * How vectors are compared, by its name; the rules are those of perspective.ParseScore.
 * @param {string} score
 * @param {readonly string[]} [names] those that are accepted
 * @returns {import('../../lib/index.d.ts').Score}
 */
export function checkScore(score, names = [...SCORES, MAXSIM]) {
  const name = String(score).toLowerCase();
  const found = names.find((known) => known === name);
  if (found) return /** @type {import('../../lib/index.d.ts').Score} */ (found);
  const shown = JSON.stringify(name.slice(0, 64));
  throw new QueryError(`score ${shown} is not one of ${names.join(', ')}: use one of these`);
}

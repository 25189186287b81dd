// The state of the page as the fragment of an address, and back. A fragment may
// come from anybody: invalid parts are ignored and reported.

import { METHODS } from '../../lib/index.js';
import { AUTO } from './methods.js';

/**
 * @import { CollectionInfo } from '../../lib/index.js'
 * @import { State } from './form.js'
 */

/** Limits of a link, in UTF-16 units of its texts and in entries. */
const MAX_LINK = 32768;
const MAX_PERSPECTIVES = 64;

const RESULTS = [5, 10, 20, 50];

/** The entries of the menu, which lacks the plain cosine because the page always shows it. */
const names = new Set(
  [AUTO, ...METHODS].filter(({ name }) => name !== 'query_cosine').flatMap(({ name, aliases }) => [name, ...aliases]),
);

/**
 * A readable text that identifies a collection.
 * @param {Pick<CollectionInfo, 'name'|'documents'|'model'>} info
 */
export function identity({ name, documents, model }) {
  return `${name || 'unnamed'} (${documents}, ${model.id}${model.revision ? `@${model.revision}` : ''})`;
}

/**
 * @param {State} state of the form
 * @param {string} collection identity of it
 */
export function toFragment(state, collection) {
  const { query, edited, root, perspectives, method, lambda, strength, mmr, k, score, side, other } = state;
  const out = new URLSearchParams({ q: query });
  if (edited) {
    out.set('root', root);
    for (const perspective of perspectives) out.append('p', perspective);
  }
  out.set('method', method);
  out.set('lambda', String(lambda));
  if (strength !== null) out.set('strength', String(strength));
  if (mmr !== null) out.set('mmr', String(mmr));
  out.set('k', String(k));
  if (score !== null) out.set('score', score);
  if (side) out.set('side', side);
  if (other !== null) out.set('other', String(other));
  out.set('in', collection);
  return out.toString();
}

/**
 * @param {string} fragment without its #
 * @param {boolean} [own] whether this page has kept it, however long it is
 * @returns {{state: Partial<State>, collection: string|null, problems: string[]}|null} null: it has no
 *   state
 */
export function fromFragment(fragment, own = false) {
  const given = new URLSearchParams(fragment);
  if (!given.has('q')) return null; // an anchor, such as #results
  if (!own && [...given.values()].join('').length > MAX_LINK) {
    return { state: {}, collection: null, problems: [`it is longer than ${MAX_LINK} characters`] };
  }
  /** @type {string[]} */
  const problems = [];
  /** @type {Partial<State>} */
  const state = { query: given.get('q') ?? '' };
  /**
   * @param {string} name
   * @param {boolean} found
   * @param {string} wanted
   */
  const take = (name, found, wanted) => {
    if (found) return true;
    problems.push(`${name}: ${wanted}`);
    return false;
  };
  /**
   * @param {string} name
   * @param {number} low
   * @param {number} high
   */
  const number = (name, low, high) => {
    const value = given.get(name);
    if (value === null) return null;
    const found = /^-?\d{1,3}(\.\d{1,6})?$/.test(value) && Number(value) >= low && Number(value) <= high;
    return take(name, found, `a number from ${low} to ${high} is expected`) ? Number(value) : undefined;
  };
  const root = given.get('root');
  if (root !== null) {
    const perspectives = given.getAll('p');
    if (take('p', own || perspectives.length <= MAX_PERSPECTIVES, `at most ${MAX_PERSPECTIVES} are expected`)) {
      Object.assign(state, { edited: true, root, perspectives });
    }
  }
  const method = given.get('method');
  if (method !== null && take('method', names.has(method), 'the name of a method is expected')) state.method = method;
  const lambda = number('lambda', -1, 2);
  if (lambda !== null && lambda !== undefined) state.lambda = lambda;
  const strength = number('strength', -1, 2);
  if (strength !== undefined) state.strength = strength;
  const mmr = number('mmr', 0, 1);
  if (mmr !== undefined) state.mmr = mmr;
  const k = number('k', 1, 50);
  if (k !== null && k !== undefined && take('k', RESULTS.includes(k), `one of ${RESULTS.join(', ')} is expected`)) {
    state.k = k;
  }
  const score = given.get('score');
  if (score !== null && take('score', score === 'cosine' || score === 'dot', 'cosine or dot is expected')) {
    state.score = /** @type {'cosine'|'dot'} */ (score);
  }
  const side = given.get('side');
  if (side !== null && take('side', side === 'for' || side === 'against', 'for or against is expected')) {
    state.side = /** @type {'for'|'against'} */ (side);
  }
  const other = given.get('other');
  if (other !== null && take('other', /^\d{1,9}$/.test(other), 'the number of a passage is expected')) {
    state.other = Number(other);
  }
  return { state, collection: given.get('in'), problems };
}

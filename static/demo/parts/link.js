// The state of the page as the fragment of an address, and back. A fragment
// comes from anywhere: what does not hold is left out, and said.

import { METHODS } from '../../lib/index.js';

/** Limits of what a link may bring, in UTF-16 units and entries. */
const MAX_LINK = 32768;
const MAX_TEXT = 4000;
const MAX_PERSPECTIVES = 64;

const RESULTS = [5, 10, 20, 50];

/** Methods of the menu: the plain cosine is on the page anyway. */
const names = new Set(
  METHODS.filter(({ name }) => name !== 'query_cosine').flatMap(({ name, aliases }) => [name, ...aliases]),
);

/** What tells a collection from another one, for people to read. */
export function identity({ name, documents, model }) {
  return `${name || 'unnamed'} (${documents}, ${model.id}${model.revision ? `@${model.revision}` : ''})`;
}

/**
 * @param {object} state of the form
 * @param {string} collection identity of it
 */
export function toFragment({ query, edited, root, perspectives, method, lambda, mmr, k }, collection) {
  const out = new URLSearchParams({ q: query });
  if (edited) {
    out.set('root', root);
    for (const perspective of perspectives) out.append('p', perspective);
  }
  out.set('method', method);
  out.set('lambda', String(lambda));
  if (mmr !== null) out.set('mmr', String(mmr));
  out.set('k', String(k));
  out.set('in', collection);
  return out.toString();
}

/**
 * @param {string} fragment without its #
 * @returns {{state: object, collection: string|null, problems: string[]}|null} null: says nothing
 */
export function fromFragment(fragment) {
  if (fragment === '') return null;
  const problems = [];
  if (fragment.length > MAX_LINK) {
    return {
      state: {},
      collection: null,
      problems: [`it is longer than ${MAX_LINK} characters: copy it anew from the page that it is of`],
    };
  }
  const given = new URLSearchParams(fragment);
  if (!given.has('q')) return null; // an anchor, such as #results
  const state = {};
  const take = (name, found, wanted) => {
    if (found) return true;
    problems.push(`${name}: ${wanted}`);
    return false;
  };
  const text = (name, value) =>
    take(name, value.length <= MAX_TEXT, `a text of at most ${MAX_TEXT} characters is wanted`);
  const number = (name, low, high) => {
    const value = given.get(name);
    if (value === null) return null;
    const found = /^-?\d{1,3}(\.\d{1,6})?$/.test(value) && Number(value) >= low && Number(value) <= high;
    return take(name, found, `a number from ${low} to ${high} is wanted`) ? Number(value) : undefined;
  };
  if (text('q', given.get('q'))) state.query = given.get('q');
  if (given.has('root')) {
    const perspectives = given.getAll('p');
    if (
      text('root', given.get('root')) &&
      take('p', perspectives.length <= MAX_PERSPECTIVES, `at most ${MAX_PERSPECTIVES} perspectives are wanted`) &&
      perspectives.every((p) => text('p', p))
    ) {
      Object.assign(state, { edited: true, root: given.get('root'), perspectives });
    }
  }
  const method = given.get('method');
  if (method !== null && take('method', names.has(method), 'the name of a method is wanted')) state.method = method;
  const lambda = number('lambda', -1, 2);
  if (lambda !== null && lambda !== undefined) state.lambda = lambda;
  const mmr = number('mmr', 0, 1);
  if (mmr !== undefined) state.mmr = mmr;
  const k = number('k', 1, 50);
  if (k !== null && k !== undefined && take('k', RESULTS.includes(k), `one of ${RESULTS.join(', ')} is wanted`)) {
    state.k = k;
  }
  const collection = given.get('in');
  return { state, collection: collection !== null && text('in', collection) ? collection : null, problems };
}

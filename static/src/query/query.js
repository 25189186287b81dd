// From a query as people write it to the vectors that are ranked by. The rules
// are those of the command and of the headless host, so that all three give
// the same answer.

import { QueryError } from '../errors.js';
import { checkHybrid } from './hybrid.js';
import { WORDS } from './methods.js';
import { isText, isVector } from './values.js';

const DEFAULT_K = 10;
const DEFAULT_LAMBDA = 1;

/**
 * Checks a query and fills its defaults; splits the query text into root and
 * perspective where neither is given.
 * @param {object} query see SearchQuery in index.d.ts
 * @param {(text: string) => Promise<{root: string, perspective: string}|null>} split
 */
export async function normalize(query, split) {
  if (typeof query !== 'object' || query === null) {
    throw new QueryError('search takes an object: search({query: "..."})');
  }
  let { query: text, root, perspectives, method, lambda, k, mmr, explain, cosineRank, hybrid } = query;
  if (!isText(text) && !isVector(text)) throw new QueryError('query: a text or a vector is needed');
  root = absent(root) ? null : checked('root', root);
  perspectives = (
    absent(perspectives)
      ? []
      : isText(perspectives) || isVector(perspectives)
        ? [perspectives]
        : Array.from(perspectives)
  )
    .filter((p) => !absent(p))
    .map((p) => checked('perspectives', p));
  if (method !== undefined && method !== null && typeof method !== 'string') {
    throw new QueryError('method: the name of a method is needed');
  }
  if (method?.toLowerCase() === WORDS) method = WORDS; // the others are looked up whatever their case
  const plain = root === null && perspectives.length === 0 && absent(method) && absent(mmr) && absent(hybrid);
  if (root === null && perspectives.length === 0 && isText(text) && method !== WORDS) {
    const found = await split(text);
    if (found) {
      root = found.root;
      perspectives = [found.perspective];
    }
  }
  lambda = number('lambda', lambda ?? DEFAULT_LAMBDA, -Infinity, Infinity);
  k = number('k', k ?? DEFAULT_K, 1, 2 ** 31 - 1);
  if (!Number.isInteger(k)) throw new QueryError(`k: ${k} is not a whole number`);
  mmr = mmr === undefined || mmr === null ? null : number('mmr', mmr, 0, 1);
  explain ??= true;
  if (typeof explain !== 'boolean') {
    throw new QueryError(`explain: ${JSON.stringify(explain)} is neither true nor false`);
  }
  cosineRank ??= false;
  if (typeof cosineRank !== 'boolean') {
    throw new QueryError(`cosineRank: ${JSON.stringify(cosineRank)} is neither true nor false`);
  }
  if (cosineRank && !explain) {
    throw new QueryError('cosineRank: it is a part of the explanation: leave it or `explain: false` out');
  }
  hybrid = checkHybrid(hybrid, { text, method, mmr });
  return { text, root, perspectives, method: method || null, lambda, k, mmr, explain, cosineRank, hybrid, plain };
}

/**
 * Encodes what are texts and completes the perspective: a root without one
 * gets the difference of query and root.
 * @param {Awaited<ReturnType<typeof normalize>>} query
 * @param {import('../collection/encoding.js').TextEncoding} encode
 * @param {number} dim of the collection
 * @returns what Rows.search ranks by, and what became of each text
 */
export async function toVectors({ text, root, perspectives, method }, encode, dim) {
  const vectorsOf = async (role, values) => {
    const words = values.filter(isText);
    const encoded = words.length > 0 ? await encode(words, role) : [];
    return values.map((value) =>
      isText(value) ? { role, text: value, ...encoded.shift() } : { vector: vector(role, value, dim) },
    );
  };
  // At once: an encoder that is far away is waited for only once.
  const parts = await Promise.all([
    vectorsOf('query', [text]),
    vectorsOf('root', root === null ? [] : [root]),
    vectorsOf('perspective', perspectives),
  ]);
  let [[q], [r = null], p] = parts.map((part) => part.map((one) => one.vector));
  const texts = parts
    .flat()
    .filter(({ role }) => role)
    .map(({ vector, ...info }) => info);
  if (r && p.length === 0) p = [q.map((value, i) => value - r[i])]; // stored as float32, as in Go
  return { query: q, root: r, perspectives: p, method: method ?? (p.length > 0 ? 'pap+' : 'none'), texts };
}

/**
 * A vector that a page gave, as the engine takes it.
 * @param {string} role for messages
 * @param {ArrayLike<number>} value
 * @param {number} dim
 */
export function vector(role, value, dim) {
  if (value.length !== dim) {
    throw new QueryError(`${role}: a vector of ${value.length} numbers, the collection's have ${dim}`);
  }
  return Float32Array.from(value);
}

function absent(value) {
  return value === undefined || value === null || value === '';
}

function checked(name, value) {
  if (!isText(value) && !isVector(value)) throw new QueryError(`${name}: texts or vectors are needed`);
  return value;
}

function number(name, value, low, high) {
  if (typeof value !== 'number' || !(value >= low && value <= high) || !Number.isFinite(value)) {
    throw new QueryError(
      `${name}: ${JSON.stringify(value)} is not a number${low > -Infinity ? ` from ${low} to ${high}` : ''}`,
    );
  }
  return value;
}

// Turns a SearchQuery into the vectors to rank by. The rules are those of the
// command and of the headless host, so that all three give the same answer.

import { AUTO, DEFAULT_K, MAX_LAMBDA, MAX_RESCORE, MAX_STRENGTH, WORDS } from '../constants.js';
import { QueryError } from '../errors.js';
import { checkHybrid } from './hybrid.js';
import { checkMethod, checkScore, lookup } from './methods.js';
import { isText, isTextOrVector, isVector, number, shown, textOf, vectorOf } from './values.js';

/**
 * @import { Encoded, TextEncoding } from '../collection/encoding.js'
 * @import { EncodedText, Fusion, Kind, Reading, Score, SearchQuery, TextOrVector } from '../../lib/index.d.ts'
 */

/**
 * A checked SearchQuery, with its defaults.
 * @typedef {object} Query
 * @property {TextOrVector} text
 * @property {TextOrVector|null} root
 * @property {TextOrVector[]} perspectives
 * @property {Reading|null} reading what root and perspectives come from, if the query does not give them
 * @property {string|null} method null: auto chooses; contrast if two opposites are named
 * @property {Score|null} score null: as the collection says
 * @property {number|null} lambda
 * @property {number|null} strength of the angles
 * @property {TextOrVector[]|null} opposites the wanted one, and the other
 * @property {number} k
 * @property {number|null} mmr
 * @property {number} rescore number of documents that are encoded again
 * @property {boolean} explain
 * @property {boolean} cosineRank
 * @property {{fusion: Fusion, weight: number}|null} hybrid
 * @property {boolean} vectorsAlone hybrid is explicitly off
 * @property {'for'|'against'|null} side of the root that hits are on
 * @property {boolean} plain whether it has no vector, and names no root, perspectives, method, opposites, mmr or
 *   hybrid
 */

/**
 * A query whose method is known. kind is that of the perspectives, if auto chose by it.
 * @typedef {Omit<Query, 'method'|'lambda'> & {method: string, kind: Kind|'', lambda: number}} Chosen
 */

/**
 * The vectors to rank by, and details of each encoded text.
 * @typedef {object} Vectors
 * @property {Float32Array} query
 * @property {Float32Array|null} root
 * @property {Float32Array[]} perspectives
 * @property {EncodedText[]} texts
 */

/** The method that compares two opposites. */
const CONTRAST = 'contrast';

/**
 * Checks a query and fills its defaults; splits the query text into root and
 * perspective if neither is given.
 * @param {SearchQuery|null} query
 * @param {(text: string) => Promise<Reading|null>} split
 * @param {string} usage what to do if there is no query, for messages
 */
export async function normalize(query, split, usage = 'search takes an object: search({query: "..."})') {
  if (typeof query !== 'object' || query === null) throw new QueryError(usage);
  const { query: text, method: given } = query;
  if (!isTextOrVector(text)) throw new QueryError('query: a text or a vector is needed');
  let root = absent(query.root) ? null : checked('root', query.root);
  let perspectives = listed(query.perspectives)
    .filter((p) => !absent(p))
    .map((p) => checked('perspectives', p));
  if (given !== undefined && given !== null && typeof given !== 'string') {
    throw new QueryError('method: the name of a method is needed');
  }
  const name = given?.toLowerCase();
  // Other names are looked up later, in upper or lower case.
  const method = name === WORDS ? WORDS : name === AUTO ? null : given || null;
  const plain =
    vectorOf(text) === null &&
    root === null &&
    perspectives.length === 0 &&
    absent(method) &&
    absent(query.opposites) &&
    absent(query.mmr) &&
    absent(query.hybrid);
  let reading = null;
  if (root === null && perspectives.length === 0 && vectorOf(text) === null && method !== WORDS) {
    reading = await split(textOf(text));
    if (reading) {
      root = reading.root;
      perspectives = [reading.perspective];
    }
  }
  const score = absent(query.score) ? null : checkScore(query.score);
  const lambda = absent(query.lambda) ? null : number('lambda', query.lambda, -MAX_LAMBDA, MAX_LAMBDA);
  const strength = absent(query.strength) ? null : number('strength', query.strength, -MAX_STRENGTH, MAX_STRENGTH);
  const opposites = absent(query.opposites) ? null : pair(query.opposites);
  if (opposites) {
    if (method) checkMethod(method);
    if (method ? lookup(method)?.name !== CONTRAST : lambda !== null) {
      throw new QueryError(
        'opposites are compared by the method contrast, without lambda: leave out the opposites, or method and lambda',
      );
    }
  }
  const k = whole('k', query.k ?? DEFAULT_K, 1, 2 ** 31 - 1);
  const rescore = whole('rescore', query.rescore ?? 0, 0, MAX_RESCORE);
  const mmr = query.mmr === undefined || query.mmr === null ? null : number('mmr', query.mmr, 0, 1);
  const explain = query.explain ?? true;
  if (typeof explain !== 'boolean') {
    throw new QueryError(`explain: ${shown(explain)} is neither true nor false`);
  }
  const cosineRank = query.cosineRank ?? false;
  if (typeof cosineRank !== 'boolean') {
    throw new QueryError(`cosineRank: ${shown(cosineRank)} is neither true nor false`);
  }
  if (cosineRank && !explain) {
    throw new QueryError('cosineRank: it is a part of the explanation: leave it or `explain: false` out');
  }
  const side = absent(query.side) ? null : checkSide(query.side, { root, method });
  const hybrid = checkHybrid(query.hybrid, { text, method, mmr });
  const vectorsAlone = query.hybrid === false;
  return {
    text,
    root,
    perspectives,
    reading,
    method: method ?? (opposites && CONTRAST),
    score,
    lambda,
    strength,
    opposites,
    k,
    mmr,
    rescore,
    explain,
    cosineRank,
    hybrid,
    vectorsAlone,
    side,
    plain,
  };
}

/**
 * @param {string} name
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
function whole(name, value, low, high) {
  if (Number.isInteger(number(name, value, low, high))) return value;
  throw new QueryError(`${name}: ${value} is not a whole number`);
}

/**
 * @param {SearchQuery['perspectives']} perspectives
 * @returns {TextOrVector[]}
 */
function listed(perspectives) {
  if (absent(perspectives)) return [];
  if (isTextOrVector(perspectives)) return [perspectives];
  if (typeof perspectives[Symbol.iterator] !== 'function') {
    throw new QueryError('perspectives: texts or vectors are needed');
  }
  return Array.from(perspectives);
}

/**
 * @param {string} side
 * @param {{root: TextOrVector|null, method: string|null}} query
 * @returns {'for'|'against'}
 */
function checkSide(side, { root, method }) {
  if (side !== 'for' && side !== 'against') {
    throw new QueryError(`side: ${shown(side)} is not a side: use "for" or "against"`);
  }
  if (method === WORDS) throw new QueryError('bm25: words cannot tell sides apart: leave side or the method out');
  if (root === null || !textOf(root).trim()) {
    throw new QueryError('side: whose side? The query has no text of its root: give the root as a text');
  }
  return side;
}

/** @param {NonNullable<SearchQuery['opposites']>} opposites */
function pair(opposites) {
  if (!Array.isArray(opposites) || opposites.length !== 2 || !opposites.every(isTextOrVector)) {
    throw new QueryError('opposites: a list of two texts or vectors is needed');
  }
  return Array.from(opposites);
}

/**
 * Encodes the texts and completes the perspective: for a root without one, it
 * is the difference of query and root.
 * @param {Pick<Query, 'text'|'root'|'perspectives'>} query
 * @param {TextEncoding} encode
 * @param {number} dim of the collection
 * @returns {Promise<Vectors>}
 */
export async function toVectors({ text, root, perspectives }, encode, dim) {
  /**
   * @param {EncodedText['role']} role
   * @param {TextOrVector[]} values
   */
  const vectorsOf = async (role, values) => {
    const words = values.filter(isText);
    const encoded = words.length > 0 ? await encode(words, role) : [];
    return values.map((value) => {
      if (!isText(value)) return { vector: vector(role, isVector(value) ? value : value.vector, dim), told: [] };
      const { vector: own, ...told } = /** @type {Encoded} */ (encoded.shift());
      return { vector: own, told: [{ role, text: value, ...told }] };
    });
  };
  // All roles at the same time, so that a remote encoder costs only one round trip.
  const parts = await Promise.all([
    vectorsOf('query', [text]),
    vectorsOf('root', root === null ? [] : [root]),
    vectorsOf('perspective', perspectives),
  ]);
  const [[q], [r = null], given] = parts.map((part) => part.map((one) => one.vector));
  const difference = r && given.length === 0 ? [q.map((value, i) => value - r[i])] : []; // float32, as in Go
  const p = [...given, ...difference];
  return {
    query: q,
    root: r,
    perspectives: p,
    texts: parts.flat().flatMap(({ told }) => told),
  };
}

/**
 * A vector from the page in the form for the engine.
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

/**
 * @param {unknown} value
 * @returns {value is undefined|null|''}
 */
export function absent(value) {
  return value === undefined || value === null || value === '';
}

/**
 * @param {string} name
 * @param {TextOrVector} value
 */
function checked(name, value) {
  if (!isTextOrVector(value)) throw new QueryError(`${name}: texts or vectors are needed`);
  return value;
}

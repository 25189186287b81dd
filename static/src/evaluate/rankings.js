// Ranks one list of vectors for many queries by several methods, for
// evaluations. An engine runs this for `rankings`.

import * as abi from '../engine/abi.js';
import { LimitError, QueryError } from '../errors.js';
import { MAX_LAMBDA, METHODS, SCORES } from '../constants.js';
import { writeRequest } from '../engine/request.js';
import { Rows } from '../engine/rows.js';
import { checkScore } from '../query/methods.js';
import { turn } from '../turn.js';
import { isVector, number } from '../query/values.js';

/**
 * @import { Core } from '../engine/core.js'
 * @typedef {{rows: Float32Array[], count: number, dim: number}} List of vectors
 */

/** Most numbers in each list of vectors: a gigabyte of float32. */
const MAX_NUMBERS = 2 ** 28;

/** Most hits of one call. */
const MAX_HITS = 1e7;

/** Pairs of query and vector that are scored at a time. */
const PIECE = 1 << 20;

/**
 * @param {Core} core
 * @param {import('../../lib/evaluate/evaluation.d.ts').Questions} input
 * @param {AbortSignal} [signal]
 * @returns {Promise<{[method: string]: number[][]}>}
 */
export async function rankings(core, input, signal) {
  const { methods, k = 10, lambda = 1 } = input ?? {};
  const score = checkScore(input?.score ?? 'cosine', SCORES); // maxsim compares the vectors of tokens
  const vectors = list('vectors', input?.vectors);
  const queries = list('queries', input.queries, undefined, vectors.dim);
  const { count } = queries;
  const roots = (input.roots ?? null) !== null ? list('roots', input.roots, count, vectors.dim) : null;
  const given =
    (input.perspectives ?? null) !== null ? list('perspectives', input.perspectives, count, vectors.dim) : null;
  if (!Number.isInteger(k) || k < 1 || k >= 2 ** 31) {
    throw new QueryError('rankings: k must be a whole number from 1 on');
  }
  number('rankings: lambda', lambda, -MAX_LAMBDA, MAX_LAMBDA);
  if (!Array.isArray(methods) || methods.length === 0) {
    throw new QueryError('rankings: name the methods, such as ["none", "pap+"]');
  }
  for (const method of methods) checkNeeds(method, roots, given);
  const hits = methods.length * count * Math.min(k, vectors.count);
  if (hits > MAX_HITS) {
    throw new LimitError(
      `rankings: ${hits} hits of ${methods.length} methods and ${count} queries, at most ${MAX_HITS}: ask for fewer ` +
        `at a time`,
      { limit: MAX_HITS },
    );
  }
  const perspectives = given ?? (roots && difference(queries, roots));

  const rows = new Rows(core, vectors.dim, abi.ROWS_F32, 0);
  try {
    rows.add(0, vectors.rows);
    /** @type {[method: string, found: number[][]][]} */
    const out = methods.map((method) => [method, []]);
    const piece = Math.max(1, Math.floor(PIECE / vectors.count));
    for (const [method, found] of out) {
      for (let from = 0; from < count; from += piece) {
        await turn(signal);
        const slice = (/** @type {List} */ list) => list.rows.slice(from, from + piece);
        const some = rankSome(
          core,
          rows,
          { method, k, lambda, score },
          slice(queries),
          roots && slice(roots),
          perspectives && slice(perspectives),
        );
        for (const one of some) found.push(one); // too many for arguments of one call
      }
    }
    return Object.fromEntries(out);
  } finally {
    rows.close();
  }
}

/**
 * Rankings of several queries by one method. They share one request, whose addresses
 * change.
 * @param {Core} core
 * @param {Rows} rows
 * @param {{method: string, k: number, lambda: number, score: import('../../lib/index.d.ts').Score}} asked
 * @param {Float32Array[]} queries
 * @param {Float32Array[]|null} roots
 * @param {Float32Array[]|null} perspectives
 * @returns {number[][]}
 */
function rankSome(core, rows, { method, k, lambda, score }, queries, roots, perspectives) {
  return core.scoped((scope) => {
    const first = {
      method,
      query: queries[0],
      root: roots?.[0] ?? null,
      perspectives: perspectives ? [perspectives[0]] : [],
      lambda,
      score,
      k,
      mmr: null,
      explain: false,
      filters: [],
    };
    const request = writeRequest(core, scope, first);
    /** @type {[field: number, list: Float32Array[]|null][]} */
    const lists = [
      [abi.SearchRequest.query, queries],
      [abi.SearchRequest.root, roots],
      [abi.SearchRequest.perspectives, perspectives],
    ];
    const at = lists.flatMap(([field, list]) => (list ? [[field, scope.copy(joined(list, rows.dim))]] : []));
    const capacity = Math.min(k, rows.count);
    const hits = scope.reserve(capacity * abi.Hit.size);
    return queries.map((_, i) => {
      const view = core.view(request, abi.SearchRequest.size);
      for (const [field, pointer] of at) view.setUint32(field, pointer + 4 * rows.dim * i, true);
      /** @type {number} */
      let found;
      try {
        found = core.checked('index_search', rows.handle, request, hits, capacity);
      } catch (error) {
        if (!(error instanceof QueryError)) throw error;
        return []; // everything else was checked: with these vectors, the method has no defined scores
      }
      const answer = core.view(hits, found * abi.Hit.size);
      return Array.from({ length: found }, (_, rank) => answer.getUint32(rank * abi.Hit.size + abi.Hit.row, true));
    });
  });
}

/**
 * @param {string} name
 * @param {any} given any: it comes from the page and is checked here
 * @param {number} [n]
 * @param {number} [dim]
 * @returns {List}
 */
function list(name, given, n, dim) {
  if (!Array.isArray(given) || given.length === 0) throw new QueryError(`rankings: ${name} must be a list of vectors`);
  if (n !== undefined && given.length !== n) throw new QueryError(`rankings: ${given.length} ${name} for ${n} queries`);
  /** @type {number} */
  const width = dim ?? given[0]?.length;
  if (width * given.length > MAX_NUMBERS) {
    throw new LimitError(
      `rankings: ${given.length} ${name} of ${width} numbers, at most ${MAX_NUMBERS} numbers together`,
      { limit: MAX_NUMBERS },
    );
  }
  const rows = given.map((/** @type {unknown} */ vector, /** @type {number} */ i) => {
    if (!isVector(vector) || vector.length !== width || width === 0) {
      throw new QueryError(`rankings: ${name}[${i}] is not a vector of ${width} numbers`);
    }
    const row = vector instanceof Float32Array ? vector : Float32Array.from(vector);
    if (!row.every(Number.isFinite)) {
      throw new QueryError(`rankings: ${name}[${i}] has a component that is not a finite float32`);
    }
    return row;
  });
  return { rows, count: rows.length, dim: width };
}

/**
 * @param {string} name
 * @param {List|null} roots
 * @param {List|null} perspectives
 */
function checkNeeds(name, roots, perspectives) {
  const method = METHODS.find((one) => one.name === name || one.aliases.includes(name));
  if (!method) throw new QueryError(`rankings: unknown method ${JSON.stringify(name) ?? name}: use one of METHODS`);
  if (method.angles > 0) throw new QueryError(`rankings: ${name} needs angles, which rankings do not have`);
  if (method.needs.includes('root') && !roots) throw new QueryError(`rankings: ${name} needs roots`);
  if (method.needs.includes('perspective') && !perspectives && !roots) {
    throw new QueryError(`rankings: ${name} needs perspectives, or roots for the difference`);
  }
}

/**
 * Query minus root, stored as float32, as in a search.
 * @param {List} queries
 * @param {List} roots
 * @returns {List}
 */
function difference(queries, roots) {
  return { ...queries, rows: queries.rows.map((query, i) => query.map((value, j) => value - roots.rows[i][j])) };
}

/**
 * @param {Float32Array[]} list
 * @param {number} dim
 */
function joined(list, dim) {
  const out = new Float32Array(list.length * dim);
  list.forEach((vector, i) => out.set(vector, i * dim));
  return out;
}

// The vectors of a collection inside the engine: loading and ranking.

import * as abi from './abi.js';

/** Rows among which MMR chooses by default. */
const MMR_CANDIDATES = 100;

/**
 * @typedef {object} Ranking what to rank by
 * @property {string} method
 * @property {Float32Array} query
 * @property {Float32Array|null} root
 * @property {Float32Array[]} perspectives
 * @property {number} lambda
 * @property {number} k
 * @property {number|null} mmr
 * @property {{column: number, kind: number, set?: Uint32Array|Float64Array, low?: number, high?: number}[]} filters
 */

export class Rows {
  /**
   * @param {import('./core.js').Core} core
   * @param {number} dim
   * @param {number} rowType abi.ROWS_F32 or abi.ROWS_I8
   * @param {number} declared rows that the collection's shards hold together
   */
  constructor(core, dim, rowType, declared) {
    this.core = core;
    this.dim = dim;
    this.rowBytes = dim * (rowType === abi.ROWS_I8 ? 1 : 4);
    this.handle = core.checked('index_open', dim, rowType, declared);
  }

  /** Rows that an answer is drawn from. */
  get count() {
    return this.core.checked('index_rows', this.handle);
  }

  /** Adds a vector file whose first row has this number; returns its rows. */
  load(firstRow, file) {
    return this.core.scoped((scope) => {
      const pointer = scope.copy(file);
      const rows = this.core.checked('index_load', this.handle, firstRow, pointer, file.length);
      scope.disown(pointer); // the rows lie in it
      return rows;
    });
  }

  /**
   * Adds vectors beyond the declared rows; returns the first one's row, which
   * the others follow.
   * @param {Float32Array[]} vectors
   */
  add(vectors) {
    return this.core.scoped((scope) => {
      this.core.expect(vectors.length * this.rowBytes);
      const pointer = scope.reserve(4 * this.dim);
      let first = 0;
      let added = 0;
      try {
        for (const vector of vectors) {
          this.core.floats(pointer, this.dim).set(vector);
          const row = this.core.checked('index_add', this.handle, pointer);
          if (added++ === 0) first = row;
        }
      } catch (error) {
        // All or nothing, as far as answers go.
        if (!this.core.lost) for (let i = 0; i < added; i++) this.remove(first + i);
        throw error;
      }
      return first;
    });
  }

  /** Takes a row out of every later answer; whether it was there. */
  remove(row) {
    return this.core.checked('index_remove', this.handle, row) === 1;
  }

  /**
   * Sets values of a column to filter by.
   * @param {number} column
   * @param {number} firstRow the first value's
   * @param {Float64Array|Uint32Array} values numbers (NaN: missing) or codes (MISSING_CODE: missing)
   */
  setColumn(column, firstRow, values) {
    this.core.scoped((scope) => {
      const name = values instanceof Uint32Array ? 'index_codes' : 'index_numbers';
      this.core.checked(name, this.handle, column, firstRow, scope.copy(values), values.length);
    });
  }

  /**
   * @param {Ranking} ranking
   * @param {boolean} [explain] fill the explanation fields: costs a second scan
   * @returns {object[]} hits, best first, in the fields of abi.Hit
   */
  search(ranking, explain = true) {
    return this.core.scoped((scope) => {
      const capacity = Math.min(ranking.k, this.count);
      const request = writeRequest(this.core, scope, ranking, explain ? abi.FLAG_EXPLAIN : 0);
      const hits = scope.reserve(capacity * abi.Hit.size);
      const found = this.core.checked('index_search', this.handle, request, hits, capacity);
      return Array.from({ length: found }, (_, i) => readHit(this.core.view(hits + i * abi.Hit.size, abi.Hit.size)));
    });
  }

  close() {
    if (!this.core.lost) this.core.checked('index_close', this.handle);
  }
}

function writeRequest(core, scope, { method, query, root, perspectives, lambda, k, mmr, filters }, flags) {
  const [name, nameLength] = scope.text(method);
  const at = {
    query: scope.copy(query),
    root: root ? scope.copy(root) : 0,
    perspectives: perspectives.length ? scope.copy(join(perspectives)) : 0,
    filters: filters.length ? writeFilters(core, scope, filters) : 0,
  };
  const pointer = scope.reserve(abi.SearchRequest.size);
  const view = core.view(pointer, abi.SearchRequest.size);
  const field = abi.SearchRequest;
  view.setUint32(field.method, name, true);
  view.setUint32(field.methodLength, nameLength, true);
  view.setUint32(field.query, at.query, true);
  view.setUint32(field.root, at.root, true);
  view.setUint32(field.perspectives, at.perspectives, true);
  view.setUint32(field.perspectiveCount, perspectives.length, true);
  view.setUint32(field.k, k, true);
  view.setUint32(field.flags, flags, true);
  view.setUint32(field.mmrCandidates, Math.max(MMR_CANDIDATES, k), true);
  view.setUint32(field.filters, at.filters, true);
  view.setUint32(field.filterCount, filters.length, true);
  view.setFloat64(field.lambda, lambda, true);
  view.setFloat64(field.mmr, mmr ?? -1, true);
  return pointer;
}

function writeFilters(core, scope, filters) {
  const sets = filters.map(({ set }) => (set ? scope.copy(set) : 0));
  const pointer = scope.reserve(filters.length * abi.Filter.size);
  filters.forEach(({ column, kind, set, low = 0, high = 0 }, i) => {
    const view = core.view(pointer + i * abi.Filter.size, abi.Filter.size);
    view.setUint32(abi.Filter.column, column, true);
    view.setUint32(abi.Filter.kind, kind, true);
    view.setUint32(abi.Filter.set, sets[i], true);
    view.setUint32(abi.Filter.setLength, set?.length ?? 0, true);
    view.setFloat64(abi.Filter.low, low, true);
    view.setFloat64(abi.Filter.high, high, true);
  });
  return pointer;
}

function readHit(view) {
  const hit = { row: view.getUint32(abi.Hit.row, true), document: view.getUint32(abi.Hit.document, true) };
  for (const name of ['score', 'x', 'y', 'norm', 'numerator', 'denominator', 'cosine']) hit[name] = view.getFloat32(abi.Hit[name], true);
  hit.cosineRank = view.getUint32(abi.Hit.cosineRank, true);
  return hit;
}

function join(vectors) {
  const out = new Float32Array(vectors.length * vectors[0].length);
  vectors.forEach((vector, i) => out.set(vector, i * vector.length));
  return out;
}

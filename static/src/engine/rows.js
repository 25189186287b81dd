// The vectors of a collection inside the engine: loading and ranking.

import * as abi from './abi.js';
import { readHits, writeFilters, writeHits, writeRequest } from './request.js';
import { writeSide } from './sides.js';

/**
 * @import { Condition } from '../query/filter.js'
 * @import { Core } from './core.js'
 * @import { Hit, Ranking } from './request.js'
 * @import { Scope } from './scope.js'
 */

export class Rows {
  /**
   * @param {Core} core
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

  /**
   * Number of rows that can be searched.
   * @returns {number}
   */
  get count() {
    return this.core.checked('index_rows', this.handle);
  }

  /**
   * Adds a vector file whose first row has this number; returns the number of
   * its rows.
   * @param {number} firstRow
   * @param {Uint8Array} file
   * @returns {number}
   */
  load(firstRow, file) {
    return this.loadFile('index_load', firstRow, file);
  }

  /**
   * Adds a file of angles, the second vectors of rows, the first of which is that of this row.
   * @param {number} firstRow
   * @param {Uint8Array} file
   */
  loadAngles(firstRow, file) {
    this.loadFile('index_load_angles', firstRow, file);
  }

  /**
   * @param {'index_load'|'index_load_angles'} name
   * @param {number} firstRow
   * @param {Uint8Array} file
   * @returns {number} rows of the file
   */
  loadFile(name, firstRow, file) {
    return this.core.scoped((scope) => {
      const pointer = scope.copy(file);
      const rows = this.core.checked(name, this.handle, firstRow, pointer, file.length);
      scope.disown(pointer); // the engine keeps the rows in this buffer
      return rows;
    });
  }

  /**
   * Adds vectors beyond the declared rows, all or none.
   * @param {number} first row of the first vector; the others follow, after all existing rows
   * @param {Float32Array[]} vectors
   */
  add(first, vectors) {
    this.core.scoped((scope) => {
      this.core.expect(vectors.length * this.rowBytes);
      const pointer = scope.reserve(4 * this.dim);
      let added = 0;
      try {
        for (const vector of vectors) {
          this.core.floats(pointer, this.dim).set(vector);
          this.core.checked('index_add_at', this.handle, first + added, pointer);
          added++;
        }
      } catch (error) {
        // No answer contains some of the vectors but not all.
        if (!this.core.lost) for (let i = 0; i < added; i++) this.remove(first + i);
        throw error;
      }
    });
  }

  /**
   * Sets the angle of a row that was added.
   * @param {number} row
   * @param {Float32Array} angle
   */
  addAngle(row, angle) {
    this.core.scoped((scope) => {
      this.core.checked('index_add_angle', this.handle, row, scope.copy(angle), angle.length);
    });
  }

  /**
   * Excludes a row from every later answer; returns whether the row was there.
   * @param {number} row
   */
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
   * @returns {Hit[]} best first
   */
  search(ranking) {
    return this.core.scoped((scope) => {
      const request = this.request(scope, ranking);
      const capacity = Math.min(ranking.k, this.count);
      const hits = scope.reserve(capacity * abi.Hit.size);
      return readHits(this.core, hits, this.core.checked('index_search', this.handle, request, hits, capacity));
    });
  }

  /**
   * @param {Scope} scope
   * @param {Ranking} ranking
   */
  request(scope, ranking) {
    return writeRequest(this.core, scope, ranking, this.writeAllowed(scope, ranking));
  }

  /**
   * Address and length of a mask with a byte for each row, 1 if it may be a hit; address 0: all may.
   * @param {Scope} scope
   * @param {Pick<Ranking, 'filters'|'only'>} ranking
   * @returns {[number, number]}
   */
  writeAllowed(scope, { filters, only }) {
    const mask = this.writeMask(scope, filters);
    return only ? writeSide(this, scope, only, mask) : mask;
  }

  /**
   * Address and length of a mask with a byte for each row, 1 if it meets the filters; address 0: no filters.
   * @param {Scope} scope
   * @param {Condition[]} filters
   * @returns {[number, number]}
   */
  writeMask(scope, filters) {
    if (filters.length === 0) return [0, 0];
    const capacity = this.core.checked('index_mask', this.handle, 0, 0, 0, 0);
    const mask = scope.reserve(capacity);
    const first = writeFilters(this.core, scope, filters);
    return [mask, this.core.checked('index_mask', this.handle, first, filters.length, mask, capacity)];
  }

  /**
   * A byte for each row, 1 if it meets the filters, even if its vector has not arrived.
   * @param {Condition[]} filters at least one
   */
  mask(filters) {
    return this.core.scoped((scope) => this.core.bytes(...this.writeMask(scope, filters)).slice());
  }

  /**
   * A byte for each document, 1 if it has a row here that may be a hit.
   * @param {Pick<Ranking, 'filters'|'only'>} ranking
   */
  documents(ranking) {
    return this.core.scoped((scope) => {
      const mask = this.writeAllowed(scope, ranking);
      const capacity = this.core.checked('index_mask', this.handle, 0, 0, 0, 0);
      const out = scope.reserve(capacity);
      return this.core.bytes(out, this.core.checked('index_documents', this.handle, ...mask, out, capacity)).slice();
    });
  }

  /**
   * Explains hits of any ranking.
   * @param {Ranking} ranking
   * @param {Partial<Hit>[]} hits with row and document
   * @returns {Hit[]} the row of a hit that this engine lacks is MISSING_ROW
   */
  explain(ranking, hits) {
    return this.core.scoped((scope) => {
      const request = this.request(scope, ranking);
      const at = writeHits(this.core, scope, hits);
      return readHits(this.core, at, this.core.checked('index_explain', this.handle, request, at, hits.length));
    });
  }

  close() {
    if (!this.core.lost) this.core.checked('index_close', this.handle);
  }
}

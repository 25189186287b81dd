// The columns of a collection's metadata, by which answers are filtered.

import { FormatError } from '../errors.js';
import { passes } from '../query/filter.js';
import { readColumns } from './safetensors.js';

/**
 * @import { Condition } from '../query/filter.js'
 * @import { Manifest } from './manifest.js'
 */

export class Columns {
  /** @param {Pick<Manifest, 'columns'|'rows'>} manifest of the collection */
  constructor({ columns, rows }) {
    this.columns = columns;
    this.rows = rows;
    /** @type {(Uint32Array|Float64Array)[]} by column, where words are filtered */
    this.values = [];
  }

  /**
   * @param {Uint8Array} content of the columns' file
   * @param {(column: number, values: Uint32Array|Float64Array) => void} take
   * @param {boolean} keep the values for `passing`
   */
  load(content, take, keep) {
    if (!this.columns) return;
    const { file, fields } = this.columns;
    const tensors = readColumns(content, file.path);
    fields.forEach((field, i) => {
      const values = tensors.get(field.tensor);
      const Type = field.type === 'string' ? Uint32Array : Float64Array;
      if (!(values instanceof Type) || values.length !== this.rows) {
        throw new FormatError(
          `${file.path}: no tensor ${JSON.stringify(field.tensor)} of ${this.rows} values for field ` +
            `${JSON.stringify(field.name)}: index the corpus again`,
        );
      }
      take(i, values);
      if (keep) this.values[i] = values;
    });
  }

  /**
   * A byte for each document, of the collection and of count others: whether it may be a hit.
   * @param {{filters: Condition[], added: number[], count: number}} asked
   */
  passing({ filters, added, count }) {
    const keep = new Uint8Array(this.rows + count);
    for (let i = 0; i < this.rows; i++) keep[i] = passes(filters, (column) => this.values[column]?.[i]) ? 1 : 0;
    for (const i of added) keep[this.rows + i] = 1;
    return keep;
  }
}

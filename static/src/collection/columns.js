// The metadata columns of a collection, which filters use.

import { FormatError } from '../errors.js';
import { readColumns } from './safetensors.js';

/**
 * @import { Manifest } from './manifest.js'
 */

export class Columns {
  /** @param {Pick<Manifest, 'columns'|'rows'>} manifest of the collection */
  constructor({ columns, rows }) {
    this.columns = columns;
    this.rows = rows;
  }

  /**
   * @param {Uint8Array} content of the columns' file
   * @param {(column: number, values: Uint32Array|Float64Array) => void} take
   */
  load(content, take) {
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
    });
  }
}

// Metadata fields to filter by: those of the collection, and those that
// documents added at run time bring along. Mirrors internal/collection, where
// the columns of a collection come from.

import * as abi from '../engine/abi.js';
import { LimitError, QueryError } from '../errors.js';

const MAX_FIELDS = 256;
const MAX_VALUES = 65536;
const TYPES = { string: 'string', number: 'number', boolean: 'bool' };

export class Fields {
  /** @param {{name: string, type: string, values: string[]}[]} fields of the collection */
  constructor(fields) {
    this.list = fields.map((field) => ({ ...field, values: [...field.values] }));
  }

  /** Every column, without values. */
  get blank() {
    return this.list.map(({ type }, column) => ({
      column,
      values: type === 'string' ? new Uint32Array(0) : new Float64Array(0),
    }));
  }

  /**
   * The columns' values for documents that are added together. Fields and
   * values that are new are taken in once `commit` is called.
   * @param {{metadata: object, _id: string}[]} documents
   * @returns {{columns: {column: number, values: Float64Array|Uint32Array}[], commit: () => void}}
   */
  columns(documents) {
    const list = this.list.map((field) => ({
      ...field,
      codes: new Map(field.values.map((value, code) => [value, code])),
    }));
    const known = new Map(list.map((field, column) => [field.name, column]));
    /** @type {[number, number][][]} by column: place and value */
    const cells = list.map(() => []);
    documents.forEach(({ _id, metadata }, place) => {
      for (const [name, value] of Object.entries(metadata)) {
        const type = TYPES[typeof value];
        if (!type) continue; // nested or null: nothing to filter by
        let column = known.get(name);
        if (column === undefined) {
          if (list.length === MAX_FIELDS) {
            throw new LimitError(
              `add: ${JSON.stringify(_id)}: field ${JSON.stringify(name)} is one more than the ${MAX_FIELDS} that ` +
                `there can be`,
            );
          }
          column = list.push({ name, type, values: [], codes: new Map() }) - 1;
          known.set(name, column);
          cells.push([]);
        }
        cells[column].push([place, encode(list[column], value, type, _id)]);
      }
    });
    const columns = [];
    cells.forEach((pairs, column) => {
      if (pairs.length === 0) return;
      const values =
        list[column].type === 'string'
          ? new Uint32Array(documents.length).fill(abi.MISSING_CODE)
          : new Float64Array(documents.length).fill(NaN);
      for (const [place, value] of pairs) values[place] = value;
      columns.push({ column, values });
    });
    const commit = () => {
      this.list = list.map(({ name, type, codes }) => ({ name, type, values: [...codes.keys()] }));
    };
    return { columns, commit };
  }
}

// A string field takes numbers and truth values as JSON writes them.
function encode(field, value, type, id) {
  const { name, codes } = field;
  if (field.type !== 'string') {
    if (type !== field.type) {
      throw new QueryError(
        `add: ${JSON.stringify(id)}: field ${JSON.stringify(name)} holds ${field.type} values, ` +
          `${JSON.stringify(value)} is none: convert it, or leave the field out`,
      );
    }
    return Number(value);
  }
  const text = String(value);
  if (!codes.has(text)) {
    if (codes.size === MAX_VALUES) {
      throw new LimitError(
        `add: ${JSON.stringify(id)}: field ${JSON.stringify(name)} has ${MAX_VALUES} different values already`,
      );
    }
    codes.set(text, codes.size);
  }
  return codes.get(text);
}

// Metadata fields to filter by: those of the collection, and those of documents
// added at run time. The rules are the same as in internal/collection, which
// writes a collection's columns.

import { MAX_COLUMNS, MAX_DICTIONARY } from '../constants.js';
import * as abi from '../engine/abi.js';
import { LimitError, QueryError } from '../errors.js';

/**
 * @import { CollectionInfo, Document } from '../../lib/index.d.ts'
 * @import { Entry } from './local.js'
 * @typedef {{column: number, values: Float64Array|Uint32Array}} ColumnValues of a column, one for each row
 * @typedef {CollectionInfo['fields'][number]} Field
 */

/** @type {{[type: string]: Field['type']}} of a value by typeof */
const TYPES = { string: 'string', number: 'number', boolean: 'bool' };

export class Fields {
  /** @param {Field[]} fields of the collection */
  constructor(fields) {
    this.own = fields;
    this.list = fields.map((field) => ({ ...field, values: [...field.values] }));
  }

  /**
   * The fields without what only documents had that were removed. What the collection has from the start stays.
   * @param {Entry[]} entries that are added now
   */
  held(entries) {
    return this.list.flatMap((field, column) => {
      const own = this.own[column]?.values.length;
      const cells = entries.map(({ document }) => document.metadata[field.name]);
      const held = new Set(cells.filter((value) => TYPES[typeof value]).map(String));
      if (own === undefined && held.size === 0) return [];
      return { ...field, values: field.values.filter((value, code) => code < own || held.has(value)) };
    });
  }

  /** Every column, with no values. */
  get blank() {
    return this.list.map(({ type }, column) => ({
      column,
      values: type === 'string' ? new Uint32Array(0) : new Float64Array(0),
    }));
  }

  /**
   * The columns' values for documents that are added together. New fields and
   * values take effect when `commit` is called.
   * @param {Pick<Document, '_id'|'metadata'>[]} documents
   * @returns {{columns: ColumnValues[], commit: () => void}}
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
          if (list.length === MAX_COLUMNS) {
            throw new LimitError(
              `add: ${JSON.stringify(_id)}: field ${JSON.stringify(name)} is one more than the ${MAX_COLUMNS} that ` +
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
    const columns = cells.flatMap((pairs, column) => {
      if (pairs.length === 0) return [];
      const values =
        list[column].type === 'string'
          ? new Uint32Array(documents.length).fill(abi.MISSING_CODE)
          : new Float64Array(documents.length).fill(NaN);
      for (const [place, value] of pairs) values[place] = value;
      return { column, values };
    });
    const commit = () => {
      this.list = list.map(({ name, type, codes }) => ({ name, type, values: [...codes.keys()] }));
    };
    return { columns, commit };
  }
}

/**
 * A string field holds numbers and booleans as their JSON text.
 * @param {Pick<Field, 'name'|'type'> & {codes: Map<string, number>}} field
 * @param {unknown} value
 * @param {string} type
 * @param {string} id
 */
function encode({ name, type: own, codes }, value, type, id) {
  const where = () => `add: ${JSON.stringify(id)}: field ${JSON.stringify(name)}`;
  if (own !== 'string') {
    if (type === own) return Number(value);
    throw new QueryError(
      `${where()} holds ${own} values, and ${JSON.stringify(value)} is not one: convert it, or leave the field out`,
    );
  }
  const text = String(value);
  const code = codes.get(text) ?? codes.size;
  if (code === MAX_DICTIONARY) throw new LimitError(`${where()} has ${MAX_DICTIONARY} different values already`);
  codes.set(text, code);
  return code;
}

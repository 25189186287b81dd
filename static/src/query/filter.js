// Compiles a filter such as {year: {min: 2000}, stance: ['pro', 'con']} to the
// engine's conditions on numbered columns.

import * as abi from '../engine/abi.js';
import { QueryError } from '../errors.js';
import { shown } from './values.js';

/** The bounds of a range. */
const BOUNDS = ['min', 'max'];

/**
 * @import { CollectionInfo, FilterRange, SearchQuery } from '../../lib/index.d.ts'
 */

/**
 * A condition on a column: one of abi's FILTER_RANGE, FILTER_CODES and FILTER_EQUAL.
 * @typedef {object} Condition
 * @property {number} column
 * @property {number} kind
 * @property {Uint32Array|Float64Array} [set]
 * @property {number} [low]
 * @property {number} [high]
 */

/**
 * @param {SearchQuery['filter']} filter field: value, [values] or {min, max}; all must hold. An undefined bound is
 *   open, and an undefined condition is ignored
 * @param {CollectionInfo['fields']} fields of the collection
 * @returns {Condition[]}
 */
export function compileFilter(filter, fields) {
  const given = filter ?? {};
  if (typeof given !== 'object' || Symbol.iterator in given) {
    throw new QueryError('filter: an object with fields is needed, such as { year: { min: 2000 } }');
  }
  return Object.entries(given)
    .filter(([, condition]) => condition !== undefined)
    .map(([name, condition]) => {
      const column = fields.findIndex((field) => field.name === name);
      if (column < 0) {
        const known = fields.map((field) => field.name).join(', ');
        throw new QueryError(
          `filter: no field ${JSON.stringify(name)}; ` +
            `${known ? `there are: ${known}` : 'this collection has no fields to filter by'}`,
        );
      }
      const { type, values } = fields[column];
      if (typeof condition === 'object' && condition !== null && !Array.isArray(condition)) {
        return { column, ...range(name, type, /** @type {FilterRange} */ (condition)) };
      }
      const wanted = Array.isArray(condition) ? condition : [condition];
      if (wanted.length === 0) {
        throw new QueryError(
          `filter: the list for field ${JSON.stringify(name)} is empty: name a value, or leave the field out`,
        );
      }
      const expected = { bool: ['boolean'], number: ['number'], string: ['string', 'number', 'boolean'] }[type];
      for (const value of wanted) {
        if (!expected.includes(typeof value) || Number.isNaN(value)) {
          throw new QueryError(
            `filter: field ${JSON.stringify(name)} holds ${type} values, and ${shown(value)} is not one`,
          );
        }
      }
      if (type === 'string') {
        // A value that no document has contributes no code: it matches nothing.
        const codes = wanted.map((value) => values.indexOf(String(value))).filter((code) => code >= 0);
        return { column, kind: abi.FILTER_CODES, set: Uint32Array.from(codes) };
      }
      return { column, kind: abi.FILTER_EQUAL, set: Float64Array.from(wanted, Number) };
    });
}

/**
 * @param {string} name
 * @param {string} type
 * @param {FilterRange} bounds
 */
function range(name, type, bounds) {
  const field = JSON.stringify(name);
  if (type !== 'number') throw new QueryError(`filter: field ${field} holds ${type} values: a range needs numbers`);
  const other = Object.keys(bounds).find((key) => !BOUNDS.includes(key));
  if (other !== undefined) {
    throw new QueryError(
      `filter: the range of field ${field} has ${JSON.stringify(other)}: min and max are its bounds`,
    );
  }
  const { min, max } = bounds;
  if (min === undefined && max === undefined) {
    throw new QueryError(`filter: the range of field ${field} needs min, max or both`);
  }
  for (const bound of [min, max]) {
    if (bound !== undefined && (typeof bound !== 'number' || Number.isNaN(bound))) {
      throw new QueryError(
        `filter: ${shown(bound)} is not a bound for field ${field}: give a number, or leave it out for no bound`,
      );
    }
  }
  if (min === Infinity || max === -Infinity) {
    throw new QueryError(`filter: no number of field ${field} is beyond an infinite bound: leave it out for no bound`);
  }
  if (min !== undefined && max !== undefined && min > max) {
    throw new QueryError(`filter: min of field ${field}, ${min}, is above max, ${max}: exchange them`);
  }
  return { kind: abi.FILTER_RANGE, low: min ?? -Infinity, high: max ?? Infinity };
}

/**
 * Whether values meet all filters, as internal/wasm/index decides.
 * @param {Condition[]} filters of compileFilter
 * @param {(column: number) => number|undefined} value undefined: missing
 */
export function passes(filters, value) {
  return filters.every(({ column, kind, set, low, high }) => {
    const v = value(column);
    return v !== undefined && (kind === abi.FILTER_RANGE ? v >= Number(low) && v <= Number(high) : set?.includes(v));
  });
}

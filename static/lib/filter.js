// Turns a filter as people write it, {year: {min: 2000}, stance: ['pro', 'con']},
// into the engine's conditions on numbered columns.

import * as abi from './abi.js';
import { QueryError } from './errors.js';

/**
 * @param {object|null|undefined} filter field: value, [values] or {min, max}; all must hold
 * @param {{name: string, type: string, values: string[]}[]} fields of the manifest
 * @returns {{column: number, kind: number, set?: Uint32Array|Float64Array, low?: number, high?: number}[]}
 */
export function compileFilter(filter, fields) {
  return Object.entries(filter ?? {}).map(([name, condition]) => {
    const column = fields.findIndex((field) => field.name === name);
    if (column < 0) {
      const known = fields.map((field) => field.name).join(', ');
      throw new QueryError(`filter: no field ${JSON.stringify(name)}; ${known ? `there are: ${known}` : 'this collection has no fields to filter by'}`);
    }
    const { type, values } = fields[column];
    if (typeof condition === 'object' && condition !== null && !Array.isArray(condition)) return { column, ...range(name, type, condition) };
    const wanted = Array.isArray(condition) ? condition : [condition];
    if (type === 'string') {
      // A value that no document has contributes no code: it matches nothing.
      const codes = wanted.map((value) => values.indexOf(String(value))).filter((code) => code >= 0);
      return { column, kind: abi.FILTER_CODES, set: Uint32Array.from(codes) };
    }
    const expected = type === 'bool' ? 'boolean' : 'number';
    for (const value of wanted) {
      if (typeof value !== expected || Number.isNaN(value)) throw new QueryError(`filter: field ${JSON.stringify(name)} holds ${type} values, ${JSON.stringify(value)} is none`);
    }
    return { column, kind: abi.FILTER_EQUAL, set: Float64Array.from(wanted, Number) };
  });
}

function range(name, type, { min, max }) {
  if (type !== 'number') throw new QueryError(`filter: field ${JSON.stringify(name)} holds ${type} values: a range needs numbers`);
  if (min === undefined && max === undefined) throw new QueryError(`filter: the range of field ${JSON.stringify(name)} needs min, max or both`);
  for (const bound of [min, max]) {
    if (bound !== undefined && (typeof bound !== 'number' || Number.isNaN(bound))) throw new QueryError(`filter: ${JSON.stringify(bound)} is no bound for field ${JSON.stringify(name)}`);
  }
  return { kind: abi.FILTER_RANGE, low: min ?? -Infinity, high: max ?? Infinity };
}

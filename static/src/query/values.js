// Checks of values in queries and documents: texts, vectors, and numbers.

import { QueryError } from '../errors.js';

/**
 * @param {unknown} value
 * @returns {value is string}
 */
export function isText(value) {
  return typeof value === 'string';
}

/**
 * @param {unknown} value
 * @returns {value is Float32Array|readonly number[]}
 */
export function isVector(value) {
  return (
    (ArrayBuffer.isView(value) && !(value instanceof DataView)) ||
    (Array.isArray(value) && typeof value[0] === 'number')
  );
}

/**
 * @param {string} name
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
export function number(name, value, low, high) {
  if (typeof value !== 'number' || !(value >= low && value <= high) || !Number.isFinite(value)) {
    throw new QueryError(
      `${name}: ${JSON.stringify(value)} is not a number${low > -Infinity ? ` from ${low} to ${high}` : ''}`,
    );
  }
  return value;
}

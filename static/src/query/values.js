// Checks of values in queries and documents: texts, vectors, and numbers.

import { QueryError } from '../errors.js';

/** @import { TextOrVector } from '../../lib/index.d.ts' */

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
 * @param {unknown} value
 * @returns {value is import('../../lib/index.d.ts').KnownText}
 */
function isKnown(value) {
  const { text, vector } = Object(value);
  return isText(text) && isVector(vector);
}

/**
 * @param {unknown} value
 * @returns {value is TextOrVector}
 */
export function isTextOrVector(value) {
  return isText(value) || isVector(value) || isKnown(value);
}

/**
 * The text, '' if there is only a vector.
 * @param {TextOrVector} value
 */
export function textOf(value) {
  return isText(value) ? value : isVector(value) ? '' : value.text;
}

/**
 * The vector, null if there is only a text.
 * @param {TextOrVector} value
 */
export function vectorOf(value) {
  return isText(value) ? null : isVector(value) ? value : value.vector;
}

/**
 * A wrong value in a message. JSON has no NaN, no undefined and no big integers.
 * @param {unknown} value
 */
export const shown = (value) =>
  ['number', 'bigint', 'undefined'].includes(typeof value) ? String(value) : JSON.stringify(value);

/**
 * @param {string} name
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
export function number(name, value, low, high) {
  if (typeof value !== 'number' || !(value >= low && value <= high)) {
    throw new QueryError(`${name}: ${shown(value)} is not a number from ${low} to ${high}`);
  }
  return value;
}

// Checks of values in queries and documents: texts, and vectors of numbers.

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

// Bounds on the memory that files from outside may take. Half a megabyte of
// gzip can hold half a gigabyte, and a parsed value takes up to a hundred times
// the memory of its text. The Go code has the same bounds.

import { JSON_DEPTH, JSON_VALUES, UNPACK_FREE, UNPACK_RATIO } from '../constants.js';
import { LimitError } from '../errors.js';

/**
 * Most bytes that a file of this compressed length may unpack to.
 * @param {number} packed
 */
export const most = (packed) => Math.max(UNPACK_FREE, UNPACK_RATIO * packed);

/** The bound of a compressed file, for messages. */
export const expansion =
  `a file may unpack to ${UNPACK_FREE >> 20} MB, and beyond that to ${UNPACK_RATIO} times its compressed ` +
  `length: store it uncompressed`;

/**
 * Counts the values of a JSON text until a bound is exceeded. If a text is not JSON,
 * the count is right only up to the fault, and a parser gets no further either.
 * @param {string} text
 * @returns {{values: number, problem: string|null}} problem: the bound that is exceeded
 */
export function measure(text) {
  let values = 1;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x22) {
      // "
      i = endOfString(text, i);
    } else if (c === 0x2c) {
      // ,
      values++;
    } else if (c === 0x5b || c === 0x7b) {
      // [ {
      if (++depth > JSON_DEPTH) {
        return { values, problem: `objects and arrays are nested more than ${JSON_DEPTH} deep` };
      }
      if (!closes(text, i + 1)) values++;
    } else if (c === 0x5d || c === 0x7d) {
      // ] }
      depth--;
    }
    if (values > JSON_VALUES) return { values, problem: `more than ${JSON_VALUES} values` };
  }
  return { values, problem: null };
}

/**
 * The end of the string that begins at i.
 * @param {string} text
 * @param {number} i
 */
function endOfString(text, i) {
  for (let end = text.indexOf('"', i + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Whether the next character from i on, after white space, is a closing bracket.
 * @param {string} text
 * @param {number} i
 */
function closes(text, i) {
  for (; ; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x5d || c === 0x7d) return true;
    if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return false;
  }
}

/**
 * JSON.parse within the bounds.
 * @param {string} text
 * @param {string} name of the file, for messages
 * @param {string} [instead] what to do about a file beyond the bounds
 * @throws {LimitError|SyntaxError}
 */
export function parseJSON(text, name, instead = 'split the file') {
  const { problem } = measure(text);
  if (problem) throw new LimitError(`${name}: ${problem}: ${instead}`, { file: name });
  return JSON.parse(text);
}

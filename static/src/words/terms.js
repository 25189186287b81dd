// Divides texts into words as internal/wasm/lexical does, without the core. A test compares
// every character of the planes that have letters.

import { MAX_TERM_BYTES } from '../constants.js';
import { KINDS, LOWER } from './unicode.js';

/** What a character does, from internal/javascript/unicode.go. */
const BETWEEN = 0; // ends a word
const WHOLE_WORD = 2; // a word by itself; 1, which has no name here, is a part of a word
const DROPPED = 3; // as if it were not there
const DROPS_MARK = 4; // dropped, but marks before it and marks after it are sorted apart
const LEAST_CLASS = 6; // a mark that stays: twice its combining class, plus this, and 1 more if it is a whole word

/**
 * Runs of characters with one value.
 * @typedef {{first: number, last: number, step: number, value: number}} Run
 */

/** @type {Run[]|undefined} */
let kinds;
/** @type {Run[]|undefined} */
let lower;

/**
 * @param {string} packed
 * @returns {Run[]}
 */
function decode(packed) {
  const data = atob(packed);
  let at = 0;
  const unsigned = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = data.charCodeAt(at++);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const runs = [];
  for (let end = 0; at < data.length;) {
    const first = end + unsigned();
    const count = unsigned();
    const signed = unsigned();
    const step = 1 + (count & 1);
    const last = first + step * (count >> 1);
    runs.push({ first, last, step, value: (signed >> 1) ^ -(signed & 1) });
    end = last + 1;
  }
  return runs;
}

/**
 * The value of a character; 0 outside all runs.
 * @param {Run[]} runs ascending
 * @param {number} point
 */
function lookup(runs, point) {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (runs[middle].last < point) low = middle + 1;
    else high = middle;
  }
  if (low === runs.length) return 0;
  const { first, step, value } = runs[low];
  return point < first || (point - first) % step !== 0 ? 0 : value;
}

/** Bytes of a character in UTF-8. */
const bytesOf = (/** @type {number} */ point) => (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4);

/**
 * The distinct words of a text, in the order in which they first occur, and how often each occurs.
 * @param {string} text
 * @returns {Map<string, number>}
 */
export function countTerms(text) {
  const kindOf = lookup.bind(null, (kinds ??= decode(KINDS)));
  const lowerOf = lookup.bind(null, (lower ??= decode(LOWER)));
  /** @type {Map<string, number>} */
  const counts = new Map();
  let word = '';
  let bytes = 0;
  const finish = () => {
    if (word) counts.set(word, (counts.get(word) ?? 0) + 1);
    word = '';
    bytes = 0;
  };
  const append = (/** @type {number} */ point) => {
    const small = point + lowerOf(point);
    if (bytes + bytesOf(small) > MAX_TERM_BYTES) finish();
    word += String.fromCodePoint(small);
    bytes += bytesOf(small);
  };
  /** @type {{point: number, kind: number}[]} marks since the last other character, in canonical order once they end */
  let marks = [];
  const place = (/** @type {number} */ point, /** @type {boolean} */ whole) => {
    if (whole) finish();
    append(point);
    if (whole) finish();
  };
  const flush = () => {
    if (marks.length === 0) return;
    marks.sort((a, b) => (a.kind >> 1) - (b.kind >> 1)); // stable
    for (const { point, kind } of marks) place(point, kind % 2 === 1);
    marks = [];
  };
  const take = (/** @type {number} */ point) => {
    const kind = kindOf(point);
    if (kind === DROPPED) return;
    if (kind >= LEAST_CLASS) return void marks.push({ point, kind });
    flush();
    if (kind === DROPS_MARK) return;
    if (kind === BETWEEN) finish();
    else place(point, kind === WHOLE_WORD);
  };
  for (const character of text) {
    const point = Number(character.codePointAt(0));
    const kind = kindOf(point);
    if (point < 0x80 || kind === BETWEEN || kind === DROPPED) {
      take(point);
      continue;
    }
    // Characters of Unicode 13 and before never change their decompositions, and those that versions 14 and 15 added
    // have none. So every browser gives the same here; later characters are BETWEEN.
    for (const part of character.normalize('NFD')) take(Number(part.codePointAt(0)));
  }
  flush();
  finish();
  return counts;
}

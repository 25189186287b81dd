// Checks the files of the index of words that manifest.json names, and finds the one that holds a term.

import { MAX_TERM_BYTES, MAX_TERM_FILES } from '../../constants.js';
import { checkFile, invalid, list, object, show, text } from './checks.js';

/** @import { Unchecked, Files, TermFile } from '../manifest.js' */

/**
 * @param {Unchecked} m the manifest
 * @param {Files} files
 */
export function checkTerms(m, files) {
  object('terms', m.terms);
  checkFile('terms.lengths', m.terms.lengths, files);
  if (m.terms.lengths.bytes < m.documents) {
    throw invalid(
      'terms.lengths.bytes',
      `${m.terms.lengths.bytes}, but ${m.documents} documents take at least a byte each`,
    );
  }
  m.terms.files ??= [];
  list('terms.files', m.terms.files, MAX_TERM_FILES);
  let before = '';
  m.terms.files.forEach((/** @type {Unchecked} */ file, /** @type {number} */ i) => {
    const field = `terms.files[${i}]`;
    checkFile(field, file, files);
    text(`${field}.first`, file.first, 1, MAX_TERM_BYTES);
    text(`${field}.last`, file.last, 1, MAX_TERM_BYTES);
    if (compareBytes(before, file.first) >= 0) {
      throw invalid(`${field}.first`, `${show(file.first)}, must come after ${show(before)}`);
    }
    if (compareBytes(file.first, file.last) > 0) {
      throw invalid(`${field}.last`, `${show(file.last)}, must not come before ${show(file.first)}`);
    }
    before = file.last;
  });
}

/**
 * The number of the file that holds a term; -1: none.
 * @param {TermFile[]} files
 * @param {string} term
 */
export function fileOf(files, term) {
  let low = 0;
  let high = files.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareBytes(files[middle].first, term) > 0) high = middle;
    else low = middle + 1;
  }
  return low > 0 && compareBytes(term, files[low - 1].last) <= 0 ? low - 1 : -1;
}

/**
 * Compares texts by their UTF-8 bytes. The operator < differs from that beyond the Basic
 * Multilingual Plane.
 * @param {string} a
 * @param {string} b
 */
function compareBytes(a, b) {
  const encoder = new TextEncoder();
  const x = encoder.encode(a);
  const y = encoder.encode(b);
  const length = Math.min(x.length, y.length);
  for (let i = 0; i < length; i++) if (x[i] !== y[i]) return x[i] - y[i];
  return x.length - y.length;
}

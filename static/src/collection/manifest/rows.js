// Checks the files of vectors that manifest.json names: rows, angles and token vectors.

import { MAX_CENTROIDS, MAX_DIM, MAX_ROWS, MAXSIM } from '../../constants.js';
import { ELEMENT_BYTES, checkFile, count, invalid, list, object, show } from './checks.js';

/** @import { Unchecked, Files } from '../manifest.js' */

/**
 * Checks a list of files that hold the vectors of all rows.
 * @param {string} name of the list
 * @param {Unchecked} rows
 * @param {number} dim
 * @param {Unchecked} m the manifest
 * @param {Files} files
 */
export function checkRows(name, rows, dim, m, files) {
  list(name, rows, MAX_ROWS);
  let next = 0;
  rows.forEach((/** @type {Unchecked} */ file, /** @type {number} */ i) => {
    const field = `${name}[${i}]`;
    checkFile(field, file, files);
    if ((file.first_row ??= 0) !== next) {
      throw invalid(
        `${field}.first_row`,
        `${file.first_row}, must be ${next}: the files follow each other without gaps`,
      );
    }
    count(`${field}.rows`, file.rows, 1, m.rows - next);
    const least = file.rows * dim * ELEMENT_BYTES[m.dtype];
    if (file.bytes < least) {
      throw invalid(
        `${field}.bytes`,
        `${file.bytes}, but ${file.rows} rows of ${dim} ${m.dtype} take at least ${least}`,
      );
    }
    next += file.rows;
  });
  if (next !== m.rows) throw invalid(name, `${next} rows in all, the collection has ${m.rows}`);
}

/**
 * @param {Unchecked} m the manifest
 * @param {Files} files
 */
export function checkAngles(m, files) {
  const { angles, model, dtype } = m;
  object('angles', angles);
  if (model.kind !== 'pack') {
    throw invalid('angles', `only the branch of a pack makes angles, and model.kind is ${show(model.kind)}`);
  }
  count('angles.dim', angles.dim, 1, MAX_DIM);
  if (angles.dtype !== dtype) {
    throw invalid('angles.dtype', `${show(angles.dtype)}, must be that of the rows, ${show(dtype)}`);
  }
  angles.files ??= [];
  checkRows('angles.files', angles.files, angles.dim, m, files);
}

/**
 * A collection has vectors of tokens if and only if it is compared by them.
 * @param {Unchecked} m the manifest
 * @param {Files} files
 */
export function checkTokens(m, files) {
  const { tokens, score, dim, documents } = m;
  if (tokens == null) {
    if (score === MAXSIM) throw invalid('tokens', 'missing, but score is "maxsim"');
    return;
  }
  if (score !== MAXSIM) throw invalid('score', `${show(score)}, but there are vectors of tokens: must be "maxsim"`);
  object('tokens', tokens);
  if (![8, 4, 2].includes(tokens.bits)) throw invalid('tokens.bits', `${show(tokens.bits)}, must be 8, 4 or 2`);
  count('tokens.centroids', tokens.centroids, 1, MAX_CENTROIDS);
  checkFile('tokens.codebook', tokens.codebook, files);
  const least = 2 * tokens.centroids * dim;
  if (tokens.codebook.bytes < least) {
    throw invalid(
      'tokens.codebook.bytes',
      `${tokens.codebook.bytes}, but ${tokens.centroids} centroids of ${dim} dimensions take at least ${least}`,
    );
  }
  tokens.files ??= [];
  list('tokens.files', tokens.files, MAX_ROWS);
  const width = Math.ceil((dim * tokens.bits) / 8) + 4; // of a vector: codes, centroid, scale
  let next = 0;
  tokens.files.forEach((/** @type {Unchecked} */ file, /** @type {number} */ i) => {
    const field = `tokens.files[${i}]`;
    checkFile(field, file, files);
    if ((file.first ??= 0) !== next) {
      throw invalid(`${field}.first`, `${file.first}, must be ${next}: the files follow each other without gaps`);
    }
    count(`${field}.count`, file.count, 1, documents - next);
    count(`${field}.vectors`, (file.vectors ??= 0), 0, Math.floor(Math.max(0, file.bytes - 4 * file.count) / width));
    next += file.count;
  });
  if (next !== documents) throw invalid('tokens.files', `${next} documents in all, the collection has ${documents}`);
}

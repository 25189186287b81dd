// Bounds the memory that a collection takes.

import {
  CODEBOOK_MEMORY,
  COLUMNS_MEMORY,
  LENGTHS_MEMORY,
  MEMORY_FREE,
  MEMORY_RATIO,
  PACK_MEMORY,
  TERMS_MEMORY,
  TOKEN_MEMORY,
  TOKENIZER_MEMORY,
} from '../../constants.js';
import { invalid } from './checks.js';
import { isPack } from './model.js';

/** @import { Files, Manifest, CarriedEncoder } from '../manifest.js' */

/**
 * A collection that is small on the host must not be large in memory. A file
 * that is named several times is stored once, but read each time; short vectors
 * are padded.
 * @param {Manifest} m
 * @param {Files} files
 */
export function checkMemory({ encoder, reader, vectors, angles, tokens, docs, columns, terms, dim, dtype }, files) {
  const stored = [...files.values()].reduce((sum, file) => sum + file.stored, 0);
  const row = (/** @type {number} */ dim) =>
    dtype === 'I8' ? Math.ceil(dim / 16) * 16 + 16 : Math.ceil(dim / 8) * 32 + 16;
  let memory = (encoder ? memoryOf(encoder) : 0) + (reader ? memoryOf(reader) : 0);
  for (const file of vectors) memory += file.bytes + file.rows * row(dim);
  if (angles) for (const file of angles.files) memory += file.bytes + file.rows * row(angles.dim);
  if (tokens) {
    memory += CODEBOOK_MEMORY * tokens.codebook.bytes;
    for (const { bytes, vectors: n, count: own } of tokens.files) {
      memory += bytes + TOKEN_MEMORY * n + 4 * (tokens.centroids + own);
    }
  }
  if (columns) memory += COLUMNS_MEMORY * columns.file.bytes;
  if (terms) {
    memory += terms.files.reduce((sum, { bytes }) => sum + TERMS_MEMORY * bytes, LENGTHS_MEMORY * terms.lengths.bytes);
  }
  for (const file of docs) memory += file.bytes;
  if (memory > Math.max(MEMORY_FREE, MEMORY_RATIO * stored)) {
    throw invalid(
      'files',
      `${stored} bytes on the host take ${memory} in memory, at most ${MEMORY_FREE >> 20} MB and beyond that ` +
        `${MEMORY_RATIO} times as many are loaded`,
    );
  }
}

/**
 * @param {CarriedEncoder} encoder
 * @returns {number}
 */
function memoryOf(encoder) {
  if (!isPack(encoder)) {
    return TOKENIZER_MEMORY * encoder.tokenizer.bytes + encoder.weights.bytes + encoder.config.bytes;
  }
  return encoder.files.reduce((sum, { bytes }) => sum + PACK_MEMORY * bytes, PACK_MEMORY * encoder.pack.bytes);
}

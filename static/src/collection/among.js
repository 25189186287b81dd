// Searches of given vectors instead of a collection's.

import * as abi from '../engine/abi.js';
import { Rows } from '../engine/rows.js';

/**
 * Runs body with rows that hold the given vectors only, as float32.
 * @template T
 * @param {Pick<import('./vectors.js').Vectors, 'core'|'manifest'>} engine
 * @param {Float32Array[]} vectors
 * @param {Float32Array[]} angles of the same texts, or none
 * @param {(rows: Rows) => T} body
 */
export function among({ core, manifest }, vectors, angles, body) {
  const rows = new Rows(core, manifest.dim, abi.ROWS_F32, 0);
  try {
    rows.add(0, vectors);
    angles.forEach((angle, row) => rows.addAngle(row, angle));
    return body(rows);
  } finally {
    rows.close();
  }
}

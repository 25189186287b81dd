// Rows that are added to an engine and removed from it at run time.

/**
 * @import { Slant } from './angles.js'
 * @import { ColumnValues } from './fields.js'
 * @import { Vectors } from './vectors.js'
 */

export class Changes {
  /** @param {Vectors} vectors */
  constructor(vectors) {
    this.vectors = vectors;
  }

  /**
   * Adds rows after all existing ones.
   * @param {number} first row of the first one, which the others follow
   * @param {Float32Array[]} vectors
   * @param {ColumnValues[]} columns one value for each row
   * @param {(Float32Array|null)[]} angles one for each row, if it is known
   */
  add(first, vectors, columns, angles) {
    const { rows } = this.vectors;
    rows.add(first, vectors);
    try {
      this.addAngles(angles.flatMap((angle, i) => (angle ? [{ row: first + i, angle }] : [])));
    } catch (error) {
      vectors.forEach((_, i) => {
        this.vectors.angles.forget(first + i);
        if (!rows.core.lost) rows.remove(first + i);
      });
      throw error;
    }
    this.vectors.live += vectors.length;
    this.vectors.added += vectors.length;
    this.vectors.version++;
    for (const { column, values } of columns) rows.setColumn(column, first, values);
    return { coverage: this.vectors.coverage };
  }

  /**
   * Gives added rows their angles.
   * @param {Slant[]} slants
   */
  addAngles(slants) {
    this.vectors.angles.add(slants);
    this.vectors.version++;
  }

  /**
   * Declares columns that have values in rows of other engines.
   * @param {ColumnValues[]} columns
   */
  declare(columns) {
    for (const { column, values } of columns) this.vectors.rows.setColumn(column, 0, values.subarray(0, 0));
  }

  /**
   * Excludes rows from every later answer, including rows that have not arrived
   * yet.
   * @param {number[]} rows
   */
  remove(rows) {
    const { vectors } = this;
    for (const row of rows) {
      if (row < vectors.manifest.rows) vectors.removed.add(row);
      else vectors.added--;
      vectors.take(row);
    }
    return { coverage: vectors.coverage };
  }
}

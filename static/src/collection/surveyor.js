// The sides of an engine's rows, or of given vectors, towards a root.

import { survey, tell, vectorsOf } from '../engine/sides.js';
import { QueryError } from '../errors.js';
import { among } from './among.js';

/**
 * @import { Poll, Root } from '../engine/sides.js'
 * @import { Vectors } from './vectors.js'
 */

/** Stands for any angle: it only matters that one is needed. */
const NONE = new Float32Array();

export class Surveyor {
  /** @param {Vectors} vectors */
  constructor(vectors) {
    this.vectors = vectors;
  }

  /**
   * The sides of the rows that have arrived towards a root.
   * @param {Poll} poll
   */
  async survey(poll) {
    await this.vectors.prepare(poll);
    const { coverage } = this.vectors;
    return { sides: survey(this.vectors.rows, poll), coverage };
  }

  /**
   * The sides of hits of any ranking towards a root; the row of a hit that this engine lacks is MISSING_ROW.
   * @param {Root} root
   * @param {{row: number, document: number}[]} hits
   */
  async tell(root, hits) {
    await this.vectors.angles.needAngles(root);
    return tell(this.vectors.rows, root, hits);
  }

  /**
   * The vectors of a document; null if this engine lacks it.
   * @param {number} document
   * @param {number} angleDim
   */
  async vectorsOf(document, angleDim) {
    await this.vectors.angles.needAngles({ angles: [NONE] });
    try {
      return vectorsOf(this.vectors.rows, document, angleDim);
    } catch (error) {
      if (error instanceof QueryError) return null;
      throw error;
    }
  }

  /**
   * The sides of the given vectors only, as float32, towards a root.
   * @param {Float32Array[]} vectors
   * @param {Float32Array[]} angles of the same texts
   * @param {Poll} poll
   */
  surveyAmong(vectors, angles, poll) {
    return among(this.vectors, vectors, angles, (rows) => survey(rows, poll));
  }

  /**
   * The side of each of the given vectors, as float32, towards a root.
   * @param {Float32Array[]} vectors
   * @param {Float32Array[]} angles of the same texts
   * @param {Root} root
   */
  tellAmong(vectors, angles, root) {
    return among(this.vectors, vectors, angles, (rows) => {
      const hits = vectors.map((_, row) => ({ row, document: row }));
      return tell(rows, root, hits);
    });
  }
}

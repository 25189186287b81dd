// Rankings of an engine's rows, whole or as one part of several.

import * as parts from '../engine/parts.js';
import { among } from './among.js';

/**
 * @import { Coverage } from '../../lib/index.d.ts'
 * @import { Hit, Ranking } from '../engine/request.js'
 * @import { TokenQuery } from '../engine/tokens.js'
 * @import { Condition } from '../query/filter.js'
 * @import { Vectors } from './vectors.js'
 */

/**
 * The contribution of an engine that holds a part of the rows to an answer.
 * @typedef {object} Part
 * @property {Float32Array} [gate] scores that the cut of a gated method is found from
 * @property {Hit[]} hits
 * @property {Uint8Array|null} [records] of the hits, for MMR
 * @property {Uint8Array|null} [documents] on request, a byte for each: whether it may be a hit
 * @property {Coverage} coverage
 * @property {number} version of the rows
 */

export class Ranker {
  /** @param {Vectors} vectors */
  constructor(vectors) {
    this.vectors = vectors;
  }

  get rows() {
    return this.vectors.rows;
  }

  /**
   * Hits over the rows that have arrived, and how many those are.
   * @param {Ranking} ranking
   */
  async rank(ranking) {
    await this.vectors.prepare(ranking);
    const { coverage } = this.vectors;
    return { hits: this.rows.search(ranking), coverage };
  }

  /**
   * Hits by MaxSim over the documents that have arrived, the vectors that were compared with them, and which documents
   * may be hits, if not all.
   * @param {TokenQuery} query
   * @param {Condition[]} filters
   */
  async rankTokens(query, filters) {
    const tokens = await this.vectors.byTokens();
    if (filters.length > 0) await this.vectors.needColumns();
    const { coverage } = this.vectors;
    const allowed = this.vectors.allowed(filters);
    const sum = tokens.sum(query);
    return { hits: tokens.search(sum, query.k, allowed), vectors: sum.vectors, allowed, coverage };
  }

  /**
   * MaxSim of queries with documents that have arrived.
   * @param {Float32Array[]} queries
   * @param {number[]} documents
   */
  async scoreTokens(queries, documents) {
    const tokens = await this.vectors.byTokens();
    return queries.map((vectors) => tokens.score(vectors, documents));
  }

  /**
   * Explains hits of any ranking; the row of a hit that this engine lacks is MISSING_ROW.
   * @param {Ranking} ranking
   * @param {Partial<Hit>[]} hits with row and document
   */
  async explain(ranking, hits) {
    await this.vectors.prepare(ranking);
    return { hits: this.rows.explain(ranking, hits), version: this.vectors.version };
  }

  /**
   * This engine's contribution to an answer over all parts. If a gated method has
   * no cut yet, it is the scores from which the cut is found; otherwise the best
   * hits, not explained, with their records for MMR. On request, also a byte for
   * each document: whether it may be a hit. merge.js combines the parts.
   * @param {Ranking} ranking
   * @param {number|null} cut
   * @returns {Promise<Part>}
   */
  async rankPart(ranking, cut) {
    await this.vectors.prepare(ranking);
    const { coverage, version } = this.vectors;
    const gate = cut === null ? parts.gate(this.rows, ranking) : null;
    if (gate && gate.length > 0) return { gate, hits: [], coverage, version };
    const hits = parts.searchPart(this.rows, ranking, cut);
    const records =
      ranking.mmr === null
        ? null
        : parts.records(
            this.rows,
            hits.map(({ row }) => row),
          );
    const documents = ranking.documents ? this.rows.documents(ranking) : null;
    return { hits, records, documents, coverage, version };
  }

  /**
   * The cut of a gated method from the gate scores of all parts.
   * @param {Ranking} ranking
   * @param {Float32Array[]} gates
   */
  cut(ranking, gates) {
    return parts.cut(this.rows, ranking, gates);
  }

  /**
   * The hits of all parts, best first, that MMR chooses by their records.
   * @param {Ranking} ranking
   * @param {Hit[]} hits
   * @param {Uint8Array} records
   */
  diversify(ranking, hits, records) {
    return parts.diversify(this.rows, ranking, hits, records);
  }

  /**
   * For each hit of all parts, the number of this engine's rows that the plain
   * cosine ranks before it.
   * @param {Ranking} ranking
   * @param {Partial<Hit>[]} hits
   */
  ahead(ranking, hits) {
    return { ahead: parts.ahead(this.rows, ranking, hits), version: this.vectors.version };
  }

  /**
   * Hits over the given vectors only, as float32.
   * @param {Float32Array[]} vectors
   * @param {Float32Array[]} angles of the same texts; none unless the ranking needs them
   * @param {Ranking} ranking
   */
  rankAmong(vectors, angles, ranking) {
    return among(this.vectors, vectors, angles, (rows) => rows.search(ranking));
  }
}

// The token vectors of a collection inside the engine: loading them, and ranking by MaxSim.

import * as abi from './abi.js';
import { FormatError } from '../errors.js';
import { writeFields } from './request.js';
import { readWordHits, writeWordHits } from './words.js';

/**
 * @import { TokenFiles } from '../collection/manifest.js'
 * @import { Core } from './core.js'
 * @import { WordHit } from './words.js'
 */

/**
 * A query for MaxSim: the token vectors of each of its texts, concatenated, or null for a text that is not given.
 * @typedef {object} TokenQuery
 * @property {string} method
 * @property {Float32Array|null} query
 * @property {Float32Array|null} root
 * @property {Float32Array[]} perspectives
 * @property {number} k
 */

/**
 * @typedef {{vectors: Float32Array, gate: number}} Sum
 *   what is compared; gate: how many of the first numbers are those of a gate, the first stage of re-ranking
 */

export class Tokens {
  /**
   * @param {Core} core
   * @param {{dim: number, documents: number, tokens: TokenFiles}} manifest
   * @param {Uint8Array} codebook content of the file
   */
  constructor(core, { dim, documents, tokens }, codebook) {
    this.core = core;
    this.dim = dim;
    this.documents = documents;
    this.handle = core.scoped((scope) =>
      core.checked('tokens_open', scope.copy(codebook), codebook.length, dim, tokens.bits, documents),
    );
  }

  /**
   * Adds a file whose first document has this number.
   * @param {{first: number, count: number}} description in the manifest
   * @param {Uint8Array} file
   */
  load({ first, count }, file) {
    this.core.scoped((scope) => {
      const pointer = scope.copy(file);
      const documents = this.core.checked('tokens_load', this.handle, first, pointer, file.length);
      scope.disown(pointer); // the engine keeps the vectors in this buffer
      if (documents !== count) {
        throw new FormatError(
          `has vectors of ${documents} documents, and the manifest says ${count}: index the corpus again`,
        );
      }
    });
  }

  /**
   * Compiles a query: returns the vectors that its method compares with documents.
   * @param {TokenQuery} query
   * @returns {Sum}
   */
  sum({ method, query, root, perspectives }) {
    return this.core.scoped((scope) => {
      const [name, nameLength] = scope.text(method);
      const field = abi.TokenSum;
      const values = {
        method: name,
        methodLength: nameLength,
        dim: this.dim,
        query: query ? scope.copy(query) : 0,
        queryLength: query?.length ?? 0,
        root: root ? scope.copy(root) : 0,
        rootLength: root?.length ?? 0,
        perspectives: scope.copy(Float32Array.from(perspectives.flatMap((vectors) => [...vectors]))),
        perspectiveLengths: scope.copy(Uint32Array.from(perspectives, ({ length }) => length)),
        perspectiveCount: perspectives.length,
      };
      const at = scope.reserve(field.size);
      writeFields(this.core.view(at, field.size), field, values);
      const length = this.core.checked('tokens_sum', at);
      const view = this.core.view(at, field.size);
      const vectors = this.core.floats(view.getUint32(field.vectors, true), length).slice();
      return { vectors, gate: view.getUint32(field.gate, true) };
    });
  }

  /**
   * The k best documents that have been loaded, best first.
   * @param {Sum} sum
   * @param {number} k
   * @param {Uint8Array|null} allowed a byte for each document, 0: leave it out
   * @returns {WordHit[]}
   */
  search({ vectors, gate }, k, allowed) {
    return this.core.scoped((scope) => {
      const capacity = Math.min(k, this.documents);
      const hits = scope.reserve(capacity * abi.WordHit.size);
      const values = {
        vectors: scope.copy(vectors),
        length: vectors.length,
        gate,
        k,
        allowed: allowed ? scope.copy(allowed) : 0,
        allowedLength: allowed?.length ?? 0,
      };
      const at = scope.reserve(abi.TokenRequest.size);
      writeFields(this.core.view(at, abi.TokenRequest.size), abi.TokenRequest, values);
      return readWordHits(this.core, hits, this.core.checked('tokens_search', this.handle, at, hits, capacity));
    });
  }

  /**
   * MaxSim of a query with each of these documents.
   * @param {Float32Array} vectors
   * @param {number[]} documents
   */
  score(vectors, documents) {
    return this.core.scoped((scope) => {
      const hits = writeWordHits(
        this.core,
        scope,
        documents.map((document) => ({ document, score: 0 })),
      );
      this.core.checked('tokens_score', this.handle, scope.copy(vectors), vectors.length, hits, documents.length);
      return readWordHits(this.core, hits, documents.length).map(({ score }) => score);
    });
  }
}

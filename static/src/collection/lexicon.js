// The words of an engine's documents: rankings by BM25, and comparisons of texts word by word.

import { Words, fuse, holds, noWords, shares } from '../engine/words.js';

/**
 * @import { WordHit } from '../engine/words.js'
 * @import { Condition } from '../query/filter.js'
 * @import { Files } from './files.js'
 * @import { Vectors } from './vectors.js'
 */

/**
 * Which documents may be hits by words. keep: a byte for each document. Or the collection's documents that meet the
 * filters, and of the `count` documents that were added, numbered from 0, those in `added`.
 * @typedef {{keep: Uint8Array, filters?: undefined}|{filters: Condition[], added: number[], count: number}} Keep
 */

export class Lexicon {
  /**
   * @param {Vectors} vectors whose columns the filters ask
   * @param {Files} files
   */
  constructor(vectors, files) {
    this.vectors = vectors;
    const { core, manifest, share } = vectors;
    const { terms = null, documents } = manifest;
    /** Null: the collection has no index of words, or another engine has it. */
    this.words =
      share?.leads !== false && (terms || !files.store)
        ? new Words(core, terms, documents, (file) => files.read(file))
        : null;
  }

  /**
   * Hits by words over the collection and the added documents.
   * @param {string} text
   * @param {number} k
   * @param {Keep|null} keep which documents may be hits
   */
  async rankWords(text, k, keep) {
    if (!this.words) throw noWords();
    if (keep?.filters) await this.vectors.needColumns();
    this.vectors.fetchMissing(); // words may answer because they are missing
    await this.words.load(text);
    return this.words.search(text, k, keep?.filters ? this.passing(keep) : (keep?.keep ?? null));
  }

  /**
   * Fetches the missing files that the words of a text need.
   * @param {string} text
   */
  async loadWords(text) {
    if (!this.words) throw noWords();
    await this.words.load(text);
  }

  /** @param {{filters: Condition[], added: number[], count: number}} keep */
  passing({ filters, added, count }) {
    const { rows } = this.vectors.manifest;
    const keep = new Uint8Array(rows + count);
    if (rows > 0) keep.set(this.vectors.rows.mask(filters).subarray(0, rows)); // row i is document i
    for (const i of added) keep[rows + i] = 1;
    return keep;
  }

  /**
   * Adds and removes documents among the words: see Words.change.
   * @param {(string|null)[]} texts
   * @param {number[]} removed
   */
  changeWords(texts, removed) {
    this.words?.change(texts, removed);
  }

  /**
   * @param {string} fusion
   * @param {number} weight
   * @param {WordHit[]} vectors
   * @param {WordHit[]} words
   */
  fuse(fusion, weight, vectors, words) {
    return fuse(this.vectors.core, fusion, weight, vectors, words);
  }

  /**
   * Whether one of the documents holds all words of one of the texts.
   * @param {string[]} documents
   * @param {string[]} texts
   */
  holds(documents, texts) {
    return documents.some((document) => texts.some((text) => holds(this.vectors.core, document, text)));
  }

  /**
   * Whether one of the documents shares words with a text.
   * @param {string[]} documents
   * @param {string} text
   */
  shares(documents, text) {
    return documents.some((document) => shares(this.vectors.core, document, text));
  }
}

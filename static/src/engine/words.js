// The index of words in one engine: the collection's lengths and term files,
// fetched when queries need them, and the texts added at run time.

import * as abi from './abi.js';
import { naming } from './core.js';
import { LONG_WORD, SHARED_WORDS } from '../constants.js';
import { FormatError, UnsupportedError } from '../errors.js';
import { fileOf } from '../collection/manifest/terms.js';

/**
 * @import { Manifest, StoredFile } from '../collection/manifest.js'
 * @import { Core } from './core.js'
 * @import { Scope } from './scope.js'
 */

/**
 * @typedef {object} WordHit
 * @property {number} document
 * @property {number} score
 */

export class Words {
  /**
   * @param {Core} core
   * @param {Manifest['terms']|null} terms of the manifest; null:
   *   the collection has no documents
   * @param {number} documents of the collection
   * @param {(file: StoredFile) => Promise<Uint8Array>} read
   */
  constructor(core, terms, documents, read) {
    this.core = core;
    this.terms = terms;
    this.documents = documents;
    this.read = read;
    this.handle = 0;
    /** @type {Promise<void>|null} */
    this.opening = null;
    /** @type {(string|null|number)[]} texts to add, null: see change, and documents to remove */
    this.pending = [];
    this.count = documents; // in the index, those that were removed included
    /** @type {Map<number, Promise<void>>} term files, by number */
    this.files = new Map();
  }

  /** Opens the index once; after a fault, the next query tries again. */
  open() {
    this.opening ??= this.openFiles().catch((error) => {
      this.opening = null;
      throw error;
    });
    return this.opening;
  }

  async openFiles() {
    if (!this.terms) {
      this.handle = this.core.checked('words_open', 0, 0);
    } else {
      const { lengths } = this.terms;
      const content = await this.read(lengths);
      naming(lengths.path, () =>
        this.core.scoped((scope) => {
          const handle = this.core.checked('words_open', scope.copy(content), content.length);
          const documents = this.core.checked('words_documents', handle);
          if (documents !== this.documents) {
            this.core.checked('words_close', handle);
            throw new FormatError(
              `${documents} documents, the manifest says ${this.documents}: index the corpus again`,
            );
          }
          this.handle = handle;
        }),
      );
    }
  }

  /**
   * Adds and removes documents, in the order of the calls, when words are next loaded.
   * @param {(string|null)[]} texts of documents after all existing ones; null: a document that was
   *   removed
   * @param {number[]} removed documents
   */
  change(texts, removed) {
    this.pending = this.pending.concat(texts, removed);
    const waiting = this.pending.flatMap((change, at) => (typeof change === 'number' ? [] : [at]));
    for (const document of removed) {
      // Its text is needed no more, and perhaps it waits because there is no room for it.
      if (document >= this.count) this.pending[waiting[document - this.count]] = null;
    }
  }

  /** Makes the pending changes. One that fails, and those behind it, stay pending: without it, the next are wrong. */
  apply() {
    let made = 0;
    try {
      for (const change of this.pending) {
        const document =
          typeof change === 'number'
            ? change
            : this.core.scoped((scope) => this.core.checked('words_add', this.handle, ...scope.text(change ?? '')));
        if (typeof change !== 'number') this.count++;
        if (typeof change !== 'string') this.core.checked('words_remove', this.handle, document);
        made++;
      }
    } finally {
      this.pending.splice(0, made);
    }
  }

  /**
   * Fetches the missing files that the words of a text need.
   * @param {string} text
   */
  async load(text) {
    await this.open();
    this.apply();
    await Promise.all(
      [...new Set(termsOf(this.core, text).map((term) => fileOf(this.terms?.files ?? [], term)))]
        .filter((i) => i >= 0)
        .map((i) => this.loadOnce(i)),
    );
  }

  /**
   * Loads a term file once; after a fault, the next query tries again.
   * @param {number} i
   */
  loadOnce(i) {
    const known = this.files.get(i);
    if (known || !this.terms) return known;
    const loading = this.loadFile(this.terms.files[i]).catch((error) => {
      this.files.delete(i);
      throw error;
    });
    this.files.set(i, loading);
    return loading;
  }

  /** @param {StoredFile} file */
  async loadFile(file) {
    const content = await this.read(file);
    naming(file.path, () =>
      this.core.scoped((scope) => {
        const pointer = scope.copy(content);
        this.core.checked('words_load', this.handle, pointer, content.length);
        scope.disown(pointer); // the engine keeps the postings in this buffer
      }),
    );
  }

  /**
   * Ranks by BM25, after `load` for this text.
   * @param {string} text
   * @param {number} k
   * @param {Uint8Array|null} keep a byte for each document, 0: leave it out
   * @returns {WordHit[]} best first
   */
  search(text, k, keep) {
    return this.core.scoped((scope) => {
      const capacity = Math.min(k, this.core.checked('words_documents', this.handle));
      const hits = scope.reserve(capacity * abi.WordHit.size);
      const kept = keep ? [scope.copy(keep), keep.length] : [0, 0];
      const found = this.core.checked('words_search', this.handle, ...scope.text(text), k, ...kept, hits, capacity);
      return readWordHits(this.core, hits, found);
    });
  }
}

/**
 * The different words of a text.
 * @param {Core} core
 * @param {string} text
 * @returns {string[]}
 */
function termsOf(core, text) {
  return core.scoped((scope) => {
    const ref = scope.reserve(abi.TextRef.size);
    if (core.checked('words_terms', ...scope.text(text), ref) === 0) return [];
    const view = core.view(ref, abi.TextRef.size);
    return core.text(view.getUint32(abi.TextRef.pointer, true), view.getUint32(abi.TextRef.length, true)).split('\n');
  });
}

/**
 * Whether a document holds all words of a text; false if the text has none.
 * @param {Core} core
 * @param {string} document
 * @param {string} text
 */
export function holds(core, document, text) {
  const words = termsOf(core, text);
  if (words.length === 0) return false;
  const held = new Set(termsOf(core, document));
  return words.every((word) => held.has(word));
}

/**
 * Whether a document holds SHARED_WORDS different long words of a text.
 * @param {Core} core
 * @param {string} document
 * @param {string} text
 */
export function shares(core, document, text) {
  const held = new Set(termsOf(core, document));
  const shared = termsOf(core, text).filter((word) => [...word].length >= LONG_WORD && held.has(word));
  return shared.length >= SHARED_WORDS;
}

/**
 * Fuses a ranking by vectors with one by words.
 * @param {Core} core
 * @param {string} fusion
 * @param {number} weight of the words, 0 to 1
 * @param {WordHit[]} vectors
 * @param {WordHit[]} words
 */
export function fuse(core, fusion, weight, vectors, words) {
  return core.scoped((scope) => {
    const capacity = vectors.length + words.length;
    const hits = scope.reserve(capacity * abi.WordHit.size);
    const found = core.checked(
      'words_fuse',
      ...scope.text(fusion),
      weight,
      writeWordHits(core, scope, vectors),
      vectors.length,
      writeWordHits(core, scope, words),
      words.length,
      hits,
      capacity,
    );
    return readWordHits(core, hits, found);
  });
}

/** The error of a search by words in a collection without an index of words. */
export function noWords() {
  return new UnsupportedError(
    'the collection has no inverted index, which a search by words needs: index the corpus again with --terms',
  );
}

/**
 * @param {Core} core
 * @param {Scope} scope
 * @param {WordHit[]} hits
 */
export function writeWordHits(core, scope, hits) {
  const pointer = scope.reserve(hits.length * abi.WordHit.size);
  const view = core.view(pointer, hits.length * abi.WordHit.size);
  hits.forEach(({ document, score }, i) => {
    view.setUint32(i * abi.WordHit.size + abi.WordHit.document, document, true);
    view.setFloat64(i * abi.WordHit.size + abi.WordHit.score, score, true);
  });
  return pointer;
}

/**
 * @param {Core} core
 * @param {number} pointer
 * @param {number} count
 * @returns {WordHit[]}
 */
export function readWordHits(core, pointer, count) {
  const view = core.view(pointer, count * abi.WordHit.size);
  return Array.from({ length: count }, (_, i) => ({
    document: view.getUint32(i * abi.WordHit.size + abi.WordHit.document, true),
    score: view.getFloat64(i * abi.WordHit.size + abi.WordHit.score, true),
  }));
}

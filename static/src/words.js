// Searches a collection by words without the engine, so that a page can give a first answer after loading a script of
// 20 KB. Scores and order are those of `search({method: 'bm25'})` of the library, to the last bit.
//
//   import { Words } from './lib/words.js';
//   const words = await Words.open('collection/');
//   const { hits } = await words.search({ query: 'night trains' });
//
// Types and every option: words.d.ts.

import { Columns } from './collection/columns.js';
import { fileOf } from './collection/manifest/terms.js';
import { Store } from './collection/store.js';
import { DEFAULT_K } from './constants.js';
import { QueryError, UnsupportedError } from './errors.js';
import { base } from './node.js';
import { compileFilter, passes } from './query/filter.js';
import { shortest } from './query/float32.js';
import { number } from './query/values.js';
import { until } from './until.js';
import { Index } from './words/index.js';
import { countTerms } from './words/terms.js';

/**
 * @import { Words as Declared, WordsQuery } from '../lib/words.d.ts'
 * @import { StoredFile, TermFile } from './collection/manifest.js'
 * @import { Condition } from './query/filter.js'
 * @import { Loaded } from './words/index.js'
 * @typedef {(document: number) => boolean} Keep whether a document may be a hit
 */

/** @implements {Declared} */
export class Words {
  #store;
  /** @type {Map<StoredFile, Promise<any>>} any: what has been made of each file, which may be named as two kinds */
  #files = new Map();

  /** @type {typeof Declared.open} */
  static async open(url, { signal } = {}) {
    const store = await Store.open(new URL(url, base()).href, signal);
    if (!store.manifest.terms) {
      throw new UnsupportedError(
        'the collection has no inverted index, which a search by words needs: index the corpus again with --terms',
      );
    }
    return new Words(store);
  }

  /** @type {typeof Declared.terms} */
  static terms(text) {
    return [...countTerms(text).keys()];
  }

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
  }

  get info() {
    const { name = '', documents, columns, encoder } = this.#store.manifest;
    return {
      name,
      documents,
      encodes: encoder != null,
      fields: (columns?.fields ?? []).map(({ name, type, values }) => ({ name, type, values })),
    };
  }

  /** @type {Declared['search']} */
  async search(query) {
    const { text, k, filters } = checkQuery('search', query, this.info.fields);
    const { signal } = query;
    signal?.throwIfAborted();
    const ranked = await this.#rank(text, k, filters, signal);
    const documents = await this.#store.documents(
      ranked.map(({ document }) => document),
      signal,
    );
    signal?.throwIfAborted();
    return {
      hits: ranked.map(({ document, score }, i) => {
        const { _id, title, text, metadata } = documents[i];
        return { rank: i + 1, id: _id, index: document, score: shortest(Math.fround(score)), title, text, metadata };
      }),
    };
  }

  /** @type {Declared['rank']} */
  async rank(query) {
    const { text, k, filters } = checkQuery('rank', query, this.info.fields);
    query.signal?.throwIfAborted();
    return this.#rank(text, k, filters, query.signal);
  }

  /**
   * Ranks documents, after reading the files that the words of the text need.
   * @param {string} text
   * @param {number} k
   * @param {Condition[]} filters
   * @param {AbortSignal} [signal]
   */
  async #rank(text, k, filters, signal) {
    const files = this.#store.manifest.terms?.files ?? [];
    const counts = countTerms(text);
    const numbers = new Map([...counts.keys()].map((term) => [term, fileOf(files, term)]));
    const needed = [...new Set(numbers.values())].filter((i) => i >= 0);
    const [index, keep, loaded] = await until(
      Promise.all([
        this.#index(),
        filters.length > 0 ? this.#filter(filters) : null,
        Promise.all(needed.map(async (i) => [i, await this.#terms(files[i])])),
      ]),
      signal,
    );
    /** @type {Map<number|undefined, Loaded>} by the numbers of files */
    const terms = new Map(loaded.map(([i, file]) => [Number(i), /** @type {Loaded} */ (file)]));
    return index.rank(counts, (term) => terms.get(numbers.get(term)), k, keep);
  }

  /**
   * Reads a file and makes something of it, once. After a fault, the next query tries again. Queries share the work, so
   * it continues if one of them is cancelled.
   * @template T
   * @param {StoredFile} file
   * @param {(content: Uint8Array) => T|Promise<T>} make
   * @returns {Promise<T>}
   */
  #once(file, make) {
    const known = this.#files.get(file);
    if (known) return known;
    const making = this.#store
      .read(file)
      .then(make)
      .catch((error) => {
        this.#files.delete(file);
        throw error;
      });
    this.#files.set(file, making);
    return making;
  }

  #index() {
    const { terms, documents } = this.#store.manifest;
    const { lengths } = /** @type {NonNullable<typeof terms>} */ (terms);
    return this.#once(lengths, (content) => new Index(content, lengths.path, documents));
  }

  /** @param {TermFile} file */
  #terms(file) {
    const opening = this.#index();
    return this.#once(file, async (content) => (await opening).load(content, file.path));
  }

  /**
   * @param {Condition[]} filters
   * @returns {Promise<Keep>}
   */
  async #filter(filters) {
    const { manifest } = this.#store;
    const { file } = /** @type {NonNullable<typeof manifest.columns>} */ (manifest.columns);
    const columns = await this.#once(file, (content) => {
      /** @type {ArrayLike<number>[]} */
      const columns = [];
      new Columns(manifest).load(content, (column, values) => (columns[column] = values));
      return columns;
    });
    return (document) => passes(filters, (column) => columns[column][document]);
  }
}

/**
 * @param {string} method for messages
 * @param {WordsQuery} query
 * @param {Words['info']['fields']} fields
 */
function checkQuery(method, query, fields) {
  if (typeof query !== 'object' || query === null) {
    throw new QueryError(`${method} takes an object: ${method}({query: "..."})`);
  }
  const { query: text, filter } = query;
  if (typeof text !== 'string' || text === '') {
    throw new QueryError('query: a search by words needs the query as a text: give it');
  }
  const k = number('k', query.k ?? DEFAULT_K, 1, 2 ** 31 - 1);
  if (!Number.isInteger(k)) throw new QueryError(`k: ${k} is not a whole number`);
  return { text, k, filters: compileFilter(filter, fields) };
}

// Documents that the page adds at run time. The page keeps them, texts and
// vectors, so that they outlive an engine that is lost and can be saved; the
// engine holds their rows.

import { QueryError } from '../errors.js';
import { vector } from '../query/query.js';
import { isText, isVector } from '../query/values.js';

/**
 * @typedef {object} Entry
 * @property {number} index of the document, for good: numbers are not used again
 * @property {number} row in the engines
 * @property {import('../../lib/index.d.ts').Document} document
 * @property {Float32Array|null} vector null: not encoded yet
 * @property {boolean} given the page gave the vector
 */

export class LocalDocuments {
  /** @param {{documents: number, rows: number}} collection that the numbers of added ones follow */
  constructor({ documents, rows }) {
    this.first = documents;
    this.firstRow = rows;
    this.count = 0; // of numbers in use, or used up
    /** @type {Map<string, Entry>} in the order in which they were added */
    this.byId = new Map();
    /** @type {Map<number, Entry>} */
    this.byIndex = new Map();
    /** @type {Set<number>} indexes of the collection's documents that were removed */
    this.removed = new Set();
  }

  get entries() {
    return [...this.byId.values()];
  }

  /**
   * Checks documents as a page writes them.
   * @param {Iterable<import('../../lib/index.d.ts').LocalDocument>} documents
   * @param {number} dim
   * @returns {Entry[]} not yet among the documents here
   */
  check(documents, dim) {
    if (typeof documents === 'string' || typeof documents?.[Symbol.iterator] !== 'function') {
      throw new QueryError('add takes a list of documents: add([{ id: "note-1", text: "..." }])');
    }
    const ids = new Set();
    return Array.from(documents, (/** @type {any} any: what a page gives is checked here */ given, i) => {
      if (typeof given !== 'object' || given === null) throw new QueryError(`add: document ${i} is not an object`);
      const { _id, id = _id, title = '', text, metadata = {}, vector: own } = given;
      const wrong = (/** @type {string} */ what) =>
        new QueryError(`add: document ${i}${isText(id) ? ` (${JSON.stringify(id)})` : ''}: ${what}`);
      if (!isText(id) || id === '') throw wrong('id must be a text that is not empty');
      if (this.byId.has(id) || ids.has(id)) {
        throw wrong('there is a document of this id already: remove it first, or choose another id');
      }
      if (!isText(text) || !isText(title)) throw wrong('title and text must be texts');
      if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
        throw wrong('metadata must be an object of fields');
      }
      if (own !== undefined && own !== null && !isVector(own)) throw wrong('vector must be a list of numbers');
      ids.add(id);
      const copy = own ? vector(`add: document ${i}`, own, dim) : null;
      if (copy && !copy.every(Number.isFinite)) throw wrong('its vector has a component that is no finite float32');
      return {
        index: -1,
        row: -1,
        document: { _id: id, title, text, metadata: structuredClone(metadata) },
        vector: copy,
        given: copy !== null,
      };
    });
  }

  /**
   * Gives entries their numbers, which are used up even if they are not inserted.
   * @param {Entry[]} entries
   */
  number(entries) {
    for (const entry of entries) {
      entry.index = this.first + this.count;
      entry.row = this.firstRow + this.count;
      this.count++;
    }
  }

  /**
   * Takes numbered entries in.
   * @param {Entry[]} entries
   */
  insert(entries) {
    for (const entry of entries) {
      this.byId.set(entry.document._id, entry);
      this.byIndex.set(entry.index, entry);
    }
  }

  /**
   * The entry of a row of an answer; none for rows of the collection.
   * @param {number} row
   */
  at(row) {
    return this.byIndex.get(row - this.firstRow + this.first);
  }

  /** @param {Entry} entry */
  delete(entry) {
    this.byId.delete(entry.document._id);
    this.byIndex.delete(entry.index);
  }
}

/**
 * Entries, in order, in runs of rows that follow each other.
 * @param {Entry[]} entries
 */
export function runs(entries) {
  /** @type {Entry[][]} */
  const out = [];
  for (const entry of entries) {
    const last = out.at(-1);
    if (last?.at(-1)?.row === entry.row - 1) last.push(entry);
    else out.push([entry]);
  }
  return out;
}

/**
 * What is encoded of a document: the title, where there is one, and the text.
 * @param {{title: string, text: string}} document
 */
export function encodedText({ title, text }) {
  return title ? `${title} ${text}` : text;
}

// Documents that the page adds at run time. The page keeps them, texts and
// vectors, so that they can be saved and survive the loss of an engine. The
// engine holds their rows.

import { QueryError } from '../errors.js';
import { listOf } from '../query/list.js';
import { vector } from '../query/query.js';
import { isText, isVector } from '../query/values.js';

/**
 * @typedef {object} Entry
 * @property {number} index of the document; a number is never used again
 * @property {number} row in the engines
 * @property {import('../../lib/index.d.ts').Document} document
 * @property {Float32Array|null} vector null: not encoded yet
 * @property {boolean} given whether the page gave the vector
 * @property {Float32Array|null} angle null: not encoded, or the encoder gives none
 */

export class LocalDocuments {
  /**
   * @param {{documents: number, rows: number}} collection whose numbers those of added documents
   * continue
   */
  constructor({ documents, rows }) {
    this.first = documents;
    this.firstRow = rows;
    this.count = 0; // of numbers that were ever used
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
   * Checks documents that come from the page.
   * @param {Iterable<import('../../lib/index.d.ts').LocalDocument>} documents
   * @param {number} dim
   * @returns {Entry[]} not yet among the documents here
   */
  check(documents, dim) {
    const list = listOf(documents, 'add takes a list of documents: add([{ id: "note-1", text: "..." }])');
    const ids = new Set();
    return list.map((given, i) => {
      if (typeof given !== 'object' || given === null) throw new QueryError(`add: document ${i} is not an object`);
      const { _id, id = _id, title = '', text, metadata = {}, vector: own } = given;
      const wrong = (/** @type {string} */ what) =>
        new QueryError(`add: document ${i}${isText(id) ? ` (${JSON.stringify(id)})` : ''}: ${what}`);
      if (!isText(id) || id === '') throw wrong('id must be a text that is not empty');
      if (this.byId.has(id) || ids.has(id)) {
        throw wrong('a document has this id: remove it first, or choose another id');
      }
      if (!isText(text) || !isText(title)) throw wrong('title and text must be texts');
      const fields = stored(metadata);
      if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
        throw wrong('metadata must be a JSON object');
      }
      if (own !== undefined && own !== null && !isVector(own)) throw wrong('vector must be a list of numbers');
      ids.add(id);
      const copy = own ? vector(`add: document ${i}`, own, dim) : null;
      if (copy && !copy.every(Number.isFinite)) throw wrong('its vector has a component that is not a finite float32');
      return {
        index: -1,
        row: -1,
        document: { _id: id, title, text, metadata: fields },
        vector: copy,
        given: copy !== null,
        angle: null,
      };
    });
  }

  /**
   * Gives entries their numbers. The numbers are not used again, even if the
   * entries are not inserted.
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
   * Inserts numbered entries.
   * @param {Entry[]} entries
   */
  insert(entries) {
    for (const entry of entries) {
      this.byId.set(entry.document._id, entry);
      this.byIndex.set(entry.index, entry);
    }
  }

  /**
   * The added document's entry for a row of an answer; undefined for rows of
   * the collection.
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
 * Splits entries, in order, into runs of consecutive rows.
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
 * The text of a document that is encoded: the title, if there is one, and the
 * text.
 * @param {{title: string, text: string}} document
 */
export function encodedText({ title, text }) {
  return title ? `${title} ${text}` : text;
}

/**
 * The vectors of entries, all of which must have one.
 * @param {Entry[]} entries
 */
export function vectorsOf(entries) {
  return entries.map(({ vector }) => /** @type {Float32Array} */ (vector));
}

/** @param {Entry[]} entries */
export function anglesOf(entries) {
  return entries.map(({ angle }) => angle);
}

/**
 * A copy of the value as it will be saved; undefined if JSON cannot hold it.
 * @param {unknown} value
 */
function stored(value) {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

// Reads the files of an inverted index, and refuses what internal/wasm/lexical refuses:
// docs/collection.md describes the format.

import { MAX_TERM_BYTES } from '../constants.js';
import { FormatError } from '../errors.js';

const REMEDY = 'index the collection again';

export class Reader {
  /**
   * @param {Uint8Array} data
   * @param {string} file its name, for messages
   * @param {number} [at] where to begin
   */
  constructor(data, file, at = 0) {
    this.data = data;
    this.file = file;
    this.at = at;
  }

  /**
   * @param {string} problem
   * @returns {never}
   */
  fail(problem) {
    throw new FormatError(`${this.file}: ${problem}: ${REMEDY}`, { file: this.file });
  }

  /** @param {string} want the first four bytes */
  magic(want) {
    if (this.data.length < 4 || String.fromCharCode(...this.data.subarray(0, 4)) !== want) {
      this.fail(`it does not begin with ${want}: it is something else, or of another version`);
    }
    this.at = 4;
  }

  /** A number in LEB128, in the fewest bytes, below 2^53. */
  number() {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      if (this.at === this.data.length) this.fail('it ends too early');
      const byte = this.data[this.at++];
      value += (byte & 0x7f) * unit;
      // Once unit is infinite, value may be NaN, which is not above anything.
      if (!(value <= Number.MAX_SAFE_INTEGER) || (byte === 0 && unit > 1)) {
        this.fail('a number is not written in the fewest bytes, or is above 2^53');
      }
      if (byte < 0x80) return value;
    }
  }

  /** @param {number} length */
  bytes(length) {
    if (length > this.data.length - this.at) this.fail('it ends too early');
    this.at += length;
    return this.data.subarray(this.at - length, this.at);
  }

  end() {
    if (this.at < this.data.length) this.fail('something follows its end');
  }
}

/**
 * The lengths of the documents, in words.
 * @param {Uint8Array} data
 * @param {string} file
 * @param {number} documents how many there are by the manifest
 * @returns {Uint32Array}
 */
export function readLengths(data, file, documents) {
  const reader = new Reader(data, file);
  reader.magic('VLL1');
  const count = reader.number();
  if (count !== documents) reader.fail(`${count} documents, the manifest says ${documents}`);
  if (count > data.length) reader.fail('it ends too early');
  const lengths = new Uint32Array(count);
  let words = 0;
  for (let i = 0; i < count; i++) {
    const length = reader.number();
    if (length > 0xffffffff) reader.fail(`document ${i} has more than 2^32 words`);
    lengths[i] = length;
    words += length;
  }
  if (words > Number.MAX_SAFE_INTEGER) reader.fail('the documents have more than 2^53 words');
  reader.end();
  return lengths;
}

/**
 * The terms of a file, each with the place in its entry after the term. At that place are
 * the number of documents that have the term, the number of bytes of its postings, and the
 * postings.
 * @param {Uint8Array} data
 * @param {string} file
 * @param {Uint32Array} lengths
 * @returns {Map<string, number>}
 */
export function readTerms(data, file, lengths) {
  const reader = new Reader(data, file);
  reader.magic('VLT1');
  const documents = reader.number();
  if (documents !== lengths.length) {
    reader.fail(`it is of a collection of ${documents} documents, the lengths file of one of ${lengths.length}`);
  }
  /** @type {Map<string, number>} */
  const terms = new Map();
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const name = new Uint8Array(MAX_TERM_BYTES);
  let length = 0;
  for (let left = reader.number(); left > 0; left--) {
    const shared = reader.number();
    const suffix = reader.bytes(reader.number());
    if (shared > length || shared + suffix.length > MAX_TERM_BYTES) {
      reader.fail('a term is too long, or shares more bytes with the term before it than that one has');
    }
    if (suffix.length === 0 || (shared < length && suffix[0] <= name[shared])) reader.fail('a term is out of order');
    name.set(suffix, shared);
    length = shared + suffix.length;
    try {
      terms.set(decoder.decode(name.subarray(0, length)), reader.at);
    } catch {
      reader.fail('a term is not UTF-8');
    }
    const count = reader.number();
    const end = reader.number() + reader.at;
    if (end > data.length) reader.fail('it ends too early');
    checkPostings(new Reader(data.subarray(0, end), file, reader.at), count, lengths);
    reader.at = end;
  }
  reader.end();
  return terms;
}

/**
 * @param {Reader} reader that ends with the postings
 * @param {number} count of documents that the postings should have
 * @param {Uint32Array} lengths
 */
function checkPostings(reader, count, lengths) {
  let found = 0;
  for (let next = 0; reader.at < reader.data.length; found++) {
    const [gap, frequency] = posting(reader);
    if (gap >= lengths.length - next) reader.fail('postings name a document beyond the last');
    next += gap + 1;
    if (frequency > lengths[next - 1]) reader.fail('a term occurs more often in a document than that has words');
  }
  if (found !== count || count === 0) reader.fail('postings are empty, or have not as many documents as they say');
}

/**
 * How many documents are skipped before the next one that has the term, and how often it occurs in that.
 * @param {Reader} reader
 * @returns {[number, number]}
 */
export function posting(reader) {
  const head = reader.number();
  const once = head % 2 === 1;
  return [(head - Number(once)) / 2, once ? 1 : reader.number() + 2];
}

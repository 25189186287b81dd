// One JSON object per line: _id, title, text, metadata, as in BEIR. The rules are
// those of internal/collection/corpus in Go, and a test compares the two.

import { measure } from '../../../src/collection/bounds.js';
import { JSON_DEPTH } from '../../../src/constants.js';
import { Fault } from './fault.js';
import { Ids } from './ids.js';
import { decode, trim } from './lines.js';

/** @import { FileDocument } from './read.js' */

const NESTED = 'leave nested metadata out, or split the document';

export class JSONLines {
  #ids = new Ids();
  #number = 0;

  /**
   * @param {string} file name for messages
   * @param {(document: FileDocument, values: number) => void} take receives the document and how many values it has
   */
  constructor(file, take) {
    this.file = file;
    this.take = take;
  }

  /** The line that is read next, from 1. */
  get at() {
    return this.#number + 1;
  }

  /** @param {Uint8Array} bytes of a line */
  line(bytes) {
    const number = ++this.#number;
    /**
     * @param {string} problem
     * @param {string} remedy
     */
    const fault = (problem, remedy) => new Fault(this.file, number, problem, remedy);
    const text = decode(bytes);
    if (text === null) throw fault('not UTF-8', 'save the file as UTF-8');
    const whole = number === 1 ? text.replace(/^\ufeff/, '') : text;
    if (trim(whole) === '') return;
    const line = whole.replace(/^[ \t]+/, '');
    if (line[0] !== '{') {
      throw fault(
        'not a JSON object',
        line[0] === '['
          ? 'write each entry of the array on a line of its own'
          : 'each line must be an object such as {"_id": "1", "text": "..."}',
      );
    }
    const { values, problem } = measure(line);
    if (problem) throw fault(problem, NESTED);
    let fields;
    try {
      fields = JSON.parse(trim(line));
    } catch (error) {
      throw fault(`not JSON (${Object(error).message})`, 'write one whole object per line');
    }
    if (/\\u[dD]/.test(line)) fields = wellFormed(fields);
    // Of a key that occurs twice, the parser keeps one value.
    if (valuesIn(fields) < values) throw fault(`key ${twiceIn(line)} occurs twice`, 'keep one of the two');
    const found = documentOf(fields, line);
    if (Array.isArray(found)) throw fault(...found);
    const wrong = this.#ids.fault(found.id, number);
    if (wrong) throw fault(...wrong);
    this.take(found, values);
  }

  end() {}
}

/**
 * The document of an object, or its fault as [problem, remedy].
 * @param {any} fields
 * @param {string} line
 * @returns {FileDocument|[problem: string, remedy: string]}
 */
function documentOf(fields, line) {
  const idField = !Object.hasOwn(fields, '_id') && Object.hasOwn(fields, 'id') ? 'id' : '_id';
  const own = (/** @type {string} */ name) => (Object.hasOwn(fields, name) ? fields[name] : null);
  let id = own(idField);
  if (id === null) return [`no "${idField}"`, 'give every document an id'];
  if (typeof id === 'number') id = digitsOf(line, idField);
  if (typeof id !== 'string') return [`"${idField}" is neither a string nor a number`, 'write ids as strings'];
  const text = own('text');
  const title = own('title') ?? '';
  const metadata = own('metadata') ?? {};
  if (text === null) return ['no "text"', 'give every document a text (it may be empty)'];
  if (typeof text !== 'string') return ['"text" is not a string', 'write texts as strings'];
  if (typeof title !== 'string') return ['"title" is not a string', 'write titles as strings, or leave the field out'];
  if (typeof metadata !== 'object' || Array.isArray(metadata)) {
    return ['"metadata" is not an object', 'write metadata as an object of names and values, or leave it out'];
  }
  const further = Object.entries(fields).filter(
    ([name]) => name !== idField && !['title', 'text', 'metadata'].includes(name) && !Object.hasOwn(metadata, name),
  );
  const deep = further.find(([, value]) => depthOf(value) > JSON_DEPTH - 2); // in metadata it is a level deeper
  if (deep) return [`${JSON.stringify(deep[0].slice(0, 80))} is nested more than ${JSON_DEPTH} deep`, NESTED];
  return { id, title, text, metadata: Object.fromEntries([...Object.entries(metadata), ...further]) };
}

/**
 * The number of values in a value, itself included.
 * @param {unknown} value
 * @returns {number}
 */
function valuesIn(value) {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum, inner) => sum + valuesIn(inner), 1);
}

/**
 * The first key that an object of a line has twice, in quotes.
 * @param {string} line valid JSON, with such a key
 */
function twiceIn(line) {
  /** @type {Set<string>[]} keys of each object or array that is open */
  const open = [];
  let last = '';
  for (const part of tokensOf(line)) {
    if (part === '{' || part === '[') open.push(new Set());
    else if (part === '}' || part === ']') open.pop();
    else if (part === ':') {
      const key = wellFormed(JSON.parse(last));
      if (open.at(-1)?.has(key)) return JSON.stringify(key.slice(0, 80));
      open.at(-1)?.add(key);
    }
    last = part;
  }
}

/**
 * The number of levels of objects and arrays in a value.
 * @param {unknown} value
 * @returns {number}
 */
function depthOf(value) {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce((deepest, inner) => Math.max(deepest, depthOf(inner)), 0);
}

/**
 * The text of a number at the top level: 12345678901234567890 and 1e5 may be ids and
 * must not become doubles.
 * @param {string} line valid JSON, an object
 * @param {string} name
 */
function digitsOf(line, name) {
  let depth = 0;
  /** @type {string|null} */
  let key = null;
  let found = '';
  let last = '';
  for (const part of tokensOf(line)) {
    if (part === '{' || part === '[') depth++;
    else if (part === '}' || part === ']') depth--;
    else if (depth === 1 && part === ':') key = JSON.parse(last);
    else if (depth === 1 && part === ',') key = null;
    else if (depth === 1 && key === name) found = part;
    last = part;
  }
  return found;
}

/** What a number, true, false or null ends before. */
const END = /[\s"{}[\],:]/;

/**
 * The tokens of a line. A regular expression would not do: its stack is too small for long strings.
 * @param {string} line valid JSON
 */
function* tokensOf(line) {
  for (let at = 0, end = 1; at < line.length; at = end++) {
    if (line[at] === '"') {
      while (line[end] !== '"') end += line[end] === '\\' ? 2 : 1;
      end++;
    } else if (!END.test(line[at])) {
      while (end < line.length && !END.test(line[end])) end++;
    } else if (/\s/.test(line[at])) continue;
    yield line.slice(at, end);
  }
}

/**
 * Replaces halves of surrogate pairs that stand alone, as Go does.
 * @param {unknown} value
 * @returns {any}
 */
function wellFormed(value) {
  if (typeof value === 'string') return value.replace(/\p{Surrogate}/gu, '\ufffd');
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [wellFormed(name), wellFormed(inner)]));
}

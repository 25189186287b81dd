// Records of a CSV file (RFC 4180) from its lines: fields between commas, semicolons
// or tabs, quoted if they contain such, quotes or line breaks. Empty lines are skipped, and a
// line break inside quotes becomes a line feed, as in Go.

import { Fault } from './fault.js';
import { decode, Lines, MAX_RECORD } from './lines.js';

const QUOTES = 'put quotes around the field and write a quote inside it as ""';

/** Bytes of the header that are looked at to find the separator. */
const HEAD = 64 << 10;

/** A first line that names the separator, as files for Excel have it. */
const SEPARATOR = /^("?)[sS][eE][pP]=([^"\0\r\n\ufeff\ufffd])\1$/u;

const QUOTE = 34;
const SEPARATORS = ',;\t';

/**
 * What separates the columns: the one of comma, semicolon and tab that the first line has most outside quotes, or the
 * first of those that it has equally often.
 * @param {Uint8Array} line
 */
function separatorOf(line) {
  const counts = [0, 0, 0];
  let quoted = false;
  for (const c of line.subarray(0, HEAD)) {
    const at = SEPARATORS.indexOf(String.fromCharCode(c));
    if (c === QUOTE) quoted = !quoted;
    else if (!quoted && at >= 0) counts[at]++;
  }
  return SEPARATORS[counts.indexOf(Math.max(...counts))];
}

export class Table {
  #number = 0; // of the last line
  /** @type {string[]} */
  #fields = [];
  /** @type {number[]} in which each field begins */
  #lines = [];
  /**
   * @type {{text: string, line: number}|null} the beginning of a quoted field that the line did not end
   */
  #open = null;
  #first = 0; // line in which the record begins
  #bytes = 0; // of the record

  /**
   * @param {string} file name for messages
   * @param {(fields: string[], lines: number[]) => void} record called with
   *   each one
   */
  constructor(file, record) {
    this.file = file;
    this.record = record;
    /** @type {string|null} known after the first line */
    this.separator = /\.tsv(\.gz)?$/i.test(file) ? '\t' : null;
    this.columns = 0; // of the first record; all records must have as many
  }

  /** The line that is read next, from 1. */
  get at() {
    return this.#number + 1;
  }

  /**
   * @param {Uint8Array} bytes of a line
   * @param {boolean} last the file ends with it, without a line feed
   */
  line(bytes, last = false) {
    if (last && !this.#number && bytes.includes(13)) {
      // Old Macs end lines with a carriage return alone.
      const lines = new Lines();
      for (const line of lines.push(bytes.map((c) => (c === 13 ? 10 : c)))) this.line(line);
      const rest = lines.end();
      if (rest) this.line(rest, true);
      return;
    }
    this.#number++;
    const text = decode(bytes);
    if (text === null) throw this.#fault('not UTF-8', 'save the file as UTF-8');
    const marked = this.#number === 1 ? text.replace(/^\ufeff/, '') : text; // before a quote that begins the header
    const line = marked.endsWith('\r') ? marked.slice(0, -1) : marked;
    if (this.#open === null) {
      if (line === '') return;
      if (this.#number === 1) {
        const [, , named] = SEPARATOR.exec(line) ?? [];
        this.separator = named ?? this.separator;
        if (named) return;
      }
      this.separator ??= separatorOf(bytes);
      this.#fields = [];
      this.#lines = [];
      this.#first = this.#number;
      this.#bytes = 0;
    }
    this.#bytes += bytes.length + 1;
    if (this.#bytes > MAX_RECORD) {
      throw new Fault(
        this.file,
        this.#first,
        `the record is longer than ${MAX_RECORD >> 20} MB`,
        'look for a quote that is never closed, and split larger texts into passages',
      );
    }
    if (this.#parse(line, last)) this.#finish();
  }

  end() {
    if (this.#open !== null) throw this.#fault('a quote is never closed', QUOTES);
  }

  /**
   * Whether the record ends with this line.
   * @param {string} line
   * @param {boolean} last
   */
  #parse(line, last) {
    /** @type {string} */
    const separator = this.separator ?? ',';
    let at = 0;
    for (;;) {
      if (this.#open === null && line[at] !== '"') {
        const end = line.indexOf(separator, at);
        const field = line.slice(at, end < 0 ? line.length : end);
        if (field.includes('"')) throw this.#fault('a quote in a field that does not begin with one', QUOTES);
        this.#add(field, this.#number);
        if (end < 0) return true;
        at = end + 1;
        continue;
      }
      if (this.#open === null) {
        this.#open = { text: '', line: this.#number };
        at++;
      }
      const quote = line.indexOf('"', at);
      if (quote < 0) {
        this.#open.text += line.slice(at) + (last ? '' : '\n');
        return false;
      }
      this.#open.text += line.slice(at, quote);
      at = quote + 1;
      if (line[at] === '"') {
        this.#open.text += '"';
        at++;
      } else if (at === line.length || line[at] === separator) {
        const { text, line: begun } = this.#open;
        // A text may only begin with a quotation mark, and take rows after it.
        if (separator === '\t' && text.includes('\t') && text.includes('\n')) {
          throw new Fault(this.file, begun, 'what is in quotes looks like rows', QUOTES);
        }
        this.#add(text, begun);
        this.#open = null;
        if (at === line.length) return true;
        at++;
      } else {
        throw this.#fault('text after a closing quote', QUOTES);
      }
    }
  }

  /**
   * @param {string} field
   * @param {number} line
   */
  #add(field, line) {
    this.#fields.push(field);
    this.#lines.push(line);
  }

  #finish() {
    this.columns ||= this.#fields.length;
    if (this.#fields.length !== this.columns) {
      throw new Fault(
        this.file,
        this.#first,
        `${this.#fields.length} columns, the header has ${this.columns}`,
        'put quotes around fields that hold separators or line breaks',
      );
    }
    this.record(this.#fields, this.#lines);
  }

  /**
   * @param {string} problem
   * @param {string} remedy
   */
  #fault(problem, remedy) {
    return new Fault(this.file, this.#number, problem, remedy);
  }
}

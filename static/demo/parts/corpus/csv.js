// Documents of a CSV file with a header. Columns id (or _id), title and text, in
// any case, make the document. Without an id rows are numbered; without a text the
// column with the most text is it. Every other column becomes metadata, with a type
// that fits all its cells, so the file is read twice. The rules are those of
// internal/collection/corpus in Go; a test compares the two.

import { Fault } from './fault.js';
import { Ids } from './ids.js';
import { trim } from './lines.js';
import { Table } from './table.js';

/**
 * @import { FileDocument } from './read.js'
 * @typedef {{id: number, title: number, text: number}} Roles places of the columns that make a document; -1: none
 * @typedef {{type: number, length: number}} Column length of the texts in it; addresses of the web do not count
 */

/** Types of columns by their cells: empty, numbers, booleans, texts. */
const EMPTY = 0;
const NUMBER = 1;
const BOOL = 2;
const TEXT = 3;

/** Numbers in JSON's form: "007" and "+1" are texts, so that telephone numbers are kept. */
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const truth = /^(?:true|false)$/iu;
const yes = /^true$/iu;

/** @param {string} cell */
function typeOf(cell) {
  if (cell === '') return EMPTY;
  if (number.test(cell) && Number.isFinite(Number(cell))) return NUMBER;
  return truth.test(cell) ? BOOL : TEXT;
}

/**
 * @param {number} a
 * @param {number} b
 */
const both = (a, b) => (a === b || b === EMPTY ? a : a === EMPTY ? b : TEXT);

/**
 * A Table that checks the header and passes the other records on.
 * @param {string} file
 * @param {(names: string[], fields: string[], lines: number[]) => void} record
 */
function headed(file, record) {
  /** @type {string[]|null} */
  let names = null;
  const table = new Table(file, (fields, lines) => {
    if (names) return void record(names, fields, lines);
    names = headerOf(file, fields);
  });
  return Object.assign(table, {
    finish() {
      table.end();
      if (!names) {
        throw new Fault(file, 1, 'the file is empty', 'the first line must name the columns, such as: id,title,text');
      }
      return names;
    },
  });
}

/**
 * @param {string} file
 * @param {string[]} fields
 */
function headerOf(file, fields) {
  const names = fields.map((name, i) => trim(i === 0 ? name.replace(/^\ufeff/, '') : name)); // after empty lines, too
  /** @type {Map<string, number>} the column of each name */
  const places = new Map();
  names.forEach((name, i) => {
    if (name === '') throw new Fault(file, 1, `column ${i + 1} has no name`, 'name every column in the first line');
    const j = places.get(name);
    if (j !== undefined) {
      throw new Fault(
        file,
        1,
        `columns ${j + 1} and ${i + 1} are both named ${JSON.stringify(name.slice(0, 80))}`,
        'give every column a name of its own',
      );
    }
    places.set(name, i);
  });
  return names;
}

/** First reading: what is in the columns. */
export class Columns {
  /** @type {Column[]} */
  #columns = [];

  /** @param {string} file */
  constructor(file) {
    this.table = headed(file, (names, fields) =>
      fields.forEach((cell, i) => {
        const column = (this.#columns[i] ??= { type: EMPTY, length: 0 });
        if (column.type !== TEXT) column.type = both(column.type, typeOf(trim(cell)));
        if (!/^https?:\/\//.test(cell)) column.length += cell.length;
      }),
    );
  }

  get at() {
    return this.table.at;
  }

  /**
   * @param {Uint8Array} bytes
   * @param {boolean} last
   */
  line(bytes, last) {
    this.table.line(bytes, last);
  }

  end() {
    this.table.finish();
    return this.#columns;
  }
}

/** Second reading: the documents. */
export class CSV {
  #ids = new Ids();
  #row = 0;
  /** @type {Roles|null} */
  #roles = null;

  /**
   * @param {string} file name for messages
   * @param {Column[]} columns of Columns; empty if there are no records
   * @param {(document: FileDocument, values: number) => void} take receives the document and how many fields it has
   */
  constructor(file, columns, take) {
    this.file = file;
    this.columns = columns;
    this.take = take;
    this.table = headed(file, (names, fields, lines) => this.#record(names, fields, lines));
  }

  get at() {
    return this.table.at;
  }

  /**
   * @param {Uint8Array} bytes
   * @param {boolean} last
   */
  line(bytes, last) {
    this.table.line(bytes, last);
  }

  end() {
    this.#roles ??= rolesOf(this.file, this.table.finish(), this.columns);
  }

  /**
   * @param {string[]} names
   * @param {string[]} fields
   * @param {number[]} lines
   */
  #record(names, fields, lines) {
    this.#roles ??= rolesOf(this.file, names, this.columns);
    const { id, title, text } = this.#roles;
    /** @type {FileDocument} */
    const document = {
      id: id < 0 ? String(++this.#row) : trim(fields[id]),
      title: title < 0 ? '' : fields[title],
      text: fields[text],
      metadata: {},
    };
    const wrong = this.#ids.fault(document.id, lines[0]);
    if (wrong) throw new Fault(this.file, lines[Math.max(id, 0)], ...wrong);
    /** @type {[name: string, at: number][]} */
    const columns = names.map((name, i) => [name, i]);
    const cells = columns.filter(([, i]) => i !== id && i !== title && i !== text && trim(fields[i]) !== '');
    document.metadata = Object.fromEntries(cells.map(([name, i]) => [name, valueOf(fields[i], this.columns[i].type)]));
    this.take(document, fields.length);
  }
}

/**
 * @param {string} cell
 * @param {number} type
 */
function valueOf(cell, type) {
  if (type === NUMBER) return Number(trim(cell));
  if (type === BOOL) return yes.test(trim(cell));
  return cell;
}

/**
 * Positions of the columns that make the document; -1 for no id and no title.
 * @param {string} file
 * @param {string[]} names
 * @param {Column[]} columns
 * @returns {Roles}
 */
function rolesOf(file, names, columns) {
  const find = (/** @type {string[]} */ ...wanted) =>
    wanted.reduce(
      (found, name) => (found >= 0 ? found : names.findIndex((column) => column.toLowerCase() === name)),
      -1,
    );
  const roles = { id: find('_id', 'id'), title: find('title'), text: find('text') };
  const apart = names.length === 1 && /[,;\t|]/.test(names[0]); // these are several columns
  if (roles.text < 0 && !apart) {
    if (roles.title < 0) roles.title = find('headline', 'heading', 'subject', 'name');
    columns.forEach(({ type, length }, i) => {
      if (i === roles.id || i === roles.title || type !== TEXT || length === 0) return;
      if (roles.text < 0 || length > columns[roles.text].length) roles.text = i;
    });
  }
  if (roles.text < 0) {
    const remedy = apart
      ? 'the columns must be separated by commas, semicolons or tabs'
      : `the columns are ${names
          .slice(0, 20)
          .map((name) => JSON.stringify(name.slice(0, 40)))
          .join(', ')}: rename one`;
    throw new Fault(file, 1, 'no column "text"', remedy);
  }
  return roles;
}

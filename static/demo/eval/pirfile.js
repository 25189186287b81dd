// Reads the PIR benchmark's demo file, like internal/evaluation/pir: an object of tasks,
// each with a corpus, and with lists that have an entry for each query. Errors name the task.

import { parseJSON } from '../../src/collection/bounds.js';
import { isGzip } from '../../src/collection/gunzip.js';
import { LimitError } from '../../src/errors.js';
import { bounded } from '../offline/bytes.js';

/** Most bytes of a file, and most texts in it: the page holds a vector for each. */
const MAX_FILE = 2 ** 28;
const MAX_TEXTS = 200_000;

/** The benchmark's tasks in the order of the paper; others follow by name. */
const ORDER = ['perspectrum', 'agnews', 'story', 'ambigqa', 'allsides', 'exfever'];

/** The words before the place in perspectives that name one. */
const PLACE = 'happened in ';

/**
 * @typedef {object} Task
 * @property {string} name
 * @property {string[]} corpus
 * @property {string[]} queries
 * @property {string[]} roots
 * @property {string[]} perspectives
 * @property {string[]} labels
 * @property {number[][]} gold places in the corpus
 * @property {string[]|null} locations of the corpus, empty if not known; null: the task has none
 * @property {string[]} desired location that a query asks for, or empty
 */

/**
 * The JSON of a dropped file, which may be gzipped.
 * @param {File} file
 */
export async function readJSON(file) {
  if (file.size > MAX_FILE) {
    throw new Error(
      `${file.name}: ${Math.ceil(file.size / 2 ** 20)} MB, at most ${MAX_FILE / 2 ** 20} MB are read here: use ` +
        `\`vantage eval pir\`.`,
    );
  }
  const packed = isGzip(new Uint8Array(await file.slice(0, 2).arrayBuffer()));
  const content = packed && (await bounded(file.stream().pipeThrough(new DecompressionStream('gzip')), MAX_FILE));
  if (content === null) {
    throw new Error(
      `${file.name}: broken gzip data, or more than ${MAX_FILE / 2 ** 20} MB when unpacked: copy the file again, or ` +
        `use \`vantage eval pir\`.`,
    );
  }
  try {
    return parseJSON(
      content ? new TextDecoder().decode(content) : await file.text(),
      file.name,
      'use `vantage eval pir`',
    );
  } catch (error) {
    if (error instanceof LimitError) throw error;
    throw new Error(`${file.name}: this is not JSON (${Object(error).message}).`);
  }
}

/**
 * Whether a JSON value is meant as a file of tasks: some member has a corpus.
 * @param {unknown} data
 */
export function isPIR(data) {
  return isObject(data) && Object.values(data).some((task) => isObject(task) && 'corpus' in task);
}

/**
 * @param {string} file its name, for messages
 * @param {{[name: string]: any}} data any: parsed JSON
 * @returns {Task[]}
 */
export function tasksOf(file, data) {
  const tasks = Object.entries(data).map(([name, raw]) =>
    taskOf(
      (/** @type {string} */ why) => {
        throw new Error(`${file}: task ${JSON.stringify(name.slice(0, 80))}: ${why}.`);
      },
      name,
      raw,
    ),
  );
  const texts = tasks.reduce((sum, { corpus, queries }) => sum + corpus.length + 3 * queries.length, 0);
  if (texts > MAX_TEXTS) {
    throw new Error(
      `${file}: ${texts} texts, at most ${MAX_TEXTS} are encoded here: use \`vantage eval pir\`, or drop a file with ` +
        `fewer tasks.`,
    );
  }
  const place = (/** @type {Task} */ { name }) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return tasks.sort((a, b) => place(a) - place(b) || (a.name < b.name ? -1 : 1));
}

/**
 * @param {(why: string) => never} fail
 * @param {string} name
 * @param {any} raw any: parsed JSON
 * @returns {Task}
 */
function taskOf(fail, name, raw) {
  if (!isObject(raw)) fail('this is not an object');
  /**
   * @param {string} field
   * @returns {string[]}
   */
  const texts = (field) => {
    const list = raw[field];
    if (!Array.isArray(list)) fail(`${field} is not a list of texts`);
    const wrong = list.findIndex((text) => typeof text !== 'string');
    if (wrong >= 0) fail(`${field}[${wrong}] is not a text`);
    return list;
  };
  const [corpus, queries, roots, perspectives, labels] = [
    'corpus',
    'queries',
    'source_queries',
    'perspectives',
    'query_labels',
  ].map(texts);
  const n = queries.length;
  if (n === 0 || corpus.length === 0) fail(`${n} queries on ${corpus.length} texts`);
  if (!isObject(raw.key_ref)) fail('key_ref is not an object of gold texts by query');
  const keys = Object.keys(raw.key_ref);
  for (const [field, { length }] of Object.entries({
    source_queries: roots,
    perspectives,
    query_labels: labels,
    key_ref: keys,
  })) {
    if (length !== n) fail(`${field} has ${length} entries for ${n} queries`);
  }
  /** @type {number[][]} */
  const gold = new Array(n);
  for (const key of keys) {
    if (!/^(0|[1-9]\d{0,8})$/.test(key) || Number(key) >= n) {
      fail(`key_ref names query ${JSON.stringify(key.slice(0, 80))} of ${n}`);
    }
    const list = raw.key_ref[key];
    if (!Array.isArray(list)) fail(`key_ref: query ${key} has no list of gold texts`);
    if (list.length === 0) fail(`key_ref: query ${key} has no gold text: leave it out`);
    const wrong = list.find(
      (/** @type {any} */ place) => !Number.isInteger(place) || place < 0 || place >= corpus.length,
    );
    if (wrong !== undefined) {
      fail(`key_ref: query ${key}: gold text ${JSON.stringify(wrong).slice(0, 80)} of ${corpus.length}`);
    }
    gold[Number(key)] = list;
  }
  return { name, corpus, queries, roots, perspectives, labels, gold, ...located(corpus, perspectives, gold) };
}

/**
 * Takes places from perspectives: the gold texts of a query for a place belong to that place. Repeated texts share
 * their place.
 * @param {string[]} corpus
 * @param {string[]} perspectives
 * @param {number[][]} gold
 */
function located(corpus, perspectives, gold) {
  const known = new Map();
  const desired = perspectives.map((perspective, i) => {
    const at = perspective.indexOf(PLACE);
    const place =
      at < 0 ? '' : perspective.slice(at + PLACE.length).replace(/^\p{White_Space}+|\p{White_Space}+$/gu, '');
    if (place) for (const text of gold[i]) if (!known.has(corpus[text])) known.set(corpus[text], place);
    return place;
  });
  return { desired, locations: known.size > 0 ? corpus.map((text) => known.get(text) ?? '') : null };
}

/**
 * @param {unknown} value
 * @returns {value is {[name: string]: unknown}}
 */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

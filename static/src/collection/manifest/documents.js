// Checks the files of documents and of their fields that manifest.json names.

import { MAX_BLOCK, MAX_DICTIONARY, MAX_FIELDS, MAX_ROWS } from '../../constants.js';
import { checkFile, count, invalid, list, object, show, text } from './checks.js';

/** @import { Unchecked, Files } from '../manifest.js' */

/**
 * @param {Unchecked} m the manifest
 * @param {Files} files
 */
export function checkDocs(m, files) {
  m.docs ??= [];
  list('docs', m.docs, MAX_ROWS);
  let next = 0;
  m.docs.forEach((/** @type {Unchecked} */ file, /** @type {number} */ i) => {
    const field = `docs[${i}]`;
    checkFile(field, file, files);
    if ((file.first ??= 0) !== next) {
      throw invalid(`${field}.first`, `${file.first}, must be ${next}: the files follow each other without gaps`);
    }
    count(`${field}.count`, file.count, 1, Math.min(MAX_BLOCK, m.documents - next));
    next += file.count;
  });
  if (next !== m.documents) throw invalid('docs', `${next} documents in all, the collection has ${m.documents}`);
}

/**
 * @param {Unchecked} m the manifest
 * @param {Files} files
 */
export function checkColumns(m, files) {
  object('columns', m.columns);
  checkFile('columns.file', m.columns.file, files);
  m.columns.fields ??= [];
  list('columns.fields', m.columns.fields, MAX_FIELDS);
  const names = new Set();
  const tensors = new Set();
  m.columns.fields.forEach((/** @type {Unchecked} */ f, /** @type {number} */ i) => {
    const field = `columns.fields[${i}]`;
    object(field, f);
    text(`${field}.name`, f.name, 1);
    text(`${field}.tensor`, f.tensor, 1);
    if (names.has(f.name)) throw invalid(`${field}.name`, `${show(f.name)} occurs twice`);
    if (tensors.has(f.tensor)) throw invalid(`${field}.tensor`, `${show(f.tensor)} occurs twice`);
    names.add(f.name);
    tensors.add(f.tensor);
    if (!['string', 'number', 'bool'].includes(f.type)) {
      throw invalid(`${field}.type`, `${show(f.type)}, must be "string", "number" or "bool"`);
    }
    f.values ??= [];
    list(`${field}.values`, f.values, MAX_DICTIONARY);
    if (f.type !== 'string' && f.values.length > 0) {
      throw invalid(`${field}.values`, 'only a string field has a dictionary');
    }
    if (
      f.values.some((/** @type {unknown} */ v) => typeof v !== 'string') ||
      new Set(f.values).size !== f.values.length
    ) {
      throw invalid(`${field}.values`, 'must be strings that occur once');
    }
    const least = m.rows * (f.type === 'string' ? 4 : 8);
    if (m.columns.file.bytes < least) {
      throw invalid(
        'columns.file.bytes',
        `${m.columns.file.bytes}, but a column of ${m.rows} rows takes at least ${least}`,
      );
    }
  });
}

// Queries with known answers, which a site may include.

import { parseJSON } from '../../src/collection/bounds.js';
import { bounded } from '../offline/bytes.js';

const FORMAT = 'vantage-judgements';

/** The same limits as in the command. */
const MAX_BYTES = 16 << 20;
const MAX_QUERIES = 10_000;

/** @type {(value: unknown) => value is string} */
const isText = (value) => typeof value === 'string';
/** @type {(value: unknown) => value is string[]} */
const texts = (value) => Array.isArray(value) && value.every(isText);

/**
 * A query with known answers.
 * @typedef {{id: string, query: string, root: string, perspectives: string[], label: string, gold: string[]}} Judged
 */

/**
 * @param {string} url
 * @returns {Promise<Judged[]>} empty if the file is missing, or refused, of which the console tells why
 */
export async function loadJudgements(url) {
  /** @type {{format?: unknown, version?: unknown, queries?: any}} any: each is checked below */
  let found;
  try {
    const response = await fetch(new URL(url, document.baseURI).href);
    if (!response.ok) return [];
    const content = await bounded(response.body, MAX_BYTES);
    if (!content) throw new Error(`judgements.json: cut off, or more than ${MAX_BYTES >> 20} MB`);
    found = parseJSON(new TextDecoder().decode(content), 'judgements.json', 'give fewer queries');
    if (
      found?.format !== FORMAT ||
      found.version !== 1 ||
      !Array.isArray(found.queries) ||
      found.queries.length > MAX_QUERIES
    ) {
      throw new Error(`judgements.json: not a file of version 1 with at most ${MAX_QUERIES} queries`);
    }
  } catch (error) {
    console.warn('The page works without queries with known answers:', error);
    return [];
  }
  return found.queries
    .filter((/** @type {any} */ query) => isText(query?.id) && isText(query.text) && texts(query.gold))
    .map((/** @type {any} */ { id, text, root, perspectives, label, gold }) => ({
      id,
      query: text,
      root: isText(root) ? root : '',
      perspectives: texts(perspectives) ? perspectives : [],
      label: isText(label) ? label : '',
      gold,
    }));
}

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
 * @returns {Promise<Judged[]>} empty if the file is missing or malformed
 */
export async function loadJudgements(url) {
  /** @type {{format?: unknown, version?: unknown, queries?: any}} any: each is checked below */
  let found;
  try {
    const response = await fetch(new URL(url, document.baseURI).href);
    const content = response.ok ? await bounded(response.body, MAX_BYTES) : null;
    if (!content) return [];
    found = parseJSON(new TextDecoder().decode(content), 'judgements.json');
  } catch {
    return []; // the page works without
  }
  if (
    found?.format !== FORMAT ||
    found.version !== 1 ||
    !Array.isArray(found.queries) ||
    found.queries.length > MAX_QUERIES
  ) {
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

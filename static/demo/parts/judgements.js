// Queries with known answers, which a site may carry beside its collection.

import { parseJSON } from '../../src/collection/bounds.js';
import { bounded } from '../offline/bytes.js';

const FORMAT = 'vantage-judgements';

/** Limits, as the command keeps them. */
const MAX_BYTES = 16 << 20;
const MAX_QUERIES = 10_000;

const isText = (value) => typeof value === 'string';
const texts = (value) => Array.isArray(value) && value.every(isText);

/** @returns {Promise<object[]>} none if there is no such file, or it is none */
export async function loadJudgements(url) {
  let found;
  try {
    const response = await fetch(new URL(url, document.baseURI).href);
    const content = response.ok ? await bounded(response.body, MAX_BYTES) : null;
    if (!content) return [];
    found = parseJSON(new TextDecoder().decode(content), 'judgements.json');
  } catch {
    return []; // the page does without
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
    .filter((query) => isText(query?.id) && isText(query.text) && texts(query.gold))
    .map(({ id, text, root, perspectives, label, gold }) => ({
      id,
      query: text,
      root: isText(root) ? root : '',
      perspectives: texts(perspectives) ? perspectives : [],
      label: isText(label) ? label : '',
      gold,
    }));
}

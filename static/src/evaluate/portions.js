// Shares of labels in what queries found, for the analyses of bias and of
// locations. An engine runs this for `portions`.

import { PortionsRequest } from '../engine/abi.js';
import { writeFields } from '../engine/request.js';
import { LimitError, QueryError } from '../errors.js';

/** Most values of one call: in each row two counts and, for each label, a share of queries and one of documents. */
const MAX_VALUES = 1e7;

/**
 * @param {import('../engine/core.js').Core} core
 * @param {import('../../lib/evaluate/evaluation.d.ts').Found} input
 * @returns {import('../../lib/evaluate/evaluation.d.ts').Portions}
 */
export function portions(core, input) {
  const { found, rows } = input ?? {};
  if (!Array.isArray(found) || !found.every(Array.isArray)) {
    throw new QueryError('portions: found must be a list with one list of labels for each query');
  }
  const given = rows ?? found.map(() => '');
  if (!Array.isArray(given) || given.length !== found.length) {
    throw new QueryError(`portions: rows must be a list of ${found.length} texts, one for each query`);
  }
  const names = numbered('rows', given);
  const labels = numbered('found', found.flat());
  const width = 2 + 2 * labels.texts.length;
  const count = width * names.texts.length;
  if (count > MAX_VALUES) {
    throw new LimitError(
      `portions: ${labels.texts.length} labels in ${names.texts.length} rows, at most ${MAX_VALUES / 2} shares`,
      { limit: MAX_VALUES / 2 },
    );
  }
  let end = 0;
  const ends = Uint32Array.from(found, (list) => (end += list.length));

  const values = core.scoped((scope) => {
    const request = scope.reserve(PortionsRequest.size);
    /** @type {{[Name in keyof Omit<typeof PortionsRequest, 'size'>]: number}} */
    const fields = {
      queries: found.length,
      found: scope.copy(labels.codes),
      foundEnds: scope.copy(ends),
      rows: scope.copy(names.codes),
      rowCount: names.texts.length,
      labelCount: labels.texts.length,
    };
    const out = scope.reserve(8 * count);
    const view = core.view(request, PortionsRequest.size);
    writeFields(view, PortionsRequest, fields);
    core.checked('metrics_portions', request, out);
    return new Float64Array(core.exports.mem.buffer, out, count).slice();
  });

  const row = (/** @type {number} */ at) => ({
    queries: values[at],
    found: values[at + 1],
    labels: Object.fromEntries(
      labels.texts.map((label, i) => [label, { queries: values[at + 2 + 2 * i], found: values[at + 3 + 2 * i] }]),
    ),
  });
  return { labels: labels.texts, rows: Object.fromEntries(names.texts.map((name, i) => [name, row(i * width)])) };
}

/**
 * Distinct texts in the order in which they first appear, and each one's number among them.
 * @param {string} what
 * @param {unknown[]} given
 */
function numbered(what, given) {
  /** @type {Map<string, number>} */
  const numbers = new Map();
  const codes = Uint32Array.from(given, (text) => {
    if (typeof text !== 'string') throw new QueryError(`portions: ${what} has ${String(text)}, which is not a text`);
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  });
  return { codes, texts: [...numbers.keys()] };
}

// The exports of the page, as texts.

import { el } from '../parts/dom.js';

/**
 * @typedef {object} Outcome
 * @property {import('../../lib/evaluate/evaluation.d.ts').Evaluation[]} evaluations
 * @property {import('../../lib/evaluate/evaluation.d.ts').Comparison|null} comparison
 * @property {string} chart as SVG
 */

/**
 * @type {{name: string, file: string, type: string, needs?: (o: Outcome) => boolean, text: (o: Outcome) => string}[]}
 */
export const EXPORTS = [
  {
    name: 'Means, CSV',
    file: 'means.csv',
    type: 'text/csv',
    text: ({ evaluations }) =>
      csv([
        ['measure', ...evaluations.map((e) => e.run)],
        ...Object.keys(evaluations[0].averages).map((name) => [name, ...evaluations.map((e) => e.averages[name])]),
      ]),
  },
  {
    name: 'Differences, CSV',
    file: 'differences.csv',
    type: 'text/csv',
    needs: ({ comparison }) => comparison !== null,
    text: ({ comparison }) => {
      const { measure = '', pairs = [] } = comparison ?? {};
      return csv([['measure', ...Object.keys(pairs[0])], ...pairs.map((pair) => [measure, ...Object.values(pair)])]);
    },
  },
  {
    name: 'Every query, CSV',
    file: 'queries.csv',
    type: 'text/csv',
    text: ({ evaluations }) =>
      csv([
        ['run', 'query', ...Object.keys(perQuery(evaluations[0]).values)],
        ...evaluations.flatMap((evaluation) => {
          const { queries, values } = perQuery(evaluation);
          return queries.map((query, q) => [
            evaluation.run,
            query,
            ...Object.values(values).map((column) => column[q]),
          ]);
        }),
      ]),
  },
  {
    name: 'Everything, JSON',
    file: 'evaluation.json',
    type: 'application/json',
    text: ({ evaluations, comparison }) => {
      /**
       * @param {string} _
       * @param {unknown} value
       */
      const plain = (_, value) => (value instanceof Float64Array ? [...value] : value);
      return `${JSON.stringify({ evaluations, comparison }, plain, 1)}\n`;
    },
  },
  {
    name: 'Chart, SVG',
    file: 'queries.svg',
    type: 'image/svg+xml',
    needs: ({ chart }) => chart !== '',
    text: ({ chart }) => chart,
  },
];

/**
 * The values of each query, which this page always requests.
 * @param {import('../../lib/evaluate/evaluation.d.ts').Evaluation} evaluation
 */
export function perQuery(evaluation) {
  return evaluation.per_query ?? { queries: [], values: {} };
}

/**
 * Downloads a file.
 * @param {string} file
 * @param {string} type
 * @param {string} content
 */
export function save(file, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  el('a', { href: url, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // the download has begun by then
}

/**
 * RFC 4180.
 * @param {unknown[][]} rows
 */
export function csv(rows) {
  const field = (/** @type {unknown} */ value) =>
    /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? '');
  return rows.map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

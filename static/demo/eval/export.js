// What can be taken away, as texts.

import { el } from '../parts/dom.js';

/**
 * @typedef {object} Outcome
 * @property {import('../../lib/evaluate/evaluation.d.ts').Evaluation[]} evaluations
 * @property {import('../../lib/evaluate/evaluation.d.ts').Comparison|null} comparison
 * @property {string} measure that is looked at query by query
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
    text: ({ comparison: { measure, pairs } }) =>
      csv([['measure', ...Object.keys(pairs[0])], ...pairs.map((pair) => [measure, ...Object.values(pair)])]),
  },
  {
    name: 'Every query, CSV',
    file: 'queries.csv',
    type: 'text/csv',
    text: ({ evaluations }) =>
      csv([
        ['run', 'query', ...Object.keys(evaluations[0].per_query.values)],
        ...evaluations.flatMap(({ run, per_query: { queries, values } }) =>
          queries.map((query, q) => [run, query, ...Object.values(values).map((column) => column[q])]),
        ),
      ]),
  },
  {
    name: 'Everything, JSON',
    file: 'evaluation.json',
    type: 'application/json',
    text: ({ evaluations, comparison }) => {
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

/** Hands the reader a file. */
export function save(file, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  el('a', { href: url, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // by then it is saved
}

/** RFC 4180. */
export function csv(rows) {
  const field = (value) =>
    /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? '');
  return rows.map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

// The tables: means by run, intervals, pairs, and each query.

import { byId, el } from '../parts/dom.js';
import { perQuery } from './export.js';
import { figure, interval, probability, signed } from './format.js';

/**
 * @import { Evaluation } from '../../lib/evaluate/evaluation.d.ts'
 * @typedef {{name: string, values: ArrayLike<number>, write: (value: number) => string}} Column
 */

/** Tests whose p, after Holm's correction, is at most this are highlighted. */
const SIGNIFICANT = 0.05;

/** Rows that are shown until the visitor asks for all. */
const ROWS = 100;

/**
 * Shows the means of every measure. A measure with values for each query can be
 * chosen.
 * @param {import('../../lib/evaluate/evaluation.d.ts').Evaluation[]} evaluations
 * @param {string} chosen measure
 * @param {(measure: string) => void} choose
 */
export function showMeans(evaluations, chosen, choose) {
  const { measures } = evaluations[0];
  const rows = [...new Set(measures)]
    .filter((name) => name in evaluations[0].averages)
    .map((name) => {
      const values = evaluations.map((e) => e.averages[name]);
      const total = name.startsWith('num_'); // a whole number, even if it is 0 or 1
      const best =
        evaluations.length > 1 && comparable(evaluations[0], name) && !total
          ? Math.max(...values.map(Number).filter((v) => !Number.isNaN(v)))
          : NaN;
      return el(
        'tr',
        name === chosen ? { className: 'chosen' } : {},
        el('th', { scope: 'row' }, comparable(evaluations[0], name) ? chooser(name, name === chosen, choose) : name),
        values.map((value) =>
          el(
            'td',
            value === best ? { className: 'best' } : {},
            total ? String(value) : figure(value),
            value === best && el('span', { className: 'spoken' }, ' (best)'),
          ),
        ),
      );
    });
  table('means', ['Measure', ...evaluations.map((e) => e.run)], rows);
}

/**
 * Whether a measure has a number for each query.
 * @param {Evaluation} evaluation
 * @param {string} name
 */
export function comparable(evaluation, name) {
  return perQuery(evaluation).values[name] instanceof Float64Array;
}

/** @param {import('../../lib/evaluate/evaluation.d.ts').Comparison} comparison */
export function showIntervals(comparison) {
  table(
    'intervals',
    ['Run', 'Mean', '95 % interval', 'Queries it lacks'],
    comparison.runs.map(({ run, mean, low, high, missing }) =>
      el(
        'tr',
        {},
        el('th', { scope: 'row' }, run),
        cell(figure(mean)),
        cell(interval(low, high, figure)),
        cell(String(missing)),
      ),
    ),
  );
}

/**
 * @param {import('../../lib/evaluate/evaluation.d.ts').Comparison} comparison
 * @param {number} chosen pair
 * @param {(pair: number) => void} choose
 */
export function showPairs(comparison, chosen, choose) {
  /**
   * @param {number} p
   * @param {number} corrected
   */
  const probabilities = (p, corrected) =>
    el(
      'td',
      corrected <= SIGNIFICANT ? { className: 'significant' } : {},
      probability(p),
      el('small', {}, ` Holm ${probability(corrected)}`),
    );
  table(
    'pairs',
    ['Pair', 'Difference', '95 % interval', 'Better / worse', 't', 'p, paired t-test', 'p, randomisation'],
    comparison.pairs.map((pair, i) =>
      el(
        'tr',
        i === chosen ? { className: 'chosen' } : {},
        el(
          'th',
          { scope: 'row' },
          chooser(`${pair.b} − ${pair.a}`, i === chosen, () => choose(i)),
        ),
        cell(signed(pair.difference)),
        cell(interval(pair.low, pair.high, signed)),
        cell(`${pair.better} / ${pair.worse}`),
        cell(pair.t === null ? 'infinite' : pair.t.toFixed(2).replace('-', '−')),
        probabilities(pair.p_t_test, pair.p_t_test_holm),
        probabilities(pair.p_randomization, pair.p_randomization_holm),
      ),
    ),
  );
}

/** Values of each query, sorted by any column. */
export class QueryTable {
  constructor() {
    /** @type {{column: number|'query', down: boolean}} */
    this.sort = { column: -1, down: true };
    /** @type {string[]} */
    this.queries = [];
    /** @type {Column[]} */
    this.columns = [];
    this.most = ROWS;
    byId('all-rows').addEventListener('click', () => {
      this.most = Infinity;
      this.draw();
      byId('rows').parentElement?.focus(); // the button is gone
      byId('rows').querySelectorAll('tbody th')[ROWS]?.scrollIntoView({ block: 'center' });
    });
  }

  /**
   * @param {string[]} queries
   * @param {Column[]} columns
   */
  show(queries, columns) {
    this.queries = queries;
    this.columns = columns;
    this.most = ROWS;
    if (typeof this.sort.column === 'number' && this.sort.column >= columns.length) {
      this.sort = { column: -1, down: true };
    }
    this.draw();
  }

  draw() {
    const { column, down } = this.sort;
    const order = [...this.queries.keys()];
    // At first, rows are ordered by the last column, greatest first. Queries
    // are in byte order.
    const values = column === 'query' ? [...order] : (this.columns.at(column)?.values ?? []);
    order.sort((a, b) => (down ? values[b] - values[a] : values[a] - values[b]) || a - b);
    const rows = order.slice(0, this.most).map((q) =>
      el(
        'tr',
        {},
        el('th', { scope: 'row' }, this.queries[q]),
        this.columns.map(({ values, write }) => cell(write(values[q]))),
      ),
    );
    /**
     * @param {string} name
     * @param {number|'query'} key
     */
    const header = (name, key) => {
      const sorted = key === column || (column === -1 && key === this.columns.length - 1);
      const button = el(
        'button',
        { type: 'button' },
        name,
        el('span', { 'aria-hidden': 'true' }, sorted ? (down ? ' ▼' : ' ▲') : ''),
      );
      button.addEventListener('click', () => {
        this.sort = { column: key, down: sorted ? !down : key !== 'query' };
        this.draw();
        /** @type {HTMLElement|null} */
        const again = byId('rows').querySelector(`[data-key="${key}"] button`);
        again?.focus();
      });
      const cell = el(
        'th',
        { scope: 'col', 'aria-sort': sorted ? (down ? 'descending' : 'ascending') : 'none' },
        button,
      );
      cell.dataset.key = String(key);
      return cell;
    };
    byId('rows').replaceChildren(
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          header('Query', 'query'),
          this.columns.map(({ name }, i) => header(name, i)),
        ),
      ),
      el('tbody', {}, rows),
    );
    const more = byId('all-rows');
    more.hidden = this.queries.length <= this.most;
    more.textContent = `Show all ${this.queries.length.toLocaleString('en')} queries`;
  }
}

/**
 * @param {string} id
 * @param {string[]} columns
 * @param {Element[]} rows
 */
function table(id, columns, rows) {
  byId(id).replaceChildren(
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        columns.map((name) => el('th', { scope: 'col' }, name)),
      ),
    ),
    el('tbody', {}, rows),
  );
}

/** @param {string} text */
function cell(text) {
  return el('td', {}, text);
}

/**
 * @param {string} text
 * @param {boolean} chosen
 * @param {(text: string) => void} choose
 */
function chooser(text, chosen, choose) {
  const button = el('button', { type: 'button', className: 'chooser', 'aria-pressed': String(chosen) }, text);
  button.addEventListener('click', () => choose(text));
  return button;
}

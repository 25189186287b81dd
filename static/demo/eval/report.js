// The figures of the PIR benchmark by task and method: a table, a chart and files,
// from the report that `vantage eval pir --json` writes or that this page made.

import { byId, el } from '../parts/dom.js';
import { csv, save } from './export.js';
import { figure } from './format.js';
import { showHeatMap } from './heatmap.js';
import { mapsOf, showLocations } from './locations.js';
import { standalone } from './svg.js';

/**
 * @import { AtK } from '../../lib/index.js'
 * @typedef {Map<string, any>} Results by method; any: the figures that are read have been checked
 * @typedef {{name: string, results: Results}[]} Tasks
 * @typedef {{name: string, k: number, of: (result: any) => number}} Measure any: as in Results
 */

/** Most tasks and methods in a readable picture. */
const MOST = 100;

const KS = [1, 5, 10];

/** The figures of each measure in a result. */
/** @type {{[name: string]: (result: any) => AtK}} */
const FIGURES = {
  Recall: (result) => result.recall?.overall,
  'Recall, mean over labels': (result) => result.recall?.macro,
  'p-Recall': (result) => result.p_recall,
  'p-Recall as in the notebook': (result) => result.p_recall_notebook,
  'p-Recall by perspective': (result) => result.p_recall_by_unique_perspective,
  'Recall of root queries': (result) => result.root,
};

/** The measures on the menu. */
/** @type {Measure[]} */
const MEASURES = Object.entries(FIGURES).flatMap(([name, of]) =>
  KS.map((k) => ({
    name: name.replace('Recall', `Recall@${k}`),
    k,
    of: (/** @type {unknown} */ result) => of(result)[k],
  })),
);
const FIRST = MEASURES.findIndex(({ name }) => name === 'Recall@5');

/**
 * @param {string} file its name, for messages
 * @param {any} report any: parsed JSON
 * @param {string} [summary] what was done
 */
export function showBenchmark(file, report, summary = '') {
  const tasks = check(file, report);
  const maps = mapsOf(file, report);
  const methods = [...new Set(tasks.flatMap(({ results }) => [...results.keys()]))];
  const which = el(
    'select',
    { 'aria-label': 'Measure' },
    MEASURES.map(({ name }, i) => el('option', { selected: i === FIRST }, name)),
  );
  const frame = el('div', {
    className: 'scroll heat',
    tabIndex: 0,
    role: 'region',
    'aria-label': 'Chart of methods and tasks',
  });
  const table = el('table', { id: 'methods' });
  const bias = el('table', { id: 'bias' });
  /**
   * @param {string} text
   * @param {() => void} act
   */
  const button = (text, act) => {
    const made = el('button', { type: 'button', className: 'quiet' }, text);
    made.addEventListener('click', act);
    return made;
  };
  const draw = () => {
    const measure = MEASURES[which.selectedIndex];
    showMethods(table, tasks, methods, measure);
    showBias(bias, tasks, measure.k);
    const columns = tasks.map(({ name }) => name);
    showHeatMap(frame, {
      title: [`${measure.name} by method and task`, String(report.data ?? file)],
      x: 'Task',
      y: 'Method',
      columns,
      rows: methods.map((method) => ({
        name: method,
        label: method,
        shares: new Map(
          tasks
            .filter(({ results }) => results.has(method))
            .map(({ name, results }) => [name, measure.of(results.get(method))]),
        ),
        tell: (percent, task) => `${method}: ${percent} % for ${task}`,
      })),
    });
  };
  which.addEventListener('change', draw);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => frame.isConnected && draw());
  byId('benchmark').replaceChildren(
    el('h2', { id: 'benchmark-title' }, 'Benchmark'),
    el('p', { className: 'hint', role: 'status', id: 'benchmark-summary' }, summary),
    el(
      'p',
      { className: 'take' },
      which,
      button('Download CSV', () => save('pir.csv', 'text/csv', csv(records(tasks)))),
      button('Download SVG', () =>
        save('pir.svg', 'image/svg+xml', standalone(/** @type {Element} */ (frame.firstChild))),
      ),
      button('Download JSON', () => save('pir.json', 'application/json', `${JSON.stringify(report, null, 1)}\n`)),
    ),
    el('div', { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Figures by method and task' }, table),
    frame,
    el(
      'details',
      { className: 'per-query' },
      el('summary', {}, 'What root queries lean to'),
      el('div', { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'What root queries lean to' }, bias),
    ),
  );
  draw();
  byId('benchmark').hidden = false;
  byId('locations').hidden = true;
  if (maps.length > 0) showLocations(maps);
  byId('benchmark').focus({ preventScroll: true });
  byId('benchmark').scrollIntoView();
}

/**
 * @param {Element} table
 * @param {Tasks} tasks
 * @param {string[]} methods
 * @param {Measure} measure
 */
function showMethods(table, tasks, methods, { of }) {
  const best = tasks.map(({ results }) => Math.max(...[...results.values()].map(of)));
  table.replaceChildren(
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        ['Method', ...tasks.map(({ name }) => name)].map((text) => el('th', { scope: 'col' }, text)),
      ),
    ),
    el(
      'tbody',
      {},
      methods.map((method) =>
        el(
          'tr',
          {},
          el('th', { scope: 'row' }, method),
          tasks.map(({ results }, t) => {
            if (!results.has(method)) return el('td', {}, '');
            const value = of(results.get(method));
            return el(
              'td',
              value === best[t] ? { className: 'best' } : {},
              figure(value),
              value === best[t] && el('span', { className: 'spoken' }, ' (best)'),
            );
          }),
        ),
      ),
    ),
  );
}

/**
 * @param {Element} table
 * @param {Tasks} tasks
 * @param {number} k
 */
function showBias(table, tasks, k) {
  table.replaceChildren(
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        ['Task', 'Method', 'Label', `Queries that found it @${k}`, `Texts found @${k}`].map((text) =>
          el('th', { scope: 'col' }, text),
        ),
      ),
    ),
    el(
      'tbody',
      {},
      tasks.flatMap(({ name, results }) =>
        leanings(results).flatMap(({ retriever, bias }) =>
          Object.entries(bias).map(([label, of]) =>
            el(
              'tr',
              {},
              el('th', { scope: 'row' }, name),
              [retriever, label, figure(of[k]), figure(of.documents[k])].map((text) => el('td', {}, text)),
            ),
          ),
        ),
      ),
    ),
  );
}

/**
 * Root queries have no perspective: what they find depends only on the retriever.
 * @param {Results} results
 */
function leanings(results) {
  /** @type {Map<string, {retriever: string, bias: any}>} */
  const byRetriever = new Map();
  for (const [method, { retriever = method, bias }] of results) {
    if (!byRetriever.has(retriever)) byRetriever.set(retriever, { retriever, bias });
  }
  return [...byRetriever.values()];
}

/**
 * Every figure, one in each row.
 * @param {Tasks} tasks
 */
function records(tasks) {
  const rows = tasks.flatMap(({ name, results }) =>
    [...results].flatMap(([method, result]) => {
      /**
       * @param {string} measure
       * @param {string} label
       * @param {number} k
       * @param {number} value
       */
      const row = (measure, label, k, value) => [name, method, result.retriever ?? method, measure, label, k, value];
      const labels = Object.entries(result.recall.per_label ?? {});
      return [
        ...MEASURES.map(({ name, k, of }) => row(name.replace(`@${k}`, ''), '', k, of(result))),
        ...labels.flatMap(([label, of]) => KS.map((k) => row('Recall', label, k, of[k]))),
        ...Object.entries(result.bias).flatMap(([label, of]) =>
          KS.flatMap((k) => [row('Bias, queries', label, k, of[k]), row('Bias, texts', label, k, of.documents[k])]),
        ),
      ];
    }),
  );
  return [['task', 'method', 'retriever', 'measure', 'label', 'k', 'value'], ...rows];
}

/**
 * The tasks of a report, all of whose figures are numbers.
 * @param {string} file
 * @param {any} report any: parsed JSON
 * @returns {Tasks}
 */
function check(file, report) {
  /**
   * @param {string} why
   * @returns {never}
   */
  const fail = (why) => {
    throw new Error(
      `${file}: ${why}. This page draws what \`vantage eval pir --json\` writes, and evaluates the demo file ` +
        `of PIR.`,
    );
  };
  /**
   * @param {string} what
   * @param {any} object parsed JSON
   * @returns {[string, any][]}
   */
  const members = (what, object) => {
    if (typeof object !== 'object' || object === null || Array.isArray(object)) fail(`${what} is not an object`);
    return Object.entries(object);
  };
  const tasks = members('"tasks"', report?.tasks).map(([name, methods]) => ({
    name,
    results: new Map(members(`task ${name}`, methods)),
  }));
  if (tasks.length === 0) fail('it has no tasks');
  if (tasks.length > MOST) fail(`${tasks.length} tasks, at most ${MOST} are drawn`);
  for (const { name, results } of tasks) {
    if (results.size > MOST) fail(`task ${name} has ${results.size} methods, at most ${MOST} are drawn`);
    for (const [method, result] of results) {
      const where = `${name}, ${method}`;
      members(where, result);
      /**
       * @param {string} what
       * @param {any} of parsed JSON
       */
      const figures = (what, of) => {
        if (!KS.every((k) => of?.[k] >= 0 && of[k] <= 1 && typeof of[k] === 'number')) {
          fail(`${what} of ${where} lacks a share at one of ${KS}`);
        }
      };
      for (const [what, of] of Object.entries(FIGURES)) figures(what, of(result));
      for (const [label, of] of members(`per_label of ${where}`, result.recall.per_label ?? {})) {
        figures(`recall of ${label}`, of);
      }
      for (const [label, of] of members(`bias of ${where}`, result.bias)) {
        figures(`bias of ${label}`, of);
        figures(`bias of ${label}, documents,`, of.documents);
      }
    }
  }
  return tasks;
}

// The page that evaluates: it turns judgements and runs into tables and a
// chart. An engine without a collection computes them in a worker.

import { Chart } from './eval/chart.js';
import { example } from './eval/example.js';
import { EXPORTS, perQuery, save } from './eval/export.js';
import { Files } from './eval/files.js';
import { figure, signed } from './eval/format.js';
import { Measures } from './eval/measures.js';
import { encodeTasks, evaluateTasks } from './eval/pir.js';
import { isPIR, readJSON, tasksOf } from './eval/pirfile.js';
import { showBenchmark } from './eval/report.js';
import { QueryTable, comparable, showIntervals, showMeans, showPairs } from './eval/tables.js';
import { Vantage } from '../lib/index.js';
import { byId, count, el, write } from './parts/dom.js';
import { loadJudgements } from './parts/judgements.js';

/**
 * @import { Outcome } from './eval/export.js'
 * @import { NamedFile } from './eval/files.js'
 * @import { Column } from './eval/tables.js'
 */

const engine = Vantage.create({ encoder: null });
engine.catch(() => {}); // whoever awaits it reports the error

const files = new Files(evaluate, showReport, showFault);
const measures = new Measures(evaluate);
const chart = new Chart();
const queryTable = new QueryTable();

/** @type {import('./parts/judgements.js').Judged[]} the site's own queries with known answers, for the example */
let judged = [];
/** @type {(Outcome & {qrels: NamedFile, runs: NamedFile[]})|null} what is shown */
let outcome = null;
/** The chosen measure and pair, kept for the next evaluation if it has them. */
const chosen = { measure: '', pair: 0 };
/**
 * What is under way for each part of the page: an evaluation, and a report of the PIR benchmark.
 * @typedef {'evaluation'|'report'} Part
 * @type {{[part in Part]: {stop: AbortController, text: string}}}
 */
const under = {
  evaluation: { stop: new AbortController(), text: '' },
  report: { stop: new AbortController(), text: '' },
};

for (const id of ['complete', 'level', 'rounds', 'seed']) byId(id).addEventListener('change', evaluate);
byId('form').addEventListener('submit', (event) => event.preventDefault());
byId('example').addEventListener('click', showExample);
byId('copy').addEventListener('click', copy);
byId('download').addEventListener('click', download);

/** Evaluates every run, and cancels an earlier evaluation. */
async function evaluate() {
  const { qrels, runs } = files;
  const asked = measures.list;
  byId('fault').hidden = true;
  if (!qrels || runs.length === 0 || asked.length === 0 || !byId('form').reportValidity()) {
    begin('evaluation');
    byId('results').hidden = true;
    return;
  }
  outcome = null;
  await work('evaluation', async (vantage, say, signal) => {
    /** @type {import('../lib/index.js').Evaluation[]} */
    const evaluations = [];
    for (const run of runs) {
      say(`Evaluating ${run.name} …`);
      evaluations.push(
        await vantage.evaluate({
          qrels,
          run,
          measures: asked,
          perQuery: true,
          complete: byId('complete').checked,
          level: byId('level').valueAsNumber,
          signal,
        }),
      );
    }
    outcome = { evaluations, comparison: null, chart: '', qrels, runs };
    const names = evaluations[0].measures.filter((name) => comparable(evaluations[0], name));
    if (!names.includes(chosen.measure)) chosen.measure = names[0] ?? '';
    await look(vantage, say, signal);
  });
}

/**
 * Shows the chosen measure, query by query.
 * @param {Vantage} vantage
 * @param {(text: string) => void} say
 * @param {AbortSignal} signal
 */
async function look(vantage, say, signal) {
  if (!outcome) return;
  const { evaluations, qrels, runs } = outcome;
  outcome.comparison = null;
  const focused = byId('means').contains(document.activeElement);
  showMeans(evaluations, chosen.measure, choose);
  if (focused) focusChosen('means');
  const [first] = evaluations;
  const same = evaluations.every((e) => e.queries === first.queries);
  byId('summary').textContent =
    `${count(evaluations.length, 'run')} evaluated over ${count(first.queries, 'query', 'queries')}` +
    `${same ? '' : ' (the first run; the others have other numbers)'}.`;
  byId('results').hidden = false;
  for (const id of ['differences', 'queries']) byId(id).hidden = true;
  offerExports();
  if (runs.length > 1 && chosen.measure) {
    say(`Testing ${chosen.measure} for differences …`);
    const [comparison] = await vantage.compare({
      qrels,
      runs,
      measures: [chosen.measure],
      complete: byId('complete').checked,
      level: byId('level').valueAsNumber,
      rounds: byId('rounds').valueAsNumber,
      seed: byId('seed').valueAsNumber,
      perQuery: true,
      signal,
    });
    outcome.comparison = comparison;
    if (chosen.pair >= comparison.pairs.length) chosen.pair = 0;
    showComparison();
  } else if (chosen.measure) {
    const { queries, values } = perQuery(first);
    byId('queries').hidden = false;
    showQueries(
      `${chosen.measure} of ${first.run}, from the query with the greatest value to that with the least.`,
      queries,
      [{ name: chosen.measure, values: numbers(values[chosen.measure]), write: figure }],
    );
  }
  offerExports();
}

/** @param {string} measure */
async function choose(measure) {
  chosen.measure = measure;
  if (!outcome) return; // the evaluation under way will show it
  await work('evaluation', look);
}

function showComparison() {
  const { comparison } = outcome ?? {};
  if (!comparison) return;
  const pair = comparison.pairs[chosen.pair];
  byId('differences').hidden = false;
  byId('queries').hidden = false;
  byId('differences-hint').textContent =
    `By ${comparison.measure}, over ${count(comparison.queries, 'query', 'queries')} that at least one run answers; ` +
    `a run that lacks a query has 0 for it. Intervals by bootstrap, both tests two-sided, Holm's correction over ` +
    `${count(comparison.pairs.length, 'pair')}, ${count(comparison.rounds, 'round')}, seed ${comparison.seed}.`;
  if (byId('complete').checked) {
    byId('differences-hint').textContent = byId('differences-hint').textContent.replace(
      'that at least one run answers',
      'with judgements',
    );
  }
  showIntervals(comparison);
  showPairs(comparison, chosen.pair, (i) => {
    chosen.pair = i;
    showComparison();
    offerExports();
    focusChosen('pairs');
  });
  const { queries, values } = comparison.per_query ?? { queries: [], values: [] };
  const [a, b] = [pair.a, pair.b].map((name) => values[comparison.runs.findIndex((run) => run.run === name)]);
  const equal = comparison.queries - pair.better - pair.worse;
  showQueries(
    `${comparison.measure} of ${pair.b} minus that of ${pair.a}: greater for ` +
      `${count(pair.better, 'query', 'queries')}, less for ${pair.worse}, the same for ${equal}.`,
    queries,
    [
      { name: pair.a, values: a, write: figure },
      { name: pair.b, values: b, write: figure },
      { name: 'Difference', values: b.map((value, q) => value - a[q]), write: signed },
    ],
  );
}

/**
 * @param {string} summary
 * @param {string[]} queries
 * @param {Column[]} columns
 */
function showQueries(summary, queries, columns) {
  const { values, write } = columns[columns.length - 1];
  byId('chart-summary').textContent = summary;
  chart.show(queries, values, write);
  queryTable.show(queries, columns);
}

/**
 * Shows a report of the PIR benchmark, or makes one from the benchmark's own file, and cancels an earlier one.
 * @param {File} file
 */
async function showReport(file) {
  byId('fault').hidden = true;
  byId('benchmark').hidden = byId('locations').hidden = true;
  await work('report', async (vantage, say, signal) => {
    say(`Reading ${file.name} …`);
    const data = await readJSON(file);
    signal.throwIfAborted();
    if (!isPIR(data)) return showBenchmark(file.name, data);
    const tasks = tasksOf(file.name, data);
    const encoded = await encodeTasks(tasks, say, signal);
    const started = performance.now();
    const report = await evaluateTasks(vantage, file.name, tasks, encoded, say, signal);
    const seconds = ((performance.now() - started) / 1000).toFixed(2);
    signal.throwIfAborted();
    showBenchmark(
      file.name,
      report,
      `${count(tasks.length, 'task')} by every scoring method that needs no angles, with ${encoded.retriever}, ` +
        `ranked and judged in ${seconds} s. Only the command has the paper's BM25 (rank_bm25).`,
    );
  });
}

async function showExample() {
  const button = byId('example');
  // A screen reader hears the text, but not each number.
  const say = (/** @type {string} */ text, at = '') => {
    write(byId('example-state'), text);
    byId('example-at').textContent = at;
  };
  if (button.ariaDisabled) return;
  button.ariaDisabled = 'true'; // a button that is disabled altogether would lose the focus
  byId('fault').hidden = true;
  try {
    const { qrels, runs } = await example(judged, say);
    files.replace(qrels, runs);
  } catch (error) {
    showFault(error);
  } finally {
    say('');
    button.ariaDisabled = null;
  }
}

/**
 * Cancels what is under way for a part of the page.
 * @param {Part} part
 * @returns {AbortSignal} of what comes next
 */
function begin(part) {
  under[part].stop.abort();
  under[part].stop = new AbortController();
  working(part, '');
  return under[part].stop.signal;
}

/**
 * Runs body with the engine in place of what is under way for that part, and shows that it is working, and any fault.
 * @param {Part} part
 * @param {(vantage: Vantage, say: (text: string) => void, signal: AbortSignal) => unknown} body
 */
async function work(part, body) {
  const signal = begin(part);
  const say = (/** @type {string} */ text) => signal.aborted || working(part, text); // or a newer one is under way
  say('Starting the engine …');
  try {
    await body(await engine, say, signal);
  } catch (error) {
    if (signal.aborted) return;
    if (!outcome) byId('results').hidden = true;
    showFault(error);
  } finally {
    say('');
  }
}

/**
 * @param {Part} part
 * @param {string} text empty: nothing is under way
 */
function working(part, text) {
  under[part].text = text;
  const all = Object.values(under).map((one) => one.text);
  byId('working').hidden = !all.some(Boolean);
  byId('working-text').textContent = all.join(' ');
}

/** @param {any} error */
function showFault(error) {
  const { file, line, message } = error;
  const start = `${file}${line ? `:${line}` : ''}: `;
  byId('fault').replaceChildren(
    ...(file && message.startsWith(start)
      ? [el('strong', {}, `${file}${line ? `, line ${line}` : ''}: `), message.slice(start.length)]
      : [message]),
  );
  byId('fault').hidden = false;
}

function offerExports() {
  const shown = outcome;
  if (!shown) return;
  shown.chart = byId('queries').hidden ? '' : chart.file;
  const select = byId('take');
  const before = select.value;
  select.replaceChildren(
    ...EXPORTS.filter(({ needs }) => !needs || needs(shown)).map(({ name, file }) =>
      el('option', { value: file, selected: file === before }, name),
    ),
  );
  byId('taken').textContent = '';
}

/** @param {Outcome} shown */
function taken(shown) {
  const { file, type, text } = EXPORTS.find((kind) => kind.file === byId('take').value) ?? EXPORTS[0];
  return { file, type, content: text({ ...shown, chart: shown.chart && chart.file }) };
}

async function copy() {
  if (!outcome) return;
  const said = byId('taken');
  try {
    await navigator.clipboard.writeText(taken(outcome).content);
    said.textContent = 'Copied.';
  } catch {
    said.textContent = 'The browser does not let this page write to the clipboard: download it instead.';
  }
}

function download() {
  if (!outcome) return;
  const { file, type, content } = taken(outcome);
  save(file, type, content);
  byId('taken').textContent = `Saved as ${file}.`;
}

/**
 * Restores the focus on the chosen entry after a table was replaced.
 * @param {string} id of the table
 */
function focusChosen(id) {
  /** @type {HTMLElement|null} */
  const button = byId(id).querySelector('[aria-pressed="true"]');
  button?.focus();
}

/**
 * The numeric values of a measure.
 * @param {Float64Array|string[]} values
 */
function numbers(values) {
  return values instanceof Float64Array ? values : new Float64Array();
}

judged = await loadJudgements('judgements.json');
byId('example-offer').hidden = judged.length === 0;

// The page that evaluates: judgements and runs in, tables and a chart out. An
// engine without a collection computes, in a worker.

import { Chart } from './eval/chart.js';
import { example } from './eval/example.js';
import { EXPORTS, save } from './eval/export.js';
import { Files } from './eval/files.js';
import { figure, signed } from './eval/format.js';
import { Measures } from './eval/measures.js';
import { encodeTasks, evaluateTasks } from './eval/pir.js';
import { isPIR, readJSON, tasksOf } from './eval/pirfile.js';
import { showBenchmark } from './eval/report.js';
import { QueryTable, comparable, showIntervals, showMeans, showPairs } from './eval/tables.js';
import { Vantage } from '../lib/index.js';
import { byId, count, el } from './parts/dom.js';
import { loadJudgements } from './parts/judgements.js';

const engine = Vantage.create({ encoder: null });
engine.catch(() => {}); // reported where it is awaited

const files = new Files(evaluate, showReport, showFault);
const measures = new Measures(evaluate);
const chart = new Chart();
const queryTable = new QueryTable();

/** The site's own queries with known answers, for the example. */
let judged = [];
/** What is shown: see export.js. */
let outcome = null;
/** What is looked at, as long as the next evaluation has it too. */
const chosen = { measure: '', pair: 0 };
/** Gives up the evaluation under way. */
let stop = new AbortController();

for (const id of ['complete', 'level', 'rounds', 'seed']) byId(id).addEventListener('change', evaluate);
byId('form').addEventListener('submit', (event) => event.preventDefault());
byId('example').addEventListener('click', showExample);
byId('copy').addEventListener('click', copy);
byId('download').addEventListener('click', download);

/** Evaluates every run; what was asked before is given up. */
async function evaluate() {
  stop.abort();
  stop = new AbortController();
  const { signal } = stop;
  const { qrels, runs } = files;
  const asked = measures.list;
  byId('fault').hidden = true;
  if (!qrels || runs.length === 0 || asked.length === 0 || !byId('form').reportValidity()) {
    byId('results').hidden = byId('working').hidden = true;
    return;
  }
  outcome = null;
  await work(signal, async (vantage) => {
    const evaluations = [];
    for (const run of runs) {
      working(`Evaluating ${run.name} …`);
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
    outcome = { evaluations, comparison: null, qrels, runs };
    const names = evaluations[0].measures.filter((name) => comparable(evaluations[0], name));
    if (!names.includes(chosen.measure)) chosen.measure = names[0] ?? '';
    await look(vantage, signal);
  });
}

/** Looks at the chosen measure, query by query. */
async function look(vantage, signal) {
  const { evaluations, qrels, runs } = outcome;
  outcome.comparison = null;
  showMeans(evaluations, chosen.measure, choose);
  const [first] = evaluations;
  const same = evaluations.every((e) => e.queries === first.queries);
  byId('summary').textContent =
    `${count(evaluations.length, 'run')} evaluated over ${count(first.queries, 'query', 'queries')}` +
    `${same ? '' : ' (the first; the others have other numbers)'}.`;
  byId('results').hidden = false;
  for (const id of ['differences', 'queries']) byId(id).hidden = true;
  offerExports();
  if (runs.length > 1 && chosen.measure) {
    working(`Testing ${chosen.measure} for differences …`);
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
    const { queries, values } = first.per_query;
    byId('queries').hidden = false;
    showQueries(
      `${chosen.measure} of ${first.run}, from the query with the greatest value to that with the least.`,
      queries,
      [{ name: chosen.measure, values: values[chosen.measure], write: figure }],
    );
  }
  offerExports();
}

async function choose(measure) {
  chosen.measure = measure;
  if (!outcome) return; // the evaluation under way will look at it
  stop.abort();
  stop = new AbortController();
  const { signal } = stop;
  await work(signal, (vantage) => look(vantage, signal));
  byId('means').querySelector('[aria-pressed="true"]')?.focus();
}

function showComparison() {
  const { comparison } = outcome;
  const pair = comparison.pairs[chosen.pair];
  byId('differences').hidden = false;
  byId('queries').hidden = false;
  byId('differences-hint').textContent =
    `By ${comparison.measure}, over ${count(comparison.queries, 'query', 'queries')} that at least one run answers; ` +
    `one that lacks a query has 0 for it. Intervals by bootstrap, both tests two-sided, Holm's correction over ` +
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
    byId('pairs').querySelector('[aria-pressed="true"]').focus();
  });
  const { queries, values } = comparison.per_query;
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

function showQueries(summary, queries, columns) {
  const { values, write } = columns.at(-1);
  byId('chart-summary').textContent = summary;
  chart.show(queries, values, write);
  queryTable.show(queries, columns);
}

/** Shows a report of the PIR benchmark, or makes one of the benchmark's own file; what was asked before is given up. */
async function showReport(file) {
  stop.abort();
  stop = new AbortController();
  const { signal } = stop;
  byId('fault').hidden = true;
  byId('benchmark').hidden = byId('locations').hidden = true;
  await work(signal, async (vantage) => {
    working(`Reading ${file.name} …`);
    const data = await readJSON(file);
    signal.throwIfAborted();
    if (!isPIR(data)) return showBenchmark(file.name, data);
    const tasks = tasksOf(file.name, data);
    const encoded = await encodeTasks(tasks, working, signal);
    const started = performance.now();
    const report = await evaluateTasks(vantage, file.name, tasks, encoded, working, signal);
    const seconds = ((performance.now() - started) / 1000).toFixed(2);
    signal.throwIfAborted();
    showBenchmark(
      file.name,
      report,
      `${count(tasks.length, 'task')} by every scoring method of ${encoded.retriever}, ranked and judged in ` +
        `${seconds} s. BM25 as the paper has it (rank_bm25's) is the command's alone.`,
    );
  });
}

async function showExample() {
  const button = byId('example');
  const say = (text) => {
    byId('example-state').textContent = text;
  };
  button.disabled = true;
  byId('fault').hidden = true;
  try {
    const { qrels, runs } = await example(judged, say);
    files.replace(qrels, runs);
  } catch (error) {
    showFault(error);
  } finally {
    say('');
    button.disabled = false;
  }
}

// Runs body with the engine, and shows that it is at work, and what went wrong.
async function work(signal, body) {
  working('Starting the engine …');
  try {
    await body(await engine);
  } catch (error) {
    if (signal.aborted) return; // something newer is under way
    if (!outcome) byId('results').hidden = true;
    showFault(error);
  } finally {
    if (!signal.aborted) byId('working').hidden = true;
  }
}

function working(text) {
  byId('working').hidden = false;
  byId('working-text').textContent = text;
}

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
  outcome.chart = byId('queries').hidden ? '' : chart.file;
  const select = byId('take');
  const before = select.value;
  select.replaceChildren(
    ...EXPORTS.filter(({ needs }) => !needs || needs(outcome)).map(({ name, file }) =>
      el('option', { value: file, selected: file === before }, name),
    ),
  );
  byId('taken').textContent = '';
}

function taken() {
  const { file, type, text } = EXPORTS.find((kind) => kind.file === byId('take').value);
  return { file, type, content: text({ ...outcome, chart: outcome.chart && chart.file }) };
}

async function copy() {
  if (!outcome) return;
  const said = byId('taken');
  try {
    await navigator.clipboard.writeText(taken().content);
    said.textContent = 'Copied.';
  } catch {
    said.textContent = 'The browser does not let this page write to the clipboard: download it instead.';
  }
}

function download() {
  if (!outcome) return;
  const { file, type, content } = taken();
  save(file, type, content);
  byId('taken').textContent = `Saved as ${file}.`;
}

judged = await loadJudgements('judgements.json');
byId('example-offer').hidden = judged.length === 0;

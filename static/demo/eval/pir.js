// Runs the PIR benchmark with the site's own encoder and every scoring method but those with
// angles. The result has the form of the report of `vantage eval pir --retriever static --json`.

import { METHODS, Vantage } from '../../lib/index.js';
import { biasOf, locationsOf, rootsOf } from './found.js';

/** @import { Task } from './pirfile.js' */

/** Texts encoded between two reports of progress. */
const BATCH = 256;

/** The values of k. */
const KS = [1, 5, 10];
const DEPTH = Math.max(...KS);

/** The notebook's modes but BM25, in its order, and add+; one of them scores like another. */
const DUAL_CONCAT = 'vec_dual_concat';
const MODES = METHODS.filter(({ angles }) => !angles).flatMap(({ name, aliases }) =>
  aliases.includes(DUAL_CONCAT) ? [name, DUAL_CONCAT] : [name],
);

/**
 * Methods for which the notebook uses query minus root as the perspective in tasks without
 * perspective texts.
 * @param {string} mode
 */
const takesDifference = (mode) => /cast|projection/.test(mode);

/**
 * @typedef {object} Vectors of a task's texts
 * @property {Float32Array[]} corpus
 * @property {Float32Array[]} queries
 * @property {Float32Array[]} roots
 * @property {Float32Array[]} perspectives
 */

/**
 * Vectors of all tasks by the encoder of the collection beside this page.
 * @param {import('./pirfile.js').Task[]} tasks
 * @param {(text: string) => void} say
 * @param {AbortSignal} [signal]
 * @returns {Promise<{retriever: string, vectors: Vectors[]}>}
 */
export async function encodeTasks(tasks, say, signal) {
  say('Opening the encoder …');
  const vantage = await Vantage.open('collection/', { signal });
  try {
    const { encodes, model } = vantage.info;
    if (!encodes) {
      throw new Error(
        'The collection of this site carries no encoder, so this page cannot turn the texts into vectors: use ' +
          '`vantage eval pir`, and drop its JSON here.',
      );
    }
    const vectors = [];
    for (const task of tasks) vectors.push(await encodeTask(vantage, task, say, signal));
    return { retriever: model.id, vectors };
  } finally {
    vantage.close();
  }
}

/**
 * @param {Vantage} vantage
 * @param {Task} task
 * @param {(text: string) => void} say
 * @param {AbortSignal} [signal]
 */
async function encodeTask(vantage, { name, corpus, queries, roots, perspectives }, say, signal) {
  /** @type {Map<string, Float32Array>} */
  const known = new Map(); // each text is encoded once: roots and perspectives are repeated
  const texts = [...new Set([...corpus, ...queries, ...roots, ...perspectives])];
  for (let at = 0; at < texts.length; at += BATCH) {
    signal?.throwIfAborted();
    say(`Encoding ${name}: ${at} of ${texts.length} texts …`);
    const batch = texts.slice(at, at + BATCH);
    (await vantage.encode(batch)).forEach(({ vector }, i) => known.set(batch[i], vector));
  }
  const of = (/** @type {string[]} */ list) => list.map((text) => known.get(text) ?? new Float32Array());
  return { corpus: of(corpus), queries: of(queries), roots: of(roots), perspectives: of(perspectives) };
}

/**
 * Ranks and judges every task by every method.
 * @param {import('../../lib/index.js').Vantage} engine
 * @param {string} data its name
 * @param {import('./pirfile.js').Task[]} tasks
 * @param {{retriever: string, vectors: Vectors[]}} encoded
 * @param {(text: string) => void} say
 * @param {AbortSignal} [signal]
 */
export async function evaluateTasks(engine, data, tasks, { retriever, vectors }, say, signal) {
  const results = [];
  for (const [t, task] of tasks.entries()) {
    say(`Ranking ${task.name} by ${MODES.length} methods …`);
    results.push([task.name, await evaluateTask(engine, task, vectors[t], retriever, signal)]);
  }
  return { data, tasks: Object.fromEntries(results) };
}

/**
 * @param {Vantage} engine
 * @param {Task} task
 * @param {Vectors} vectors
 * @param {string} retriever
 * @param {AbortSignal} [signal]
 */
async function evaluateTask(engine, task, { corpus, queries, roots, perspectives }, retriever, signal) {
  const shared = rootsOf(task);
  /** @param {Omit<import('../../lib/index.js').Questions, 'vectors'|'k'|'signal'>} question */
  const rank = (question) => engine.rankings({ vectors: corpus, k: DEPTH, signal, ...question });
  const { query_cosine: rootRankings } = await rank({
    queries: shared.map(({ queries: [first] }) => roots[first]),
    methods: ['query_cosine'],
  });
  const own = task.perspectives.some((text, i) => text !== task.queries[i]);
  const rankings = await rank({
    queries,
    roots,
    perspectives,
    methods: MODES.filter((mode) => own || !takesDifference(mode)),
  });
  if (!own) Object.assign(rankings, await rank({ queries, roots, methods: MODES.filter(takesDifference) }));

  const judged = await engine.judge({ rankings: rootRankings, gold: shared.map(({ gold }) => gold), ks: KS });
  const root = { n: shared.length, ...judged.recall.overall };
  const bias = await biasOf(engine, task, shared, rootRankings, KS);
  const results = [];
  for (const mode of MODES) {
    signal?.throwIfAborted();
    const { n, recall, p_recall, p_recall_notebook, p_recall_by_unique_perspective } = await engine.judge({
      rankings: rankings[mode],
      gold: task.gold,
      roots: task.roots,
      perspectives: task.perspectives,
      labels: task.labels,
      ks: KS,
    });
    const locations = await locationsOf(engine, task, rankings[mode], rootRankings);
    const unanswered = rankings[mode].filter((found) => found.length === 0).length;
    results.push([
      mode,
      {
        retriever,
        n,
        recall,
        p_recall,
        p_recall_notebook,
        p_recall_by_unique_perspective,
        root,
        bias,
        ...(locations && { locations }),
        ...(unanswered && { unanswered }),
      },
    ]);
  }
  return Object.fromEntries(results);
}

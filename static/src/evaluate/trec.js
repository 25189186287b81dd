// Runs and judgements in TREC's format, evaluated by the engine as `vantage eval trec` and
// `vantage eval compare` do.

import * as abi from '../engine/abi.js';
import { FormatError, QueryError } from '../errors.js';
import { writeFields } from '../engine/request.js';
import { shown } from '../query/values.js';
import { named, opened } from './runfiles.js';
import { compareMeasure } from './significance.js';

/**
 * @import { Core } from '../engine/core.js'
 * @import { Handles } from './runfiles.js'
 */

/** The defaults of `vantage eval compare`. */
const ROUNDS = 10_000;
const SEED = 1;

/**
 * @param {Core} core
 * @param {import('../../lib/evaluate/evaluation.d.ts').EvaluateOptions} input
 * @param {AbortSignal} [signal]
 * @returns {Promise<import('../../lib/evaluate/evaluation.d.ts').Evaluation>}
 */
export async function evaluate(core, input, signal) {
  const {
    qrels,
    run,
    measures = [],
    level = 1,
    complete = false,
    judgedOnly = false,
    maxRetrieved = 0,
    collection = 0,
    perQuery = false,
  } = input ?? {};
  const files = {
    qrels: named('evaluate: qrels', qrels),
    runs: [named('evaluate: run', run)],
    measures: checkMeasures('evaluate', measures),
  };
  const request = {
    measures: files.measures,
    level: whole('evaluate: level', level, 1),
    flags: (complete ? abi.EVALUATE_COMPLETE : 0) | (judgedOnly ? abi.EVALUATE_JUDGED_ONLY : 0),
    maxRetrieved: whole('evaluate: maxRetrieved', maxRetrieved, 0),
    collection: whole('evaluate: collection', collection, 0),
  };
  const { names, kinds, values, averages, queries, count, runId, texts } = await opened(
    core,
    files,
    signal,
    (handles) => {
      try {
        return ask(core, 'run_evaluate', handles, request);
      } catch (error) {
        throw naming(error, `${files.runs[0].name} against ${files.qrels.name}`);
      }
    },
  );
  const average = (/** @type {number} */ at) => (kinds[at] & abi.VALUE_TEXT ? runId : averages[at]);
  /** @type {[name: string, values: Float64Array|string[]][]} */
  const columns = names.map((name, at) => [
    name,
    kinds[at] & abi.VALUE_TEXT ? texts : values.slice(at * queries.length, (at + 1) * queries.length),
  ]);
  return {
    run: files.runs[0].name,
    run_id: runId,
    queries: count,
    measures: names,
    averages: Object.fromEntries(
      names
        .map((name, at) => [name, average(at)])
        .filter(
          (_, at) =>
            kinds[at] & abi.VALUE_AVERAGED || (kinds[at] & abi.VALUE_TEXT && !(kinds[at] & abi.VALUE_PER_QUERY)),
        ),
    ),
    ...(perQuery && {
      per_query: { queries, values: Object.fromEntries(columns.filter((_, at) => kinds[at] & abi.VALUE_PER_QUERY)) },
    }),
  };
}

/**
 * @param {Core} core
 * @param {import('../../lib/evaluate/evaluation.d.ts').CompareOptions} input
 * @param {AbortSignal} [signal]
 * @returns {Promise<import('../../lib/evaluate/evaluation.d.ts').Comparison[]>}
 */
export async function compare(core, input, signal) {
  const {
    qrels,
    runs,
    measures,
    level = 1,
    complete = false,
    rounds = ROUNDS,
    seed = SEED,
    perQuery = false,
  } = input ?? {};
  if (!Array.isArray(runs) || runs.length < 2) throw new QueryError('compare: runs must be a list of two or more');
  if (!Array.isArray(measures) || measures.length === 0) {
    throw new QueryError('compare: name a measure, such as "nDCG@10"');
  }
  const files = {
    qrels: named('compare: qrels', qrels),
    runs: runs.map((/** @type {unknown} */ run, /** @type {number} */ i) => named(`compare: runs[${i}]`, run)),
    measures: checkMeasures('compare', measures),
  };
  const draws = {
    rounds: whole('compare: rounds', rounds, 1, 10_000_000),
    seed: whole('compare: seed', seed, 0, Number.MAX_SAFE_INTEGER),
  };
  const request = {
    measures: files.measures,
    level: whole('compare: level', level, 1),
    flags: complete ? abi.EVALUATE_COMPLETE : 0,
  };
  const { names, values, queries, missing } = await opened(core, files, signal, (handles) =>
    ask(core, 'runs_compare', handles, request),
  );
  /** @type {import('../../lib/evaluate/evaluation.d.ts').Comparison[]} */
  const out = [];
  for (const [at, measure] of names.entries()) {
    const columns = files.runs.map((_, r) => {
      const first = (at * files.runs.length + r) * queries.length;
      return values.slice(first, first + queries.length);
    });
    const tested = await compareMeasure(core, columns, draws, signal);
    out.push({
      measure,
      queries: queries.length,
      confidence: 0.95,
      ...draws,
      runs: files.runs.map(({ name }, r) => ({ run: name, ...tested.runs[r], missing: missing[r] })),
      pairs: tested.pairs.map(({ a, b, ...pair }) => ({ a: files.runs[a].name, b: files.runs[b].name, ...pair })),
      ...(perQuery && { per_query: { queries, values: columns } }),
    });
  }
  return out;
}

/**
 * One call that fills an Evaluation, copied out of the engine.
 * @param {Core} core
 * @param {string} call
 * @param {Handles} handles
 * @param {{measures: string, level: number, flags: number, maxRetrieved?: number, collection?: number}} request
 */
function ask(core, call, { qrels, runs }, { measures, ...options }) {
  return core.scoped((scope) => {
    const request = scope.reserve(abi.EvaluateRequest.size);
    const evaluation = scope.reserve(abi.Evaluation.size);
    const [text, length] = scope.text(measures);
    const fields = {
      ...options,
      qrels,
      runs: scope.copy(Uint32Array.from(runs)),
      runCount: runs.length,
      measures: text,
      measuresLength: length,
    };
    const view = core.view(request, abi.EvaluateRequest.size);
    writeFields(view, abi.EvaluateRequest, fields);
    core.checked(call, request, evaluation);

    const out = core.view(evaluation, abi.Evaluation.size);
    /** @typedef {keyof typeof abi.Evaluation} Field */
    const field = (/** @type {Field} */ name) => out.getUint32(abi.Evaluation[name], true);
    /**
     * @param {Field} at
     * @param {Field} length
     */
    const textAt = (at, length) => core.text(field(at), field(length));
    /**
     * @param {Field} name
     * @param {number} n
     */
    const doubles = (name, n) =>
      n > 0 && field(name) > 0
        ? new Float64Array(core.exports.mem.buffer, field(name), n).slice()
        : new Float64Array(0);
    /**
     * @param {Field} name
     * @param {number} n
     */
    const integers = (name, n) =>
      n > 0 && field(name) > 0 ? new Uint32Array(core.exports.mem.buffer, field(name), n).slice() : new Uint32Array(0);
    const names = textAt('names', 'namesLength').split('\n');
    const n = field('queryCount');
    return {
      names,
      kinds: integers('kinds', names.length),
      values: doubles('values', names.length * runs.length * n),
      averages: doubles('averages', names.length),
      queries: n > 0 ? textAt('queries', 'queriesLength').split('\n') : [],
      texts: textAt('texts', 'textsLength').split('\n'),
      count: field('count'),
      runId: textAt('runID', 'runIDLength'),
      missing: integers('missing', runs.length),
    };
  });
}

/**
 * @param {string} call
 * @param {unknown} measures
 */
function checkMeasures(call, measures) {
  if (!Array.isArray(measures) || !measures.every((m) => typeof m === 'string' && m !== '' && !m.includes('\n'))) {
    throw new QueryError(`${call}: measures must be a list of names, such as "map" or "nDCG@10"`);
  }
  return measures.join('\n');
}

/**
 * @param {string} what
 * @param {unknown} value
 * @param {number} least
 * @param {number} [most]
 * @returns {number}
 */
function whole(what, value, least, most = 2 ** 31 - 1) {
  const number = Number(value);
  if (!Number.isSafeInteger(value) || number < least || number > most) {
    throw new QueryError(`${what}: ${shown(value)} is not a whole number from ${least} to ${most}`);
  }
  return number;
}

/**
 * @param {unknown} error
 * @param {string} what
 */
function naming(error, what) {
  return error instanceof FormatError ? new FormatError(`${what}: ${error.message}`, { ...error }) : error;
}

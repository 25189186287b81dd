// Runs and judgements in TREC's format, evaluated by the engine as `vantage eval trec` and
// `vantage eval compare` do. An engine loads this when it is first needed.

import * as abi from '../engine/abi.js';
import { FormatError, LimitError, QueryError } from '../errors.js';
import { gunzip, isGzip } from '../collection/gunzip.js';
import { writeFields } from '../engine/request.js';
import { Scope } from '../engine/scope.js';
import { isNamed, messageOf } from '../thrown.js';
import { compareMeasure } from './significance.js';

/**
 * @import { Core } from '../engine/core.js'
 * @typedef {{name: string, content: Blob|Uint8Array}} NamedFile
 * @typedef {{qrels: NamedFile, runs: NamedFile[], measures: string}} Files
 * @typedef {{qrels: number, runs: number[]}} Handles of files that the engine has read
 * @typedef {'qrels'|'run'} Kind of a file
 */

/** Most characters of a name, which goes into messages. */
const MAX_NAME = 300;

/** Most bytes that a gzipped file may hold; others are bounded by the engine's memory. */
const MAX_GUNZIPPED = 2 ** 29;

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
 * Reads the files into the engine, one after the other, and releases them when
 * body has ended.
 * @template T
 * @param {Core} core
 * @param {Files} files
 * @param {AbortSignal|undefined} signal
 * @param {(handles: Handles) => T} body
 * @returns {Promise<T>}
 */
async function opened(core, { qrels, runs, measures }, signal, body) {
  /** @type {[Kind, number][]} */
  const open = [];
  /**
   * @param {Kind} kind
   * @param {NamedFile} file
   * @param {...string} texts
   */
  const read = async (kind, file, ...texts) => {
    const handle = await readFile(core, kind, file, texts, signal);
    open.push([kind, handle]);
    return handle;
  };
  try {
    const judgements = await read('qrels', qrels, measures); // they decide whether subtopics are read
    const handles = [];
    for (const run of runs) handles.push(await read('run', run));
    return body({ qrels: judgements, runs: handles });
  } finally {
    if (!core.lost) for (const [kind, handle] of open) core.checked(`${kind}_close`, handle);
  }
}

/**
 * @param {Core} core
 * @param {Kind} kind
 * @param {NamedFile} file
 * @param {string[]} texts
 * @param {AbortSignal} [signal]
 */
async function readFile(core, kind, { name, content: stored }, texts, signal) {
  const scope = new Scope(core);
  try {
    const content = await unpacked(name, stored);
    signal?.throwIfAborted();
    if (core.lost) throw core.lost;
    const length = content instanceof Blob ? content.size : content.byteLength;
    const pointer = scope.reserve(length);
    if (content instanceof Blob) await fill(core, pointer, name, content, signal);
    else core.bytes(pointer, length).set(content);
    return core.checked(`${kind}_open`, pointer, length, ...[name, ...texts].flatMap((text) => scope.text(text)));
  } catch (error) {
    throw located(error, name);
  } finally {
    scope.close();
  }
}

/**
 * The unpacked content of a file, which may be gzipped whatever its name is.
 * @param {string} name
 * @param {NamedFile['content']} content
 */
async function unpacked(name, content) {
  try {
    const head = content instanceof Blob ? new Uint8Array(await content.slice(0, 2).arrayBuffer()) : content;
    if (!isGzip(head)) return content;
    const bytes = content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content;
    return await gunzip(bytes, MAX_GUNZIPPED, name);
  } catch (error) {
    if (error instanceof LimitError) {
      throw new LimitError(
        `${name}: expands beyond ${MAX_GUNZIPPED} bytes: unpack it, split it by queries, or use the vantage command`,
        { file: name, limit: MAX_GUNZIPPED },
      );
    }
    if (!isNamed(error, 'NotReadableError') && !isNamed(error, 'NotFoundError')) throw error;
    throw unreadable(name, error);
  }
}

/**
 * @param {string} name
 * @param {unknown} cause
 */
const unreadable = (name, cause) =>
  new FormatError(`${name}: it cannot be read (${messageOf(cause)}): was it changed or moved?`, { file: name });

/**
 * Copies a file into the engine in pieces, so that it is never in memory twice.
 * @param {Core} core
 * @param {number} pointer
 * @param {string} name
 * @param {Blob} blob
 * @param {AbortSignal} [signal]
 */
async function fill(core, pointer, name, blob, signal) {
  const reader = blob.stream().getReader();
  for (let at = pointer; ;) {
    const { done, value } = await reader.read().catch((cause) => {
      throw unreadable(name, cause);
    });
    if (signal?.aborted) await reader.cancel();
    signal?.throwIfAborted();
    if (core.lost) throw core.lost;
    if (done) return;
    core.bytes(at, value.length).set(value);
    at += value.length;
  }
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
 * The name and bytes of a file that the page gives.
 * @param {string} what
 * @param {any} file any: it comes from the page and is checked here
 * @returns {NamedFile}
 */
function named(what, file) {
  const { name, content } =
    file instanceof Blob ? { name: /** @type {File} */ (file).name, content: file } : (file ?? {});
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) {
    throw new QueryError(
      `${what}: a File, or { name, content }, is expected; the name has 1 to ${MAX_NAME} characters`,
    );
  }
  if (content instanceof Blob || content instanceof Uint8Array) return { name, content };
  if (content instanceof ArrayBuffer) return { name, content: new Uint8Array(content) };
  if (typeof content === 'string') return { name, content: new TextEncoder().encode(content) };
  throw new QueryError(`${what}: the content of ${name} must be a text, a Blob, an ArrayBuffer or a Uint8Array`);
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
    throw new QueryError(`${what}: ${JSON.stringify(value)} is not a whole number from ${least} to ${most}`);
  }
  return number;
}

/**
 * Adds file and line to an error about a file.
 * @param {any} error any: a catch clause may catch anything
 * @param {string} file
 */
function located(error, file) {
  const known = error.file !== undefined;
  if (error instanceof LimitError && !known) {
    return new LimitError(
      `${file}: too large for the engine's memory (${error.message.split(':')[1].trim()}): split it by queries, or ` +
        `use the vantage command`,
      { ...error, file },
    );
  }
  if (!(error instanceof FormatError) || known) return error;
  const line = error.message.startsWith(`${file}:`) ? /^:(\d+): /.exec(error.message.slice(file.length)) : null;
  return new FormatError(error.message, { ...error, file, ...(line && { line: Number(line[1]) }) });
}

/**
 * @param {unknown} error
 * @param {string} what
 */
function naming(error, what) {
  return error instanceof FormatError ? new FormatError(`${what}: ${error.message}`, { ...error }) : error;
}

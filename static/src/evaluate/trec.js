// Runs and judgements in TREC's format, evaluated by the engine as
// `vantage eval trec` and `vantage eval compare` do. An engine loads this where it is asked.

import * as abi from '../engine/abi.js';
import { FormatError, LimitError, QueryError } from '../errors.js';
import { gunzip, isGzip } from '../collection/gunzip.js';
import { Scope } from '../engine/scope.js';
import { compareMeasure } from './significance.js';

/** Most of a name, in characters: it goes into messages. */
const MAX_NAME = 300;

/** Most bytes that a gzipped file may hold; others are bounded by the engine's memory. */
const MAX_GUNZIPPED = 2 ** 29;

/** The defaults of `vantage eval compare`. */
const ROUNDS = 10_000;
const SEED = 1;

/**
 * @param {import('../engine/core.js').Core} core
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
  const average = (at) => (kinds[at] & abi.VALUE_TEXT ? runId : averages[at]);
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
 * @param {import('../engine/core.js').Core} core
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
    runs: runs.map((run, i) => named(`compare: runs[${i}]`, run)),
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

// Reads the files into the engine, one after the other, for as long as body
// runs.
async function opened(core, { qrels, runs, measures }, signal, body) {
  const open = [];
  const read = async (kind, file, ...texts) => {
    const handle = await readFile(core, kind, file, texts, signal);
    open.push([kind, handle]);
    return handle;
  };
  try {
    const judgements = await read('qrels', qrels, measures); // which say whether subtopics are read
    const handles = [];
    for (const run of runs) handles.push(await read('run', run));
    return body({ qrels: judgements, runs: handles });
  } finally {
    if (!core.lost) for (const [kind, handle] of open) core.checked(`${kind}_close`, handle);
  }
}

async function readFile(core, kind, { name, content: stored }, texts, signal) {
  const scope = new Scope(core);
  try {
    const content = await unpacked(name, stored);
    signal?.throwIfAborted();
    if (core.lost) throw core.lost;
    const length = content.size ?? content.byteLength;
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

// A file may be gzipped, whatever its name is.
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
    if (error.name !== 'NotReadableError' && error.name !== 'NotFoundError') throw error;
    throw unreadable(name, error);
  }
}

const unreadable = (name, cause) =>
  new FormatError(`${name}: it cannot be read (${cause.message}): was it changed or moved?`, { file: name });

// A file of any size goes over in pieces, so that it is never there twice.
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

/** One call that fills an Evaluation, copied out of the engine. */
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
    for (const [name, value] of Object.entries(fields)) view.setUint32(abi.EvaluateRequest[name], value, true);
    core.checked(call, request, evaluation);

    const out = core.view(evaluation, abi.Evaluation.size);
    const field = (name) => out.getUint32(abi.Evaluation[name], true);
    const lines = (name) => core.text(field(name), field(`${name}Length`));
    const array = (Type, name, n) =>
      n > 0 && field(name) > 0 ? new Type(core.exports.mem.buffer, field(name), n).slice() : new Type(0);
    const names = lines('names').split('\n');
    const n = field('queryCount');
    return {
      names,
      kinds: array(Uint32Array, 'kinds', names.length),
      values: array(Float64Array, 'values', names.length * runs.length * n),
      averages: array(Float64Array, 'averages', names.length),
      queries: n > 0 ? lines('queries').split('\n') : [],
      texts: lines('texts').split('\n'),
      count: field('count'),
      runId: core.text(field('runID'), field('runIDLength')),
      missing: array(Uint32Array, 'missing', runs.length),
    };
  });
}

/** A file as the page gives it: its name and its bytes. */
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

function checkMeasures(call, measures) {
  if (!Array.isArray(measures) || !measures.every((m) => typeof m === 'string' && m !== '' && !m.includes('\n'))) {
    throw new QueryError(`${call}: measures must be a list of names, such as "map" or "nDCG@10"`);
  }
  return measures.join('\n');
}

function whole(what, value, least, most = 2 ** 31 - 1) {
  if (!Number.isSafeInteger(value) || value < least || value > most) {
    throw new QueryError(`${what}: ${JSON.stringify(value)} is no whole number from ${least} to ${most}`);
  }
  return value;
}

/**
 * What is wrong with a file says which file and line.
 * @param {any} error
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

function naming(error, what) {
  return error instanceof FormatError ? new FormatError(`${what}: ${error.message}`, { ...error }) : error;
}

// The metrics of perspective-aware retrieval: recall of each query's gold,
// overall, by label and by root query. An engine runs this for `judge`.

import { JudgeRequest, JudgeValues } from '../engine/abi.js';
import { writeFields } from '../engine/request.js';
import { LimitError, QueryError } from '../errors.js';

/** Most ks of one call: a longer list is a mistake. */
const MAX_KS = 1000;

/**
 * @param {import('../engine/core.js').Core} core
 * @param {import('../../lib/evaluate/evaluation.d.ts').Judged} input
 * @returns {import('../../lib/evaluate/evaluation.d.ts').Judgement}
 */
export function judge(core, input) {
  const { ks = [1, 5, 10] } = input ?? {};
  const rankings = lists('rankings', input?.rankings);
  const n = rankings.ends.length;
  const gold = lists('gold', input.gold, n);
  const roots = numbered('roots', input.roots, n);
  const perspectives = numbered('perspectives', input.perspectives, n);
  const labels = numbered('labels', input.labels, n);
  if (!Array.isArray(ks) || ks.length > MAX_KS || !ks.every((k) => Number.isInteger(k) && k >= 1 && k < 2 ** 31)) {
    throw new QueryError(`judge: ks must be a list of whole numbers from 1 on, at most ${MAX_KS}`);
  }
  const width = JudgeValues.size / 8 + labels.texts.length;
  if (width * ks.length > 1e7) {
    throw new LimitError(`judge: ${labels.texts.length} labels at ${ks.length} ks, at most 10 million values`, {
      limit: 1e7,
    });
  }

  const { ranks, values } = core.scoped((scope) => {
    const request = scope.reserve(JudgeRequest.size);
    /** @type {{[Name in keyof Omit<typeof JudgeRequest, 'size'>]: number|null}} */
    const fields = {
      queries: n,
      rankings: scope.copy(rankings.values),
      rankingEnds: scope.copy(rankings.ends),
      gold: scope.copy(gold.values),
      goldEnds: scope.copy(gold.ends),
      roots: roots.codes && scope.copy(roots.codes),
      perspectives: perspectives.codes && scope.copy(perspectives.codes),
      labels: labels.codes && scope.copy(labels.codes),
      labelCount: labels.texts.length,
      ks: scope.copy(Uint32Array.from(ks)),
      kCount: ks.length,
    };
    const first = scope.reserve(4 * n);
    const out = scope.reserve(8 * width * ks.length);
    const view = core.view(request, JudgeRequest.size);
    writeFields(view, JudgeRequest, fields);
    core.checked('metrics_judge', request, first, out);
    const { buffer } = core.exports.mem;
    return {
      ranks: new Uint32Array(buffer, first, n).slice(),
      values: new Float64Array(buffer, out, width * ks.length).slice(),
    };
  });

  const byK = (/** @type {number} */ at) => Object.fromEntries(ks.map((k, i) => [k, values[i * width + at]]));
  const field = (/** @type {keyof typeof JudgeValues} */ name) => byK(JudgeValues[name] / 8);
  return {
    n,
    ranks: [...ranks],
    recall: {
      overall: field('recall'),
      ...(labels.codes && {
        macro: field('macroRecall'),
        per_label: Object.fromEntries(
          labels.texts.map((text, i) => [text, { n: labels.counts[i], ...byK(JudgeValues.size / 8 + i) }]),
        ),
      }),
    },
    ...(roots.codes && {
      roots: roots.texts.length,
      p_recall: field('pRecall'),
      p_recall_notebook: field('pRecallNotebook'),
      ...(perspectives.codes && { p_recall_by_unique_perspective: field('pRecallByUniquePerspective') }),
    }),
  };
}

/**
 * Concatenates lists of corpus indexes, and notes where each ends.
 * @param {string} name
 * @param {unknown} given
 * @param {number} [n]
 */
function lists(name, given, n) {
  if (!Array.isArray(given)) {
    throw new QueryError(`judge: ${name} must be a list with one list of corpus indexes for each query`);
  }
  if (n !== undefined && given.length !== n) {
    throw new QueryError(`judge: ${given.length} lists of ${name} for ${n} rankings`);
  }
  /** @type {number[]} */
  const all = [];
  const ends = new Uint32Array(given.length);
  given.forEach((list, i) => {
    if (!Array.isArray(list) && !ArrayBuffer.isView(list)) throw new QueryError(`judge: ${name}[${i}] is not a list`);
    for (const index of /** @type {Iterable<number>} */ (/** @type {unknown} */ (list))) {
      if (!Number.isInteger(index) || index < 0 || index >= 2 ** 32) {
        throw new QueryError(`judge: ${name}[${i}] has ${String(index)}, which is not a corpus index`);
      }
      all.push(index);
    }
    ends[i] = all.length;
  });
  return { values: Uint32Array.from(all), ends };
}

/**
 * Distinct texts in the order in which they first appear, and each query's number among them.
 * @param {string} name
 * @param {unknown} given
 * @param {number} n
 */
function numbered(name, given, n) {
  if (given === undefined || given === null) return { codes: null, texts: [], counts: [] };
  if (!Array.isArray(given) || given.length !== n) {
    throw new QueryError(`judge: ${name} must be a list of ${n} texts, one for each ranking`);
  }
  /** @type {Map<string, number>} */
  const numbers = new Map();
  /** @type {number[]} */
  const counts = [];
  const codes = Uint32Array.from(given, (text, i) => {
    if (typeof text !== 'string') throw new QueryError(`judge: ${name}[${i}] is not a text`);
    const number = numbers.get(text) ?? counts.push(0) - 1;
    numbers.set(text, number);
    counts[number]++;
    return number;
  });
  return { codes, texts: [...numbers.keys()], counts };
}

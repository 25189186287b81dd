// Tests whether runs differ, like `vantage eval compare`.

import { MeanInterval, PairTest } from '../engine/abi.js';
import { turn } from '../turn.js';

/**
 * @import { Core } from '../engine/core.js'
 * @import { Comparison } from '../../lib/evaluate/evaluation.d.ts'
 * @typedef {Omit<Comparison['pairs'][number], 'a'|'b'> & {a: number, b: number}} Pair of runs, by number
 */

/**
 * @param {Core} core
 * @param {Float64Array[]} columns a value for each query, for each run
 * @param {{rounds: number, seed: number}} draws
 * @param {AbortSignal} [signal]
 * @returns {Promise<{runs: {mean: number, low: number, high: number}[], pairs: Pair[]}>}
 */
export async function compareMeasure(core, columns, { rounds, seed }, signal) {
  const n = columns[0].length;
  const runs = [];
  for (const values of columns) {
    await turn(signal);
    runs.push(call(core, 'significance_mean', [values], n, rounds, seed, MeanInterval));
  }
  const pairs = [];
  for (let a = 0; a < columns.length; a++) {
    for (let b = a + 1; b < columns.length; b++) {
      await turn(signal);
      const { difference, low, high, better, worse, t, ptTest, randomization } = call(
        core,
        'significance_pair',
        [columns[a], columns[b]],
        n,
        rounds,
        seed,
        PairTest,
      );
      pairs.push({
        a,
        b,
        difference,
        low,
        high,
        better,
        worse,
        t: Number.isFinite(t) ? t : null,
        p_t_test: ptTest,
        p_randomization: randomization,
      });
    }
  }
  const t = pairs.map((pair) => pair.p_t_test);
  const randomization = pairs.map((pair) => pair.p_randomization);
  const corrected = { t: holm(core, t), randomization: holm(core, randomization) };
  return {
    runs,
    pairs: pairs.map(({ p_t_test, p_randomization, ...pair }, i) => ({
      ...pair,
      p_t_test,
      p_t_test_holm: corrected.t[i],
      p_randomization,
      p_randomization_holm: corrected.randomization[i],
    })),
  };
}

/**
 * A call whose result is a struct, read field by field.
 * @template {{size: number}} S
 * @param {Core} core
 * @param {string} name
 * @param {Float64Array[]} columns
 * @param {number} n
 * @param {number} rounds
 * @param {number} seed
 * @param {S} struct
 */
function call(core, name, columns, n, rounds, seed, struct) {
  return core.scoped((scope) => {
    const result = scope.reserve(struct.size);
    core.checked(name, ...columns.map((values) => scope.copy(values)), n, rounds, result, seed);
    const view = core.view(result, struct.size);
    const fields = Object.entries(struct).filter(([field]) => field !== 'size');
    return /** @type {{[Field in keyof Omit<S, 'size'>]: number}} */ (
      Object.fromEntries(
        fields.map(([field, at]) => [
          field,
          field === 'better' || field === 'worse' ? view.getUint32(at, true) : view.getFloat64(at, true),
        ]),
      )
    );
  });
}

/**
 * @param {Core} core
 * @param {number[]} p
 * @returns {number[]}
 */
function holm(core, p) {
  return core.scoped((scope) => {
    const values = scope.copy(Float64Array.from(p));
    core.checked('significance_holm', values, p.length);
    return [...new Float64Array(core.exports.mem.buffer, values, p.length)];
  });
}

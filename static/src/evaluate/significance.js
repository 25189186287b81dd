// Whether runs differ: the tests of `vantage eval compare`, by the engine, in
// steps between which the worker hears what else it is asked.

import { MeanInterval, PairTest } from '../engine/abi.js';

/**
 * @param {import('../engine/core.js').Core} core
 * @param {Float64Array[]} columns a value for each query, for each run
 * @param {{rounds: number, seed: number}} draws
 * @param {AbortSignal} [signal]
 * @returns {Promise<{runs: {mean: number, low: number, high: number}[], pairs: object[]}>}
 */
export async function compareMeasure(core, columns, { rounds, seed }, signal) {
  const n = columns[0].length;
  const runs = [];
  for (const values of columns) {
    await breath(signal);
    runs.push(call(core, 'significance_mean', [values], n, rounds, seed, MeanInterval));
  }
  const pairs = [];
  for (let a = 0; a < columns.length; a++) {
    for (let b = a + 1; b < columns.length; b++) {
      await breath(signal);
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
        p_t_test_holm: 0,
        p_randomization: randomization,
        p_randomization_holm: 0,
      });
    }
  }
  for (const test of ['p_t_test', 'p_randomization']) {
    const corrected = holm(
      core,
      pairs.map((pair) => pair[test]),
    );
    pairs.forEach((pair, i) => {
      pair[`${test}_holm`] = corrected[i];
    });
  }
  return { runs, pairs };
}

/** A call whose outcome is a struct, read field by field. */
function call(core, name, columns, n, rounds, seed, struct) {
  return core.scoped((scope) => {
    const result = scope.reserve(struct.size);
    core.checked(name, ...columns.map((values) => scope.copy(values)), n, rounds, result, seed);
    const view = core.view(result, struct.size);
    const { size, ...fields } = struct;
    return Object.fromEntries(
      Object.entries(fields).map(([field, at]) => [
        field,
        field === 'better' || field === 'worse' ? view.getUint32(at, true) : view.getFloat64(at, true),
      ]),
    );
  });
}

function holm(core, p) {
  return core.scoped((scope) => {
    const values = scope.copy(Float64Array.from(p));
    core.checked('significance_holm', values, p.length);
    return [...new Float64Array(core.exports.mem.buffer, values, p.length)];
  });
}

/** Lets messages in; throws where one of them gave this up. */
async function breath(signal) {
  await new Promise((resolve) => setTimeout(resolve));
  signal?.throwIfAborted();
}

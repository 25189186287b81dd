// The evaluations that an engine computes for a page, by name.

import { judge } from './judge.js';
import { portions } from './portions.js';
import { rankings } from './rankings.js';
import { compare, evaluate } from './trec.js';

const MEASURES = { compare, evaluate, judge, portions, rankings };

/** @typedef {keyof typeof MEASURES} Task */

export class Measures {
  /** @param {import('../engine/core.js').Core} core */
  constructor(core) {
    this.core = core;
  }

  /**
   * Judges, evaluates or compares: see evaluation.d.ts.
   * @param {Task} task
   * @param {any} input any: what a page gives is checked there
   * @param {AbortSignal|undefined} signal
   * @returns {Promise<any>} any: Vantage has the type of each
   */
  async measure(task, input, signal) {
    return MEASURES[task](this.core, input, signal);
  }
}

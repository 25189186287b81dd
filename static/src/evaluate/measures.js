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
   * Runs one of MEASURES: see evaluation.d.ts.
   * @param {Task} task
   * @param {any} input any: the task checks what the page gives
   * @param {AbortSignal|undefined} signal
   * @returns {Promise<any>} any: class Vantage declares the type of each task's result
   */
  async measure(task, input, signal) {
    return MEASURES[task](this.core, input, signal);
  }
}

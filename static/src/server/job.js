// One call of ServerEncoder.encode: its texts get their vectors in any order,
// over any number of requests and connections.

import { UnavailableError } from '../errors.js';

/**
 * @import { ServerModel } from '../../lib/server.d.ts'
 * @import { DType, Role } from './wire.js'
 * @typedef {{vector: Float32Array, tokens: number, truncated: boolean}} Answer for a text
 */

export class Job {
  settled = false;

  #until;
  #timer;
  #open;
  /** @type {Answer[]} */
  #answers;
  /** @type {(error?: unknown) => void} */
  #finish = () => {};

  /**
   * @param {string[]} texts
   * @param {object} options
   * @param {Role} options.role
   * @param {DType} options.dtype
   * @param {number} options.deadline milliseconds for the whole call
   * @param {boolean} options.hasty fails as soon as the server is unreachable
   * @param {ServerModel|null} [options.model] that must answer
   * @param {AbortSignal} [options.signal]
   * @param {(job: Job, failed: boolean) => void} done called at the end
   */
  constructor(texts, { role, dtype, deadline, hasty, model, signal }, done) {
    const utf8 = new TextEncoder();
    this.texts = texts.map((text) => utf8.encode(text));
    this.role = role;
    this.dtype = dtype;
    this.hasty = hasty;
    /**
     * The model that must answer. If none is given, the queue sets that of the session to which it first sends texts:
     * a job never mixes two models.
     */
    this.model = model;
    this.#open = texts.length;
    this.#answers = new Array(texts.length);
    this.#until = performance.now() + deadline;
    this.#timer = setTimeout(
      () =>
        this.fail(
          new UnavailableError(
            `the encode server has not encoded ${this.#open} of ${texts.length} texts within ${deadline} ms`,
          ),
        ),
      deadline,
    );
    const abort = () => this.fail(signal?.reason);
    /** @type {Promise<Answer[]>} */
    this.result = new Promise((resolve, reject) => {
      this.#finish = (error) => {
        if (this.settled) return;
        this.settled = true;
        clearTimeout(this.#timer);
        signal?.removeEventListener('abort', abort);
        if (error === undefined) resolve(this.#answers);
        else reject(error);
        done(this, error !== undefined);
      };
    });
    signal?.addEventListener('abort', abort, { once: true });
  }

  /** Milliseconds that are left, at least 1. */
  get left() {
    return Math.max(1, Math.ceil(this.#until - performance.now()));
  }

  /**
   * @param {number} place
   * @param {Answer} answer
   */
  take(place, answer) {
    this.#answers[place] = answer;
    if (--this.#open === 0) this.#finish();
  }

  /** @param {unknown} error */
  fail(error) {
    this.#finish(error);
  }
}

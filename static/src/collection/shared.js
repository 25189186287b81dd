// Work that several callers wait for at the same time is done once.

import { expectMany } from '../node.js';

/**
 * Work that is being done. end removes it, so that nobody else joins.
 * @template T
 * @typedef {{result: Promise<T>, stop: AbortController, waiting: number, end: () => void}} Running
 */

/** @template T */
export class Shared {
  /** @type {Map<number, Running<T>>} by key */
  #running = new Map();

  /**
   * The result of the work for a key, or of that which another caller has begun. The work is cancelled once all who
   * wait for it have cancelled. If what another caller began fails, it is done again for this one: a host may be back
   * since.
   * @param {number} key
   * @param {(signal: AbortSignal) => Promise<T>} work
   * @param {AbortSignal} [signal] ends this caller's wait
   * @returns {Promise<T>}
   */
  async get(key, work, signal) {
    signal?.throwIfAborted();
    const joined = this.#running.get(key);
    if (joined) {
      try {
        return await this.#wait(joined, signal);
      } catch {
        signal?.throwIfAborted();
      }
    }
    return this.#wait(this.#running.get(key) ?? this.#begin(key, work), signal);
  }

  /**
   * @param {Running<T>} running
   * @param {AbortSignal} [signal]
   */
  async #wait(running, signal) {
    running.waiting++;
    let leave = () => {};
    /** @type {Promise<never>} */
    const left = new Promise((_, reject) => (leave = () => reject(signal?.reason)));
    expectMany(signal);
    signal?.addEventListener('abort', leave);
    try {
      return await Promise.race([running.result, left]);
    } finally {
      signal?.removeEventListener('abort', leave);
      if (--running.waiting === 0) {
        running.end();
        running.stop.abort(signal?.reason); // does nothing if the work is done
      }
    }
  }

  /**
   * @param {number} key
   * @param {(signal: AbortSignal) => Promise<T>} work
   * @returns {Running<T>}
   */
  #begin(key, work) {
    const stop = new AbortController();
    const running = {
      result: work(stop.signal),
      stop,
      waiting: 0,
      end: () => {
        if (this.#running.get(key) === running) this.#running.delete(key);
      },
    };
    this.#running.set(key, running);
    running.result.then(running.end, running.end);
    return running;
  }
}

// Work that several callers wait for at the same time is done once.

import { expectMany } from '../node.js';

/** @template T */
export class Shared {
  /** @type {Map<number, {result: Promise<T>, stop: AbortController, waiting: number}>} what is being done, by key */
  #running = new Map();

  /**
   * The result of the work for a key, or of that which another caller has begun. The work is cancelled once all who
   * wait for it have cancelled.
   * @param {number} key
   * @param {(signal: AbortSignal) => Promise<T>} work
   * @param {AbortSignal} [signal] ends this caller's wait
   * @returns {Promise<T>}
   */
  async get(key, work, signal) {
    signal?.throwIfAborted();
    const running = this.#running.get(key) ?? this.#begin(key, work);
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
        this.#running.delete(key);
        running.stop.abort(signal?.reason); // does nothing if the work is done
      }
    }
  }

  /**
   * @param {number} key
   * @param {(signal: AbortSignal) => Promise<T>} work
   */
  #begin(key, work) {
    const stop = new AbortController();
    const running = { result: work(stop.signal), stop, waiting: 0 };
    this.#running.set(key, running);
    return running;
  }
}

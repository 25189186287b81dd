// Whether an encode server can be reached, and those who wait until it can.

import { UnavailableError } from '../errors.js';

/**
 * @import { ServerState } from '../../lib/server.js'
 * @import { VantageError } from '../errors.js'
 */

export class Status {
  /** @type {ServerState} */
  state = 'connecting';
  /** @type {VantageError|null} */
  error = null;
  /** @type {Set<() => void>} called on every change */
  #waiting = new Set();
  #onState;

  /** @param {() => void} onState called when the state changes */
  constructor(onState) {
    this.#onState = onState;
  }

  /** Whether no later attempt can succeed. */
  get final() {
    return this.state === 'refused' || this.state === 'closed';
  }

  /**
   * @param {ServerState} state
   * @param {VantageError|null} [error]
   */
  enter(state, error = null) {
    const changed = this.state !== state;
    this.state = state;
    this.error = error;
    for (const settle of this.#waiting) settle();
    if (changed) this.#onState();
  }

  /**
   * Resolves when the connection is open. If the server is unreachable, it
   * rejects immediately if `hasty` is set, otherwise at the deadline.
   * @param {number} deadline milliseconds
   * @param {{signal?: AbortSignal, hasty?: boolean}} options
   */
  async reach(deadline, { signal, hasty }) {
    signal?.throwIfAborted();
    if (this.state === 'open') return;
    const hopeless = () => this.final || (hasty && this.state === 'down');
    if (hopeless()) throw this.error;
    await new Promise((resolve, reject) => {
      const leave = (/** @type {unknown} */ error = null) => {
        this.#waiting.delete(settle);
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        if (error) reject(error);
        else resolve(undefined);
      };
      const settle = () => {
        if (this.state === 'open') leave();
        else if (hopeless()) leave(this.error);
      };
      const abort = () => leave(signal?.reason);
      const timer = setTimeout(
        () => leave(this.error ?? new UnavailableError(`the encode server has not answered for ${deadline} ms`)),
        deadline,
      );
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.add(settle);
    });
  }
}

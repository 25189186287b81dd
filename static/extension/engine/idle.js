// Frees the engine's memory if nobody has asked for a while.

/** Milliseconds without a question after which memory is freed. */
const PATIENCE = 5 * 60_000;

export class Idle {
  #busy = 0;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer = undefined;
  #free;

  /** @param {() => void} free */
  constructor(free) {
    this.#free = free;
    this.#wait();
  }

  /**
   * @template T
   * @param {() => Promise<T>} work
   */
  async during(work) {
    this.#busy++;
    clearTimeout(this.#timer);
    try {
      return await work();
    } finally {
      this.#busy--;
      if (this.#busy === 0) this.#wait();
    }
  }

  #wait() {
    this.#timer = setTimeout(() => this.#rest(), PATIENCE);
  }

  #rest() {
    this.#free();
    // In Firefox the engine is in the background itself, which the browser unloads.
    if (!chrome.storage) chrome.runtime.sendMessage({ to: 'background', type: 'idle' }).catch(() => {});
  }
}

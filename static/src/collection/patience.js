// How long a download waits for its host.

/** How long a host may be silent, in milliseconds. */
const SILENCE = 30_000;

/** The time of the last bytes from each host, by its origin. */
const heard = /** @type {Map<string, number>} */ (new Map());

/**
 * A signal that follows another one, and also fires when the host has been
 * silent for a while, in this download and in all others from it: the browser
 * may queue this one behind the others.
 */
export class Patience {
  /**
   * @param {string} url
   * @param {AbortSignal} [outer]
   */
  constructor(url, outer) {
    this.origin = new URL(url).origin;
    this.stop = new AbortController();
    this.signal = this.stop.signal;
    this.silent = false;
    this.begun = performance.now();
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    this.outer = outer;
    this.follow = () => this.stop.abort(outer?.reason);
    outer?.addEventListener('abort', this.follow);
    if (outer?.aborted) this.follow();
    this.wait(SILENCE);
  }

  /** @param {number} milliseconds */
  wait(milliseconds) {
    this.timer = setTimeout(() => {
      const left = SILENCE - (performance.now() - Math.max(this.begun, heard.get(this.origin) ?? 0));
      this.silent = left <= 0;
      if (this.silent) this.stop.abort();
      else this.wait(left);
    }, milliseconds);
  }

  /** Records that bytes have arrived. */
  hear() {
    heard.set(this.origin, performance.now());
  }

  end() {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.follow);
  }

  /**
   * The message for a failed download: that the host was silent, or `otherwise`.
   * @param {string} otherwise
   */
  explain(otherwise) {
    return this.silent
      ? `nothing came from the host for ${SILENCE / 1000} seconds: check the network, or try again`
      : otherwise;
  }
}

// Long work is done in pieces. Between them timers, messages and the page itself get their turn, so that the work can
// be cancelled and other calls are answered.

/** Milliseconds of work until the next turn of others. A piece should not take longer. */
export const SLICE = 30;

/** When that is, for all work in this thread. */
let due = 0;

/**
 * Lets others run, if it is time, and then throws if one of them has cancelled the work.
 * @param {AbortSignal} [signal]
 */
export async function turn(signal) {
  if (performance.now() > due) {
    // Timers would wait 4 ms each time, and a second in a hidden page.
    const { port1, port2 } = new MessageChannel();
    await new Promise((resolve) => {
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
    port1.close(); // Node.js would wait for more
    due = performance.now() + SLICE;
  }
  signal?.throwIfAborted();
}

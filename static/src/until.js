// Waiting that can be given up.

/**
 * The result of a promise, unless the signal fires first.
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
export async function until(promise, signal) {
  if (!signal) return promise;
  const stop = new AbortController();
  const stopped = new Promise((_, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { signal: stop.signal });
  });
  try {
    return /** @type {T} */ (await Promise.race([promise, stopped]));
  } finally {
    stop.abort();
  }
}

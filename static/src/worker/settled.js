// Promises that are awaited together.

/**
 * The values of promises, once all have settled; throws the first fault, if there is
 * one.
 * @template T
 * @param {Promise<T>[]} promises
 * @returns {Promise<T[]>}
 */
export async function settled(promises) {
  const results = await Promise.allSettled(promises);
  return results.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

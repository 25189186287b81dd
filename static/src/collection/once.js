// Work that is done once, when it is first needed.

import { isBroken } from '../thrown.js';

/**
 * A function that begins the work when it is first called, and always returns its result. After a fault that need not
 * stay, the next call does the work again: a host may be back since.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {() => Promise<T>}
 */
export function once(work) {
  /** @type {Promise<T>|null} */
  let result = null;
  return () =>
    (result ??= work().catch((error) => {
      if (!isBroken(error)) result = null;
      throw error;
    }));
}

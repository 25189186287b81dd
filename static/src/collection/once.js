// Work that is done once, when it is first needed.

import { UnavailableError } from '../errors.js';

/**
 * A function that begins the work when it is first called, and always returns its result. If that is an
 * UnavailableError, the next call does the work again: a host may be back since.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {() => Promise<T>}
 */
export function once(work) {
  /** @type {Promise<T>|null} */
  let result = null;
  return () =>
    (result ??= work().catch((error) => {
      if (error instanceof UnavailableError) result = null;
      throw error;
    }));
}

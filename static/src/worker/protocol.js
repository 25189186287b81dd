// What worker and page must agree on beside the messages (see listen.js): a
// version, and the form of errors.

import * as errors from '../errors.js';

/** @typedef {{code: string, message: string, details?: object}} Wire an error as plain data */

/** Changes if an older page or worker would misread the messages. */
export const PROTOCOL = 9;

const classes = new Map(Object.values(errors).map((type) => [type.code, type]));

/**
 * The error as plain data that postMessage can carry.
 * @param {any} error
 * @returns {Wire}
 */
export function toWire(error) {
  if (error instanceof errors.VantageError) {
    return { code: error.code, message: error.message, details: { ...error } };
  }
  if (error?.name === 'AbortError') return { code: 'abort', message: error.message };
  return { code: 'error', message: String(error?.stack ?? error) };
}

/**
 * The inverse of toWire.
 * @param {Wire} wire
 * @returns {Error}
 */
export function fromWire({ code, message, details }) {
  if (code === 'abort') return new DOMException(message, 'AbortError');
  const type = classes.get(code) ?? errors.VantageError;
  return new type(message, details);
}

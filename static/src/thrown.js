// A catch clause may catch anything: an error of another window, or a value that is not an
// error.

import { UnavailableError, VantageError } from './errors.js';

/**
 * Kinds of faults of files, of what reads them, or of the room that they need.
 * @type {import('../lib/index.d.ts').FaultKind[]}
 */
const BROKEN = ['input', 'integrity', 'limit', 'unsupported', 'version'];

/** The message of a caught value.
 * @param {unknown} thrown
 * @returns {string}
 */
export function messageOf(thrown) {
  return String(Object(thrown).message ?? thrown);
}

/**
 * Whether a caught value is an error of this name, such as a DOMException's.
 * @param {unknown} thrown
 * @param {string} name
 */
export function isNamed(thrown, name) {
  return Object(thrown).name === name;
}

/**
 * Whether a caught value says that files cannot be used as they are: trying again does not help.
 * @param {unknown} thrown
 */
export function isBroken(thrown) {
  return thrown instanceof VantageError && BROKEN.includes(thrown.kind);
}

/**
 * Whether a caught value says that files cannot be used, or cannot be had now.
 * @param {unknown} thrown
 */
export function isUnusable(thrown) {
  return isBroken(thrown) || thrown instanceof UnavailableError;
}

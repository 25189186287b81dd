// A catch clause may catch anything: an error of another window, or a value that is
// no error.

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

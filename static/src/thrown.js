// What a catch clause has caught may be anything, an error of another window or none.

/**
 * What it says.
 * @param {unknown} thrown
 * @returns {string}
 */
export function messageOf(thrown) {
  return String(Object(thrown).message ?? thrown);
}

/**
 * Whether it is an error of this name, such as a DOMException's.
 * @param {unknown} thrown
 * @param {string} name
 */
export function isNamed(thrown, name) {
  return Object(thrown).name === name;
}

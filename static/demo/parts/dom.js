// Small helpers for building the page. Text always becomes text nodes:
// documents come from outside and must not be interpreted as HTML.

/**
 * The elements of the pages whose type is more specific than HTMLElement, by
 * their ids.
 * @typedef {{
 *   add: HTMLButtonElement,
 *   complete: HTMLInputElement,
 *   domain: HTMLSelectElement,
 *   'domain-fold': HTMLDetailsElement,
 *   example: HTMLButtonElement,
 *   file: HTMLInputElement,
 *   'file-bar': HTMLProgressElement,
 *   form: HTMLFormElement,
 *   'gold-bar': HTMLProgressElement,
 *   level: HTMLInputElement,
 *   link: HTMLInputElement,
 *   'map-table': HTMLDetailsElement,
 *   'map-which': HTMLSelectElement,
 *   more: HTMLInputElement,
 *   progress: HTMLProgressElement,
 *   qrels: HTMLInputElement,
 *   rounds: HTMLInputElement,
 *   runs: HTMLInputElement,
 *   seed: HTMLInputElement,
 *   settings: HTMLDetailsElement,
 *   take: HTMLSelectElement,
 * }} Elements
 */

/**
 * The element with this id, which the page's HTML must have.
 * @template {string} Id
 * @param {Id} id
 * @returns {Id extends keyof Elements ? Elements[Id] : HTMLElement}
 */
export const byId = (id) => /** @type {any} any: its type is in the list */ (document.getElementById(id));

/** @typedef {Node|string|null|false|undefined} Child */

/**
 * An element with properties, attributes (names with a dash, or role) and
 * children; null and false children are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {{[name: string]: string|number|boolean}} [properties]
 * @param {...(Child|Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-') || name === 'role') element.setAttribute(name, String(value));
    else Object.assign(element, { [name]: value });
  }
  element.append(...children.flat().filter((child) => child !== null && child !== false && child !== undefined));
  return element;
}

/**
 * Sets a text, unless the element has it already.
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * A name that is not among these: the given one, or else with a number.
 * @param {string} name
 * @param {string[]} taken
 */
export function unused(name, taken) {
  for (let i = 1; ; i++) {
    const candidate = i === 1 ? name : `${name} (${i})`;
    if (!taken.includes(candidate)) return candidate;
  }
}

/** @param {string} text that begins a sentence */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * A number with this many significant digits, and a typographic minus sign.
 * @param {number} value
 */
export function number(value, digits = 3) {
  return Number(value.toPrecision(digits)).toString().replace('-', '−');
}

/**
 * A score to the same four decimals everywhere.
 * @param {number} value
 */
export function digits(value) {
  return value.toFixed(4).replace('-', '−');
}

/**
 * @param {number} n
 * @param {string} one
 */
export function count(n, one, many = `${one}s`) {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

/** @param {number} n */
export function bytes(n) {
  if (n < 1000) return `${n} B`;
  if (n < 1e6) return `${(n / 1e3).toFixed(0)} KB`;
  return `${(n / 1e6).toFixed(n < 1e7 ? 2 : 1)} MB`;
}

/** @param {number} ms */
export function milliseconds(ms) {
  return `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
}

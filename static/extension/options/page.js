// What the extension's own pages share: texts, elements, sentences for problems.

import { text } from '../text.js';

/** Fills in the texts of the locale file where the page names their keys. */
export function translate() {
  document.title = text('extensionName');
  for (const element of document.querySelectorAll('[data-text]')) {
    element.textContent = text(element.getAttribute('data-text') ?? '');
  }
}

/**
 * The element of the page with this id.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function byId(id, kind) {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new TypeError(`no ${kind.name} #${id}`);
  return element;
}

/**
 * Makes an element.
 * @param {string} tag
 * @param {Record<string, string>} attributes
 * @param {...(Node | string)} inner
 */
export function make(tag, attributes, ...inner) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inner);
  return element;
}

/**
 * Makes a button.
 * @param {string} label what it says
 * @param {string} name its accessible name, because several buttons have the same label
 * @param {() => void} pressed
 */
export function button(label, name, pressed) {
  const element = make('button', { type: 'button', 'aria-label': name }, label);
  element.addEventListener('click', pressed);
  return element;
}

/**
 * What is wrong with a rule that its reader has before them.
 * @param {import('../rules/check.js').Problem} problem
 * @param {string} [called] what the reader knows the field as
 */
export const complaint = ({ key, values: [rule, field, ...more] }, called = String(field)) =>
  text(key, rule, called, ...more);

/** @param {import('../rules/check.js').Problem} problem of a file, or of one of several rules */
export const sentence = (problem) =>
  problem.field ? text('ruleProblem', problem.values[0], complaint(problem)) : text(problem.key, ...problem.values);

/**
 * Says something in a status line.
 * @param {string} id
 * @param {string} words
 * @param {boolean} [fault]
 */
export function say(id, words, fault = false) {
  const status = byId(id, HTMLElement);
  status.classList.toggle('fault', fault);
  status.textContent = words;
}

/**
 * Does something that may fail, such as storing, and says so in a status line if it does.
 * @param {string} id
 * @param {() => Promise<unknown>} change
 * @param {string} [key] of the text that tells of a failure
 * @returns {Promise<boolean>} whether it was done
 */
export async function attempt(id, change, key = 'optionsNotSaved') {
  try {
    await change();
    return true;
  } catch (error) {
    say(id, text(key, messageOf(error)), true);
    return false;
  }
}

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

// Elements of ours in the page: each has a closed shadow root, so that the page's styles and scripts do not reach in
// and ours do not reach out.

import { LANGUAGE } from '../text.js';

/**
 * Makes a host and its shadow root. It is a plain element: a custom one's closed root would be open to the page, which
 * could define it.
 * @param {'div' | 'span'} tag
 * @param {string} css
 * @param {HTMLElement[]} content
 */
export function hosted(tag, css, ...content) {
  const host = document.createElement(tag);
  const root = host.attachShadow({ mode: 'closed' });
  dress(root, css);
  for (const element of content) element.lang = LANGUAGE;
  root.append(...content);
  // What is typed and pressed here is none of the page's business. Events end at the host.
  for (const type of TYPED) host.addEventListener(type, (event) => event.stopPropagation());
  return { host, root };
}

const TYPED = [
  ...['input', 'beforeinput', 'change', 'keydown', 'keypress', 'keyup', 'paste', 'copy', 'cut', 'select'],
  ...['compositionstart', 'compositionupdate', 'compositionend', 'focusin', 'focusout', 'submit'],
];

/** @type {Map<string, CSSStyleSheet>} */
const sheets = new Map();

/**
 * @param {ShadowRoot} root
 * @param {string} css
 */
function dress(root, css) {
  try {
    let sheet = sheets.get(css);
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      sheets.set(css, sheet);
    }
    root.adoptedStyleSheets = [sheet];
  } catch {
    // Firefox's content scripts may not adopt sheets that they have made.
    const style = document.createElement('style');
    style.textContent = css;
    root.append(style);
  }
}

/**
 * Makes an element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {{[attribute: string]: string | boolean | ((event: any) => void)}} [attributes] `on…` are listeners
 * @param {...(Node | string)} content
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, attributes = {}, ...content) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    // The listeners take different events.
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (typeof value === 'boolean') element.toggleAttribute(name, value);
    else element.setAttribute(name, value);
  }
  element.append(...content);
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

/**
 * A small drawing, which says nothing to screen readers.
 * @param {string} path in a square of 16
 */
export function icon(path) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS(SVG, 'path');
  shape.setAttribute('d', path);
  svg.append(shape);
  return svg;
}

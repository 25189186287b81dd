// Reads a page's DOM through the prototypes. A page can hide a property of its own elements: a form with an input
// named "children" has that input as its `children`, and an image named "querySelectorAll" hides the document's method.

/**
 * @param {object} prototype
 * @param {string} name
 * @returns {(node: Node) => any} any: each use below names the type of what it gets
 */
function getter(prototype, name) {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (!get) throw new TypeError(`no getter ${name}`);
  return (node) => get.call(node);
}

const documentAll = Document.prototype.querySelectorAll;
const documentOne = Document.prototype.querySelector;
const fragmentAll = DocumentFragment.prototype.querySelectorAll;
const fragmentOne = DocumentFragment.prototype.querySelector;
const elementAll = Element.prototype.querySelectorAll;
const elementOne = Element.prototype.querySelector;
const elementMatches = Element.prototype.matches;
const elementClosest = Element.prototype.closest;
const elementTags = Element.prototype.getElementsByTagName;
const elementGet = Element.prototype.getAttribute;
const topOf = Node.prototype.getRootNode;
const nodeContains = Node.prototype.contains;
const walk = Document.prototype.createTreeWalker;

const typeOf = getter(Node.prototype, 'nodeType');
const parentOf = getter(Node.prototype, 'parentElement');
const ownerOf = getter(Node.prototype, 'ownerDocument');
const childrenOf = getter(Element.prototype, 'children');
const nameOf = getter(Element.prototype, 'localName');
const nextOf = getter(Element.prototype, 'nextElementSibling');
const previousOf = getter(Element.prototype, 'previousElementSibling');
const dataOf = getter(CharacterData.prototype, 'data');
const valueOf = getter(HTMLInputElement.prototype, 'value');
const areaOf = getter(HTMLTextAreaElement.prototype, 'value');
const choiceOf = getter(HTMLSelectElement.prototype, 'value');
const bodyOf = getter(Document.prototype, 'body');
const headingOf = getter(Document.prototype, 'title');
const viewOf = getter(Document.prototype, 'defaultView');
const visible = Element.prototype.checkVisibility;

/** @typedef {Document | DocumentFragment | Element} Root */

/** @param {Root} root @param {string} selector @returns {NodeListOf<Element>} */
export function all(root, selector) {
  if (typeOf(root) === Node.DOCUMENT_NODE) return documentAll.call(root, selector);
  if (typeOf(root) === Node.DOCUMENT_FRAGMENT_NODE) return fragmentAll.call(root, selector);
  return elementAll.call(root, selector);
}

/** @param {Root} root @param {string} selector @returns {Element | null} */
export function one(root, selector) {
  if (typeOf(root) === Node.DOCUMENT_NODE) return documentOne.call(root, selector);
  if (typeOf(root) === Node.DOCUMENT_FRAGMENT_NODE) return fragmentOne.call(root, selector);
  return elementOne.call(root, selector);
}

/** @param {Element} element @returns {HTMLCollection} all elements in it; each is found only when it is read */
export const inner = (element) => elementTags.call(element, '*');
/** @param {Element} element @param {string} selector */
export const matches = (element, selector) => elementMatches.call(element, selector);
/** @param {Element} element @param {string} selector @returns {Element | null} */
export const closest = (element, selector) => elementClosest.call(element, selector);
/** @param {Element} element @param {string} name @returns {string | null} */
export const attribute = (element, name) => elementGet.call(element, name);
/** @param {Node} outer @param {Node} inner whether inner is outer, or within it */
export const contains = (outer, inner) => nodeContains.call(outer, inner);
/** @param {Element} element @returns {Element | null} */
export const parent = (element) => parentOf(element);
/** @param {Element} element @returns {Document} */
export const owner = (element) => ownerOf(element);
/** @param {Element} element @returns {Node} its document or shadow root, or the top of what is in neither */
export const tree = (element) => topOf.call(element);
/** @param {Element} element @returns {HTMLCollection} */
export const children = (element) => childrenOf(element);
/** @param {Element} element @returns {string} in lower case, for HTML */
export const tag = (element) => nameOf(element);
/** @param {Element} element @returns {Element | null} */
export const next = (element) => nextOf(element);
/** @param {Element} element @returns {Element | null} */
export const previous = (element) => previousOf(element);
/** @param {Document} page @returns {HTMLElement | null} */
export const body = (page) => bodyOf(page);
/** @param {Document} page @returns {string} */
export const heading = (page) => headingOf(page);

/** @param {Element} element whether its page shows it. In a document without a window (parsed HTML) all is shown */
export const seen = (element) => viewOf(owner(element)) === null || visible.call(element);

/** @param {Element} element @returns {string[]} */
export const classes = (element) => (attribute(element, 'class') ?? '').split(/\s+/, 40).filter(Boolean);

/**
 * The value of a field; null of other elements.
 * @param {Element} element
 * @returns {string | null}
 */
export function value(element) {
  if (element instanceof HTMLInputElement) return valueOf(element);
  if (element instanceof HTMLTextAreaElement) return areaOf(element);
  if (element instanceof HTMLSelectElement) return choiceOf(element);
  return null;
}

const NO_TEXT = new Set(['script', 'style', 'noscript', 'template', 'svg', 'textarea', 'select']);
/** Elements between whose texts a reader sees a space. */
const APART = /^(?:address|article|br|button|dd|div|dl|dt|footer|h[1-6]|header|hr|li|ol|p|section|table|td|th|tr|ul)$/;

/**
 * The text that one reads in an element, with single spaces: no scripts, no styles. It stops at `limit` characters
 * and after eight times as many nodes, however much the page puts there.
 * @param {Element} element
 * @param {number} limit
 * @returns {string}
 */
export function text(element, limit) {
  const walker = walk.call(owner(element), element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    typeOf(node) === Node.ELEMENT_NODE && NO_TEXT.has(nameOf(node))
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  );
  let out = '';
  for (let steps = 0, node = walker.nextNode(); node && steps < 8 * limit; steps++, node = walker.nextNode()) {
    if (typeOf(node) === Node.TEXT_NODE) {
      const piece = String(dataOf(node)).slice(0, limit).replace(/\s+/g, ' ');
      out += out.endsWith(' ') ? piece.trimStart() : piece;
      if (out.length >= limit) break;
    } else if (APART.test(nameOf(node)) && !out.endsWith(' ')) {
      out += ' ';
    }
  }
  return out.slice(0, limit).trim();
}

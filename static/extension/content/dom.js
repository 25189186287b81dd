// Nodes of the page, read without trusting them, as rules/dom.js reads elements: properties are taken from the
// prototypes, because a form's fields and a document's images hide those of the same name.

/**
 * @template {object} T
 * @template {keyof T} K
 * @param {{prototype: T}} type
 * @param {K} name
 * @returns {(node: T) => T[K]}
 */
function getter(type, name) {
  const get = Object.getOwnPropertyDescriptor(type.prototype, name)?.get;
  if (!get) throw new TypeError(`no property ${String(name)}`);
  return (node) => get.call(node);
}

export const parentOf = getter(Node, 'parentNode');
export const nextOf = getter(Node, 'nextSibling');
export const firstOf = getter(Node, 'firstChild');
export const typeOf = getter(Node, 'nodeType');
export const valueOf = getter(Node, 'nodeValue');
export const isConnected = getter(Node, 'isConnected');
export const firstElementOf = getter(Element, 'firstElementChild');
export const lastElementOf = getter(Element, 'lastElementChild');
export const tagOf = getter(Element, 'localName');
export const topOf = getter(Element, 'scrollTop');
export const leftOf = getter(Element, 'scrollLeft');
export const bodyOf = getter(Document, 'body');
export const rootOf = getter(Document, 'documentElement');
export const activeOf = getter(Document, 'activeElement');
export const shadowOf = getter(Element, 'shadowRoot');
const activeIn = getter(ShadowRoot, 'activeElement');
const hostOf = getter(ShadowRoot, 'host');

/**
 * The element around a node; around a shadow root, its host.
 * @param {Node} node
 * @returns {Element | null}
 */
export function above(node) {
  const parent = parentOf(node);
  if (parent instanceof ShadowRoot) return hostOf(parent);
  return parent instanceof Element ? parent : null;
}

/** The element that has the focus, in open shadow roots too. */
export function focused() {
  let active = activeOf(document);
  for (let root = active && shadowOf(active); root; root = active && shadowOf(active)) {
    const inner = activeIn(root);
    if (!inner) break;
    active = inner;
  }
  return active;
}

/** @param {Node} parent @param {Node} node @param {Node | null} before */
export const insert = (parent, node, before) => void Node.prototype.insertBefore.call(parent, node, before);

/** @param {Node} parent @param {Node} node */
export const removeChild = (parent, node) => void Node.prototype.removeChild.call(parent, node);

/** Compares nodes by where they stand, for sorting. @param {Node} a @param {Node} b */
export const inDocument = (a, b) =>
  Node.prototype.compareDocumentPosition.call(a, b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;

/** @param {Element} element */
export const remove = (element) => Element.prototype.remove.call(element);

/** @param {HTMLElement} element */
export const focus = (element) => HTMLElement.prototype.focus.call(element, { preventScroll: true });

/**
 * Scrolls at once: a page may have smooth scrolling.
 * @param {Element} element
 * @param {number} top
 * @param {number} left
 */
export const scroll = (element, top, left) => scrollTo.call(element, { top, left, behavior: 'instant' });

const scrollTo = /** @type {(to: ScrollToOptions) => void} */ (Element.prototype.scrollTo);

/**
 * Moves a node within its parent. moveBefore keeps what insertion resets: focus, playing media, frames, animations.
 * @param {Node} parent
 * @param {Node} node a child of parent
 * @param {Node | null} before
 */
export function move(parent, node, before) {
  // any: TypeScript does not know moveBefore yet.
  const { moveBefore } = /** @type {any} */ (Element.prototype);
  if (typeof moveBefore === 'function') {
    try {
      moveBefore.call(parent, node, before);
      return;
    } catch {
      // such as a parent that is not in the document
    }
  }
  insert(parent, node, before);
}

/** @param {Node} node @returns {Generator<ChildNode>} */
export function* children(node) {
  for (let child = firstOf(node); child; child = nextOf(child)) yield child;
}

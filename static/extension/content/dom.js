// The page's DOM, read without trusting it. A form's fields and a document's images hide built-in properties of the
// same name (<input name="parentNode">), for content scripts too, so properties are taken from the prototypes.

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
export const childCount = getter(Element, 'childElementCount');
export const nextElementOf = getter(Element, 'nextElementSibling');
export const tagOf = getter(Element, 'localName');
export const bodyOf = getter(Document, 'body');
export const rootOf = getter(Document, 'documentElement');

/** @param {Element} element @param {string} selector @returns {boolean} */
export const matches = (element, selector) => Element.prototype.matches.call(element, selector);

/** @param {Node} node @param {Node | null} other @returns {boolean} */
export const contains = (node, other) => Node.prototype.contains.call(node, other);

/** @param {Element} element @param {string} name @returns {string | null} */
export const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);

/** @param {Element | Document} root @param {string} selector @returns {Element | null} */
export function find(root, selector) {
  const { prototype } = typeOf(root) === Node.DOCUMENT_NODE ? Document : Element;
  return prototype.querySelector.call(root, selector);
}

/** @param {Element | Document} root @param {string} selector @returns {NodeListOf<Element>} */
export function findAll(root, selector) {
  const { prototype } = typeOf(root) === Node.DOCUMENT_NODE ? Document : Element;
  return prototype.querySelectorAll.call(root, selector);
}

/**
 * Moves a node within its parent. moveBefore keeps what insertion resets: focus, playing media, frames, animations.
 * @param {Node} parent
 * @param {Node} node a child of parent
 * @param {Node | null} before
 */
export function place(parent, node, before) {
  const move = /** @type {any} */ (Element.prototype).moveBefore; // not in TypeScript's DOM yet
  if (typeof move === 'function') {
    try {
      move.call(parent, node, before);
      return;
    } catch {
      // such as a parent that is not in the document
    }
  }
  Node.prototype.insertBefore.call(parent, node, before);
}

/** @param {Node} node @returns {Generator<ChildNode>} */
export function* children(node) {
  for (let child = firstOf(node); child; child = nextOf(child)) yield child;
}

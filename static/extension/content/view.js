// How the page believes that the children of an element stand. We move results behind the page's back; the page goes
// on to insert and remove nodes "before this one". Each such change is repeated here, in the page's own order, so
// that this order stays known however the results stand in the document: for undoing, and for ranking anew.

import { children, nextOf, parentOf } from './dom.js';

export class View {
  /** @type {Map<Node, Node | null>} */
  #next = new Map();
  /** @type {Map<Node, Node | null>} */
  #previous = new Map();
  /** @type {Node | null} */
  #first = null;
  /** @type {Node | null} */
  #last = null;

  /** @param {Node} parent whose children stand as the page wants them */
  constructor(parent) {
    this.parent = parent;
    for (const child of children(parent)) this.#insert(child, null);
  }

  /** The nodes in the page's order. */
  nodes() {
    const nodes = [];
    for (let node = this.#first; node; node = this.#next.get(node) ?? null) nodes.push(node);
    return nodes;
  }

  /**
   * Repeats what the page did to the children.
   * @param {MutationRecord} record of type childList, with the parent as its target
   */
  follow(record) {
    for (const node of record.removedNodes) this.#remove(node);
    const { nextSibling } = record;
    // A neighbour that is not known (it has come and gone since) tells nothing: sync puts it right.
    if (nextSibling && !this.#next.has(nextSibling)) return;
    for (const node of record.addedNodes) this.#insert(node, nextSibling);
  }

  /**
   * Makes the nodes those that are in the document, where changes were not repeated: known ones keep their order, and
   * a new one stands before the known one that follows it.
   */
  sync() {
    for (const node of this.nodes()) if (parentOf(node) !== this.parent) this.#remove(node);
    for (const node of children(this.parent)) {
      if (this.#next.has(node)) continue;
      let next = nextOf(node);
      while (next && !this.#next.has(next)) next = nextOf(next);
      this.#insert(node, next);
    }
  }

  /** @param {Node} node @param {Node | null} before */
  #insert(node, before) {
    if (before === node) return;
    this.#remove(node);
    const previous = before ? (this.#previous.get(before) ?? null) : this.#last;
    this.#next.set(node, before);
    this.#previous.set(node, previous);
    if (previous) this.#next.set(previous, node);
    else this.#first = node;
    if (before) this.#previous.set(before, node);
    else this.#last = node;
  }

  /** @param {Node} node */
  #remove(node) {
    if (!this.#next.has(node)) return;
    const next = this.#next.get(node) ?? null;
    const previous = this.#previous.get(node) ?? null;
    if (previous) this.#next.set(previous, next);
    else this.#first = next;
    if (next) this.#previous.set(next, previous);
    else this.#last = previous;
    this.#next.delete(node);
    this.#previous.delete(node);
  }
}

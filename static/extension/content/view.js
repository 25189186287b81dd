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
  /** @type {Node | null} */
  #shownEnd = null;
  /** @type {Node | null} */
  #ownEnd = null;

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
   * Notes where the results end. A page that looks for its last result and inserts more behind it, by `after()`,
   * inserts them before the white space of the one that stands last in the document, and means the end of its own list.
   * @param {Node | null} shown the white space behind the result that stands last in the document, if there is some
   * @param {Node | null} own what follows the page's last result in the page's order
   */
  end(shown, own) {
    this.#shownEnd = shown;
    this.#ownEnd = own;
  }

  /**
   * Repeats what the page did to the children. The record says only between which two nodes others were inserted.
   * If these are results, the second one counts: frameworks insert before a node that they know. A page that
   * inserts behind a result that it remembers, with no white space between results, cannot be told from a
   * framework. Nor can one that inserts before its first child, if that is a result. Nodes that replace others
   * stand in their place.
   * @param {MutationRecord} record of type childList, with the parent as its target
   */
  follow(record) {
    const removed = new Set(record.removedNodes);
    const replaced = [...removed].findLast((node) => this.#next.has(node));
    let before = record.nextSibling;
    if (before && before === this.#shownEnd) before = this.#ownEnd;
    if (replaced) {
      before = this.#next.get(replaced) ?? null;
      while (before && removed.has(before)) before = this.#next.get(before) ?? null;
    }
    for (const node of removed) this.#remove(node);
    // A neighbour that is not known (it has come and gone since) tells nothing: sync puts it right.
    if (before && !this.#next.has(before)) return;
    for (const node of record.addedNodes) this.#insert(node, before);
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

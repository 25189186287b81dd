// How the page believes that the children of an element stand. We move results behind the page's back; the page goes
// on to insert and remove nodes "before this one". Each such change is repeated here, in the page's own order, so
// that this order stays known however the results stand in the document: for undoing, and for ranking anew.

import { children, firstOf, inDocument, insert, nextOf, parentOf, removeChild } from './dom.js';

/**
 * Where results begin and end while they stand in another order than the page's.
 * @typedef {object} Bounds
 * @property {Node | null} shownFirst the result that stands first in the document
 * @property {Node | null} shownEnd the white space behind the result that stands last in the document, if there is some
 * @property {Node | null} ownLast the last node of the page's last result
 * @property {Node | null} ownEnd what follows that in the page's order
 */

/** @type {Bounds} */
const NONE = { shownFirst: null, shownEnd: null, ownLast: null, ownEnd: null };

export class View {
  /** @type {Map<Node, Node | null>} */
  #next = new Map();
  /** @type {Map<Node, Node | null>} */
  #previous = new Map();
  /** @type {Node | null} */
  #first = null;
  /** @type {Node | null} */
  #last = null;
  #bounds = NONE;
  /**
   * Stands before results that begin the list, while they are in another order. So a page that inserts before the
   * list's first child is told from one that inserts before a result. An empty text is the least that can stand there:
   * no style sheet and no reader sees it.
   */
  #mark = document.createTextNode('');

  /**
   * @param {Node} parent whose children stand as the page wants them
   * @param {{has: (node: Node) => boolean}} movable the nodes of results
   */
  constructor(parent, movable) {
    this.parent = parent;
    this.movable = movable;
    for (const child of children(parent)) this.#insert(child, null);
  }

  /** The nodes in the page's order. */
  nodes() {
    const nodes = [];
    for (let node = this.#first; node; node = this.#next.get(node) ?? null) nodes.push(node);
    return nodes;
  }

  /** Sets the mark before all children. */
  mark() {
    insert(this.parent, this.#mark, firstOf(this.parent));
    this.#insert(this.#mark, this.#first);
  }

  unmark() {
    if (parentOf(this.#mark) === this.parent) removeChild(this.parent, this.#mark);
    this.#remove(this.#mark);
  }

  /** @param {Bounds} [bounds] without them, the results stand in the page's order */
  bound(bounds = NONE) {
    this.#bounds = bounds;
  }

  /**
   * Repeats what the page did to the children at one time. A record says only between which two nodes others were
   * inserted. If these are results, the second one counts: frameworks insert before a node that they know. There are
   * exceptions, in which the page means a place and not that node:
   *
   * - What comes in the place of a node that goes has that node's place, whichever the page does first.
   * - If all that comes is right before the result that is shown first, it comes before all results. For a page that
   *   inserts before whatever stands first, this is always so; for one that means this very result, seldom.
   * - For the same reason, what comes right behind the page's own last result comes behind all results.
   * - So does what comes before the white space behind the result that is shown last: a page looks for its last result
   *   and inserts by `after()`.
   *
   * A page that inserts behind another result that it remembers, with no white space between results, cannot be told
   * from a framework.
   * @param {MutationRecord[]} records of type childList, with the parent as their target
   */
  follow(records) {
    const { shownFirst, shownEnd, ownLast, ownEnd } = this.#bounds;
    /** @type {Set<Node | null>} */
    const added = new Set();
    /** @type {Set<MutationRecord>} Insertions that are not beside what has come just before. */
    const apart = new Set();
    let atStart = true;
    let atEnd = true;
    for (const record of records) {
      const { addedNodes, removedNodes, previousSibling: previous, nextSibling: next } = record;
      if (addedNodes.length > 0 && removedNodes.length === 0 && !added.has(next)) {
        apart.add(record);
        atStart &&= next !== null && next === shownFirst;
        atEnd &&= previous !== null && (previous === ownLast || added.has(previous));
      }
      for (const node of addedNodes) added.add(node);
    }
    // A page that moves nodes replaces none.
    const replaces = ![...added].some((node) => node && this.#next.has(node));
    /** @type {Map<Node, (Node | null)[]>} Between which nodes each new one was inserted. */
    const beside = new Map();
    /** @type {{previous: Node | null, next: Node | null, before: Node | null} | null} Where nodes have gone. */
    let gap = null;

    for (const record of records) {
      const { previousSibling: previous, nextSibling: next } = record;
      const nodes = [...record.addedNodes];
      const removed = new Set(record.removedNodes);
      const replaced = [...removed].findLast((node) => this.#next.has(node));
      let before = next;
      if (replaced) {
        const heirs = [...beside.keys()].filter((node) => beside.get(node)?.includes(replaced)).sort(inDocument);
        before = this.#next.get(replaced) ?? null;
        while (before && (removed.has(before) || heirs.includes(before))) before = this.#next.get(before) ?? null;
        for (const node of heirs) {
          this.#insert(node, before);
          beside.delete(node);
        }
        gap = replaces && nodes.length === 0 ? { previous, next, before } : null;
      } else if (before && before === shownEnd) {
        before = ownEnd;
      } else if (apart.has(record) && next && this.movable.has(next)) {
        if (gap && gap.previous === previous && gap.next === next) {
          before = gap.before;
          gap.previous = nodes[nodes.length - 1];
        } else if (atStart) {
          before = this.nodes().find((node) => this.movable.has(node) && !added.has(node)) ?? next;
        } else if (atEnd && !this.#follows(next, previous)) {
          before = ownEnd;
        }
      }
      if (replaces && !replaced) {
        const neighbours = [previous, next].flatMap((node) => (node && beside.get(node)) ?? [node]);
        for (const node of nodes) beside.set(node, neighbours);
      }
      for (const node of removed) this.#remove(node);
      // A neighbour that is not known (it has come and gone since) tells nothing: sync puts it right.
      if (before && !this.#next.has(before)) continue;
      for (const node of nodes) this.#insert(node, before);
    }
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

  /** @param {Node} node @param {Node | null} previous whether one follows the other in the page's order, too */
  #follows(node, previous) {
    return previous !== null && this.#next.get(previous) === node;
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

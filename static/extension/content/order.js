// Moves results. Each moves within its parent only: the results of one parent change places among each other, and
// everything between them (advertisements, headings, markers of the page's framework) keeps its place. With several
// parents, as in a list with groups, the ranking holds within each of them.

import { children, move, parentOf, typeOf, valueOf } from './dom.js';
import { leastMoves } from './least.js';
import { View } from './view.js';

/** @import { Result } from './read.js' */

export class Order {
  /** @type {Map<Node, View>} */
  #views = new Map();
  /** Nodes that results consist of. Nothing else is moved, not even when results are put back. @type {WeakSet<Node>} */
  #movable = new WeakSet();

  /**
   * Takes note of the parents of these results. Parents seen for the first time stand as the page wants them.
   * @param {Result[]} results
   */
  adopt(results) {
    const parents = new Set(results.map(({ mover }) => parentOf(mover)));
    for (const [parent, view] of this.#views) {
      if (parents.has(/** @type {any} */ (parent))) continue;
      view.unmark();
      this.#views.delete(parent);
    }
    for (const parent of parents) {
      if (!parent) continue;
      const view = this.#views.get(parent);
      if (view) view.sync();
      else this.#views.set(parent, new View(parent, this.#movable));
    }
  }

  /**
   * Repeats what the page did.
   * @param {MutationRecord[]} records of one time
   */
  follow(records) {
    /** @type {Map<View, MutationRecord[]>} */
    const byView = new Map();
    for (const record of records) {
      const view = record.type === 'childList' && this.#views.get(record.target);
      if (!view) continue;
      const known = byView.get(view);
      if (known) known.push(record);
      else byView.set(view, [record]);
    }
    for (const [view, changes] of byView) view.follow(changes);
  }

  /**
   * The results in the page's own order.
   * @param {Result[]} results in the order of the document; adopted
   * @returns {Result[]}
   */
  own(results) {
    return filled(results, this.#grouped(results));
  }

  /**
   * Brings the results into this order, within each parent.
   * @param {Result[]} results in the order of the document; adopted
   * @param {Result[]} ranked results, best first; those that are not among them come last
   * @param {ReadonlySet<Result>} kept keep the places that the page gave them
   * @returns {{results: Result[], up: Map<Result, number>}} the results as they stand now, and how many places each
   *     has gone up, counted in results of its parent
   */
  apply(results, ranked, kept = new Set()) {
    for (const view of this.#views.values()) view.sync(); // the bar may have been put back among them
    const up = new Map();
    const groups = new Map();
    const rank = new Map(ranked.map((result, at) => [result, at]));
    const rankOf = (/** @type {Result} */ result) => rank.get(result) ?? ranked.length;
    for (const [parent, own] of this.#grouped(results)) {
      const moving = own
        .filter((result) => !kept.has(result))
        .sort((a, b) => rankOf(a) - rankOf(b))
        .values();
      const wanted = own.map((result) => (kept.has(result) ? result : (moving.next().value ?? result)));
      const before = new Map(own.map((result, at) => [result, at]));
      wanted.forEach((result, at) => up.set(result, (before.get(result) ?? at) - at));
      this.#arrange(parent, own, wanted);
      groups.set(parent, wanted);
    }
    return { results: filled(results, groups), up };
  }

  /** Puts everything back as the page wants it. */
  undo() {
    for (const [parent, view] of this.#views) {
      view.sync();
      view.unmark();
      view.bound();
      arrange(parent, view.nodes(), this.#movable);
    }
  }

  /**
   * The results of each parent in the page's order.
   * @param {Result[]} results
   * @returns {Map<Node, Result[]>}
   */
  #grouped(results) {
    const byMover = new Map(results.map((result) => [/** @type {Node} */ (result.mover), result]));
    const groups = new Map();
    for (const [parent, view] of this.#views) {
      groups.set(
        parent,
        view.nodes().flatMap((node) => byMover.get(node) ?? []),
      );
    }
    return groups;
  }

  /**
   * @param {Node} parent
   * @param {Result[]} own in the page's order
   * @param {Result[]} wanted
   */
  #arrange(parent, own, wanted) {
    const view = this.#views.get(parent);
    if (!view || own.length === 0) return;
    view.unmark(); // the page may have inserted results before it
    const moves = wanted.some((result, at) => result !== own[at]);
    if (moves && view.nodes()[0] === own[0].mover) view.mark();
    const nodes = view.nodes();
    const units = unitsOf(nodes, own);
    const moving = new Set([...units.values()].flat());
    let slot = 0;
    const target = [];
    for (const node of nodes) {
      if (!moving.has(node)) target.push(node);
      else if (slot < own.length && own[slot].mover === node) target.push(...(units.get(wanted[slot++]) ?? []));
    }
    for (const node of moving) this.#movable.add(node);
    const [shown, last] = [wanted, own].map((order) => units.get(order[order.length - 1]) ?? []);
    const shownEnd = behind(nodes, shown);
    view.bound({
      shownFirst: wanted[0].mover,
      shownEnd: shownEnd && isSpace(shownEnd) ? shownEnd : null,
      ownLast: last.findLast((node) => !isSpace(node)) ?? null,
      ownEnd: behind(nodes, last),
    });
    arrange(parent, target, moving);
  }
}

/**
 * Fills the places of each parent's results with its results in another order.
 * @param {Result[]} results
 * @param {Map<Node, Result[]>} groups
 * @returns {Result[]}
 */
function filled(results, groups) {
  const queues = new Map([...groups].map(([parent, group]) => [parent, group.values()]));
  return results.map((result) => {
    const parent = parentOf(result.mover);
    return (parent && queues.get(parent)?.next().value) ?? result;
  });
}

/**
 * The nodes that move with each result: itself, its companions, and the white space behind them, which separates
 * inline blocks.
 * @param {Node[]} nodes in the page's order
 * @param {Result[]} own
 * @returns {Map<Result, Node[]>}
 */
function unitsOf(nodes, own) {
  const at = new Map(nodes.map((node, index) => [node, index]));
  const units = new Map();
  for (const result of own) {
    const start = at.get(result.mover) ?? 0;
    let end = start + 1;
    for (const companion of result.companions) end = Math.max(end, (at.get(companion) ?? 0) + 1);
    while (end < nodes.length && isSpace(nodes[end])) end++;
    units.set(result, nodes.slice(start, end));
  }
  return units;
}

/**
 * What stands behind a result, even if it is white space that moves with it.
 * @param {Node[]} nodes in the page's order
 * @param {Node[]} unit of which the result consists
 * @returns {Node | null}
 */
function behind(nodes, unit) {
  const last = unit.findLast((node) => !isSpace(node));
  return (last && nodes[nodes.indexOf(last) + 1]) ?? null;
}

/** @param {Node} node */
const isSpace = (node) => typeOf(node) === Node.TEXT_NODE && !/\S/.test(valueOf(node) ?? '');

/**
 * Makes the children stand in this order, by as few moves as possible. If the page interferes (an element of its own
 * making may run code when it is moved), the rest is left for the next time.
 * @param {Node} parent
 * @param {Node[]} target all children
 * @param {{has: (node: Node) => boolean}} movable the others keep their places
 */
function arrange(parent, target, movable) {
  /** @type {Node[]} */
  const current = [...children(parent)];
  const wanted = new Map(target.map((node, at) => [node, at]));
  if (current.length !== target.length || !current.every((node) => wanted.has(node))) return;
  const moves = leastMoves(
    current.map((node) => wanted.get(node) ?? 0),
    current.map((node) => !movable.has(node)),
  );
  const moved = new Set(current.filter((_, at) => moves[at]));
  if (moved.size === 0) return;
  let next = null;
  for (const node of target.reverse()) {
    if (moved.has(node)) {
      if (parentOf(node) !== parent || (next && parentOf(next) !== parent)) return;
      move(parent, node, next);
    }
    next = node;
  }
}

// A list of results.

import { gliding } from '../../demo/parts/flip.js';
import { resultOf } from './result.js';

/**
 * @import { Asked } from '../../src/show/excerpt.js'
 * @import { Group } from './groups.js'
 */

export class List {
  /**
   * @param {HTMLElement} element
   * @param {'h2'|'h3'} level of the headings
   */
  constructor(element, level) {
    this.element = element;
    this.level = level;
    /** @type {Map<string, {item: HTMLElement, content: string}>} what is shown, in order, by the keys of groups */
    this.shown = new Map();
  }

  /**
   * Whether it shows these groups in this order, and, if a query is given, with the same that is said of each.
   * @param {readonly Group[]} groups
   * @param {string} [query]
   */
  has(groups, query) {
    const same = (/** @type {[string, {content: string}]} */ [key, { content }], /** @type {number} */ i) =>
      key === groups[i].key && (query === undefined || content === contentOf(groups[i], query));
    return groups.length === this.shown.size && [...this.shown].every(same);
  }

  /**
   * @param {readonly Group[]} groups
   * @param {Asked} asked the query's words
   * @param {string} query the query itself
   * @param {boolean} move whether results that stay glide to their new places
   */
  show(groups, asked, query, move) {
    const next = new Map(groups.map((group) => [group.key, this.entry(group, asked, query)]));
    const change = () => this.element.replaceChildren(...Array.from(next.values(), ({ item }) => item));
    if (move) gliding(this.element, change);
    else change();
    this.shown = next;
  }

  /**
   * Adds the groups that are not in the list yet. Those that are stay as they are.
   * @param {readonly Group[]} groups
   * @param {Asked} asked
   * @param {string} query
   * @returns {HTMLElement|undefined} the first one that was added
   */
  extend(groups, asked, query) {
    const added = groups.filter(({ key }) => !this.shown.has(key));
    for (const group of added) {
      const entry = this.entry(group, asked, query);
      this.shown.set(group.key, entry);
      this.element.append(entry.item);
    }
    return added.length > 0 ? this.shown.get(added[0].key)?.item : undefined;
  }

  /**
   * The list's entry for a group. If one is shown already, it is used again.
   * @param {Group} group
   * @param {Asked} asked
   * @param {string} query
   */
  entry(group, asked, query) {
    const { key } = group;
    const content = contentOf(group, query);
    const known = this.shown.get(key);
    if (known?.content === content) return known;
    const item = resultOf(group, asked, this.level);
    if (known) {
      // The element itself stays in the page, so that it can glide.
      known.item.replaceChildren(...item.childNodes);
      known.item.dataset.index = item.dataset.index;
      return { item: known.item, content };
    }
    return { item, content };
  }
}

/**
 * All on which the look of a group depends.
 * @param {Group} group
 * @param {string} query
 */
function contentOf({ found, further }, query) {
  const others = further.map(({ found }) => found.index);
  return JSON.stringify([query, found.index, found.stance, found.because, others]);
}

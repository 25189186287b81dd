// The answer for both sides: two columns, or two tabs on a narrow screen.

import { byId, el, write } from '../../demo/parts/dom.js';
import { List } from './list.js';

/**
 * @import { Both as Answer } from './engine.js'
 * @import { Asked } from '../../src/show/excerpt.js'
 */

const SIDES = /** @type {const} */ (['for', 'against']);

export class Both {
  /** @param {MediaQueryList} narrow matches if there is room for one side only */
  constructor(narrow) {
    this.lists = {
      for: new List(byId('for-list'), 'h3'),
      against: new List(byId('against-list'), 'h3'),
      neither: new List(byId('neither-list'), 'h3'),
    };
    /** @type {'for'|'against'} the tab that is open on a narrow screen */
    this.open = 'for';
    this.narrow = narrow;
    narrow.addEventListener('change', () => this.arrange());
    for (const side of SIDES) {
      byId(`${side}-tab`).addEventListener('click', () => this.choose(side));
      byId(`${side}-tab`).addEventListener('keydown', (event) => {
        const [first, last] = SIDES;
        const other = side === first ? last : first;
        /** @type {{[key: string]: 'for'|'against'}} */
        const keys = { ArrowLeft: other, ArrowRight: other, Home: first, End: last };
        const to = keys[event.key];
        if (!to) return;
        event.preventDefault();
        this.choose(to);
        byId(`${to}-tab`).focus();
      });
    }
    this.arrange();
  }

  /** @param {'for'|'against'} side */
  choose(side) {
    this.open = side;
    this.arrange();
  }

  /** Shows two columns, or on a narrow screen the tabs and the open side. */
  arrange() {
    const narrow = this.narrow.matches;
    byId('tabs').hidden = !narrow;
    for (const side of SIDES) {
      const open = side === this.open;
      const tab = byId(`${side}-tab`);
      tab.setAttribute('aria-selected', String(open));
      tab.tabIndex = open ? 0 : -1;
      const panel = byId(`${side}-side`);
      panel.hidden = narrow && !open;
      panel.setAttribute('role', narrow ? 'tabpanel' : 'region');
      panel.setAttribute('aria-labelledby', narrow ? `${side}-tab` : `${side}-title`);
    }
  }

  /**
   * @param {Answer} answer
   * @param {Asked} asked the query's words
   * @param {string} query
   * @param {boolean} further whether results are added to those that are shown
   */
  show(answer, asked, query, further) {
    for (const side of /** @type {const} */ (['for', 'against', 'neither'])) {
      const list = this.lists[side];
      const { count, groups } = answer[side];
      for (const place of document.querySelectorAll(`#both .${side} .count`)) write(place, count.toLocaleString('en'));
      if (further) list.extend(groups, asked, query);
      else list.show(groups, asked, query, false);
      if (count === 0) list.element.replaceChildren(el('li', { className: 'lack' }, `Nothing is ${side} it.`));
    }
    byId('neither').hidden = answer.neither.count === 0;
  }
}

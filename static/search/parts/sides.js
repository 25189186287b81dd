// The buttons All, For, Against and From. They choose the side of the results, or a perspective in the visitor's words.

import { byId, write } from '../../demo/parts/dom.js';

/**
 * @import { Asked } from './state.js'
 * @typedef {Pick<Asked, 'side'|'from'>} View
 */

const BUTTONS = /** @type {const} */ ({ 'side-all': '', 'side-for': 'for', 'side-against': 'against' });

export class Sides {
  /** @param {(view: View) => void} choose */
  constructor(choose) {
    for (const [id, side] of Object.entries(BUTTONS)) {
      byId(id).addEventListener('click', () => choose({ side, from: '' }));
    }
    const from = byId('side-from');
    const form = byId('from-form');
    const input = /** @type {HTMLInputElement} */ (byId('from'));
    from.addEventListener('click', () => {
      this.ask(form.hidden);
      if (!form.hidden) input.focus();
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.ask(false);
      from.focus();
      choose({ side: '', from: input.value.trim() });
    });
    form.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.isComposing) return;
      event.stopPropagation();
      this.ask(false);
      from.focus();
    });
  }

  /** @param {boolean} open whether to show the field for a perspective */
  ask(open) {
    byId('from-form').hidden = !open;
    byId('side-from').setAttribute('aria-expanded', String(open));
  }

  /** @param {View} view */
  show({ side, from }) {
    for (const [id, of] of Object.entries(BUTTONS)) {
      byId(id).setAttribute('aria-pressed', String(!from && side === of));
    }
    byId('side-from').classList.toggle('on', from !== '');
    write(byId('side-from'), from ? `From: ${from}` : 'From …');
    /** @type {HTMLInputElement} */ (byId('from')).value = from;
  }
}

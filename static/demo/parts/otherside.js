// The other side of a passage: a list that takes the place of the results, with a button that leads back. The address
// names the passage, so links and the browser's history lead to the list, too.

import { byId, count, el, write } from './dom.js';
import { HitView, nameOf } from './hit.js';
import { announce } from './results.js';

/**
 * @import { Vantage } from '../../lib/index.js'
 * @import { Asked, Form } from './form.js'
 */

const QUIET = { kind: 'none', text: '', meaning: '' };

export class OtherSide {
  /** @param {Form} form */
  constructor(form) {
    this.form = form;
    this.turn = 0; // counts the answers, so that one that arrives too late is dropped
    this.asked = false; // whether a button here was pressed, so that the focus must move
    /** @type {number|null} the passage whose other side was left last */
    this.left = null;
    byId('results').addEventListener('click', (event) => {
      const button = /** @type {Element} */ (event.target).closest('.other-side');
      const index = button?.closest('.hit')?.getAttribute('data-index');
      if (index) this.go(Number(index));
    });
    byId('other-back').addEventListener('click', () => this.go(null));
  }

  /** @param {number|null} index */
  go(index) {
    this.left = this.form.other;
    this.asked = true;
    this.form.other = index;
    this.form.onChange();
    this.form.onCommit();
  }

  /** Shows the results again. */
  hide() {
    this.turn++;
    if (byId('other').hidden) return;
    byId('other').hidden = true;
    byId('columns').hidden = false;
    if (this.asked) {
      const hits = /** @type {HTMLElement[]} */ ([
        ...document.querySelectorAll(`#columns .hit[data-index="${this.left}"]`),
      ]);
      (hits.find((hit) => hit.checkVisibility?.() ?? true) ?? byId('results')).focus();
    }
    this.asked = false;
  }

  /**
   * @param {Vantage} vantage
   * @param {Asked} query
   * @param {number} index of the passage
   */
  async show(vantage, { root, k }, index) {
    const turn = ++this.turn;
    byId('columns').hidden = true;
    byId('other').hidden = false;
    byId('other-list').replaceChildren();
    write(byId('other-title'), 'The other side');
    write(byId('other-of'), 'Looking for the other side …');
    write(byId('summary'), '');
    if (this.asked) {
      byId('other').scrollIntoView({ block: 'start' });
      byId('other-title').focus({ preventScroll: true });
    }
    this.asked = false;
    try {
      const { of, hits } = await vantage.otherSide(index, { root: root || null, k });
      if (turn !== this.turn) return;
      const documents = await vantage.documents(hits.map((hit) => hit.index));
      if (turn !== this.turn) return;
      write(byId('other-title'), `The other side of “${nameOf(of)}”`);
      const { side } = of.stance ?? {};
      const stands = side && `It ${side === 'neither' ? 'takes no clear side on' : `speaks ${side}`} “${root}”. `;
      const found = hits.length > 0 ? `${count(hits.length, 'passage')} near it` : 'No passage is near it';
      const where = root ? 'leaning to the other side' : 'speaking from elsewhere';
      write(byId('other-of'), `${stands ?? ''}${found} in topic, ${where}.`);
      announce(`${byId('other-title').textContent}: ${found} in topic, ${where}.`);
      byId('other-list').replaceChildren(
        ...hits.map((hit, i) => {
          const view = new HitView(hit.index);
          view.update(hit, null, documents[i].metadata, null, QUIET);
          view.tell(hit.stance);
          view.details.hidden = true;
          return view.item;
        }),
      );
    } catch (error) {
      if (turn !== this.turn) return;
      const { message } = Object(error);
      write(byId('other-of'), '');
      const lack = `The other side cannot be found: ${message}.`;
      byId('other-list').replaceChildren(el('li', { className: 'lack' }, lack));
    }
  }
}

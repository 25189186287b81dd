// The sides of the passages, for a query that asks for a side: how many are for its root and how many against, which
// side each passage is on, and buttons that show one side alone. The answer is shown first and never waits for them.

import { byId, count, write } from './dom.js';
import { tellHits } from './results.js';

/**
 * @import { Stance, Vantage } from '../../lib/index.js'
 * @import { Asked, Form } from './form.js'
 * @typedef {'for'|'against'} Side
 * @typedef {{for: number, against: number}} Counts
 */

/** The buttons, by the side that each shows; '' is both. */
const BUTTONS = /** @type {const} */ ({ for: 'sides-for', against: 'sides-against', '': 'sides-both' });

/**
 * The side that a query asks for, or null if it asks for none or for both, or has no root.
 * @param {Vantage} vantage
 * @param {Pick<Asked, 'root'|'perspectives'>} query
 */
export async function sideAsked(vantage, { root, perspectives }) {
  if (vantage.info.angles === 0 || !root || perspectives.length === 0) return null;
  const [first, ...others] = await Promise.all(perspectives.map((text) => vantage.stance(text)));
  return others.every((side) => side === first) ? first : null;
}

export class Sides {
  /** @param {Form} form */
  constructor(form) {
    this.form = form;
    this.turn = 0; // counts the answers, so that one that arrives too late is dropped
    /** @type {string|null} what was counted last */
    this.key = null;
    /** @type {Vantage|null} the collection in which it was counted */
    this.vantage = null;
    /** @type {Counts} */
    this.counts = { for: 0, against: 0 };
    this.root = ''; // the root to which the shown sides refer
    /** @type {WeakSet<Vantage>} collections that have loaded all that is needed to tell sides */
    this.loaded = new WeakSet();
    for (const [side, id] of Object.entries(BUTTONS)) {
      byId(id).addEventListener('click', () => this.choose(/** @type {Side|''} */ (side)));
    }
  }

  /** @param {Side|''} side */
  choose(side) {
    if (this.form.side === side) return;
    this.form.side = side;
    this.press();
    this.form.onChange();
    this.form.onCommit();
  }

  press() {
    for (const [side, id] of Object.entries(BUTTONS)) {
      byId(id).setAttribute('aria-pressed', String(this.form.side === side));
    }
  }

  /** Shows no sides, because the query asks for none. */
  hide() {
    this.turn++;
    byId('sides').hidden = true;
    byId('results').classList.remove('sided');
    this.tell('', new Map());
  }

  /**
   * Shows the sides of the passages on the screen.
   * @param {Vantage} vantage
   * @param {string} root
   * @param {number[]} indexes of the passages
   */
  async show(vantage, root, indexes) {
    const turn = ++this.turn;
    if (root !== this.root) this.tell(root, new Map());
    const { rows } = vantage.coverage;
    const key = JSON.stringify([root, rows]);
    byId('sides').hidden = false;
    byId('results').classList.add('sided');
    this.press();
    if (vantage !== this.vantage) this.key = null;
    this.vantage = vantage;
    if (key !== this.key) this.wait(this.loaded.has(vantage) ? '' : 'Loading the encoder of sides …');
    try {
      const counting = key === this.key ? this.counts : vantage.sides(root, { k: 1 });
      const [counted, stances] = await Promise.all([counting, vantage.stances(root, indexes)]);
      this.loaded.add(vantage);
      if (turn !== this.turn) return;
      if (counted !== this.counts) {
        const { for: pro, against } = /** @type {import('../../lib/index.js').Sides} */ (counted);
        this.counts = { for: pro.count, against: against.count };
        this.key = key;
      }
      this.list();
      this.tell(root, new Map(indexes.map((index, i) => [index, stances[i]])));
    } catch (error) {
      if (turn === this.turn) this.wait(`The sides cannot be shown: ${Object(error).message}.`);
    }
  }

  /** @param {string} why there are no figures yet; '' if they will come at once */
  wait(why) {
    this.key = null;
    if (why) write(byId('sides-note'), why);
    byId('sides-buttons').hidden = why !== '' && this.form.side === '';
  }

  list() {
    const { counts, form } = this;
    const said = `${counts.for.toLocaleString('en')} for · ${counts.against.toLocaleString('en')} against`;
    write(byId('sides-note'), counts.for + counts.against > 0 ? 'On this subject:' : 'Nothing takes a side on this.');
    byId('sides-buttons').hidden = counts.for + counts.against === 0 && form.side === '';
    write(byId('sides-for'), `${counts.for.toLocaleString('en')} for`);
    write(byId('sides-against'), `${counts.against.toLocaleString('en')} against`);
    const shown = form.side ? `, only what is ${form.side} it is shown` : '';
    write(byId('sides-said'), `${said}, of ${count(counts.for + counts.against, 'passage')}${shown}`);
  }

  /**
   * @param {string} root
   * @param {Map<number, Stance|null>} stances by number of the document
   */
  tell(root, stances) {
    this.root = root;
    tellHits(stances);
  }
}

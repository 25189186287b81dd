// A list that no rule is for: one that was found by the page's shape, or from a result that the reader has picked. It
// may be kept as a rule.

import { hasFrames, save } from './lists.js';
import { pick } from './pick.js';
import { inferFrom } from '../rules/infer.js';
import { text } from '../text.js';

/** @import { Action, Status } from './status.js' */
/** @import { Rule } from '../types.js' */

export class Found {
  /** Lists that the reader may step through. @type {Rule[]} */
  #lists = [];
  #saved = false;

  /**
   * @param {object} page
   * @param {() => Rule | null} page.rule the list that is shown now, if it was found
   * @param {(rule: Rule) => void} page.use
   * @param {() => Status} page.float shows the bar where there is no list
   * @param {() => Status | null} page.status
   * @param {() => void} page.close takes the bar away
   */
  constructor(page) {
    this.page = page;
  }

  /** Another list is shown. */
  reset() {
    this.#saved = false;
  }

  /** @param {Rule[]} lists the likeliest first */
  infer(lists) {
    this.#lists = lists;
    const [first] = lists;
    if (first) return this.page.use(first);
    const status = this.page.float();
    status.offer([]);
    const said = [text('barNoList'), ...(hasFrames() ? [text('barFrames')] : [])].join(' ');
    status.say(said, { fault: true, actions: [this.#picking, { key: 'barClose', run: this.page.close }] });
  }

  /** @param {HTMLElement} [from] the button that was pressed, which gets the focus back */
  async pick(from) {
    const element = await pick(from);
    if (!element) return;
    const found = inferFrom(element, location.href);
    this.infer(found ? [found.rule] : []);
  }

  /** Offers what can be done with the list. */
  offer() {
    /** @type {Action[]} */
    const actions = [];
    if (this.page.rule()) {
      if (!this.#saved) actions.push({ key: 'barSaveRule', run: () => this.#save() });
      if (this.#lists.length > 1) actions.push({ key: 'barAnotherList', run: () => this.#another() });
      actions.push(this.#picking);
    }
    this.page.status()?.offer(actions);
  }

  #another() {
    const [first, ...others] = this.#lists;
    this.infer([...others, first]);
  }

  async #save() {
    const rule = this.page.rule();
    if (!rule) return;
    const fault = await save(rule).catch((error) => text('optionsNotSaved', String(error?.message ?? error)));
    this.#saved = !fault;
    this.offer();
    const status = this.page.status();
    if (fault) status?.say(fault, { fault: true });
    else status?.say(text('barSaved', rule.name), { actions: [{ key: 'barOptions', run: openOptions }] });
  }

  /** @returns {Action} */
  get #picking() {
    return { key: 'barPick', run: (button) => this.pick(button) };
  }
}

export const openOptions = () => void chrome.runtime.sendMessage({ to: 'background', type: 'options' }).catch(() => {});

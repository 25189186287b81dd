// The bar above the results.

import css from './bar.css';
import { CHIPS } from './chips.js';
import { Field } from './field.js';
import { More } from './more.js';
import { hosted, icon, make } from './shadow.js';
import { Status } from './status.js';
import { rove } from './toolbar.js';
import { text } from '../text.js';

/** @import { Chip, ChipId, Choice, FieldId } from './chips.js' */

const EYE = [
  'M1.2 8c1.5-2.9 3.9-4.4 6.8-4.4s5.3 1.5 6.8 4.4c-1.5 2.9-3.9 4.4-6.8 4.4S2.7 10.9 1.2 8z',
  'M8 5.9a2.1 2.1 0 1 0 0 4.2 2.1 2.1 0 0 0 0-4.2',
].join('');
const UNDO = 'M5.5 3 2.5 6l3 3M2.8 6h6.7a3.5 3.5 0 0 1 0 7H6';
const SLIDERS = [
  'M2 4.5h7M13 4.5h1M2 11.5h1M7 11.5h7',
  'M9 4.5a2 2 0 1 0 4 0 2 2 0 0 0-4 0zM3 11.5a2 2 0 1 0 4 0 2 2 0 0 0-4 0z',
].join('');
const FOLD = 'M4 10l4-4 4 4';

export class Bar {
  /** @type {ChipId | null} */
  #chip = null;
  #spread = false;
  /** @type {Map<ChipId, HTMLButtonElement>} */
  #chips = new Map();
  /** The chip whose words are being typed. @type {Chip | null} */
  #editing = null;

  /**
   * @param {object} told
   * @param {() => void} told.chosen the choice has changed
   * @param {() => void} told.near the reader is about to choose
   * @param {(changed: Partial<import('../types.js').Settings['bar']>) => void} told.kept is to be remembered
   * @param {import('../types.js').Settings['bar']} kept
   */
  constructor(told, kept) {
    this.told = told;
    this.kept = { ...kept };
    this.status = new Status();
    this.more = new More(() => this.told.chosen());
    this.field = new Field({ entered: (words) => this.#enter(words), closed: () => this.#stopEditing() });
    const chips = make('div', { class: 'chips' });
    for (const chip of CHIPS) {
      const button = make('button', { type: 'button', class: 'chip', 'aria-pressed': 'false', 'data-chip': chip.id });
      button.addEventListener('click', () => this.#press(chip));
      this.#chips.set(chip.id, button);
      chips.append(button);
    }
    this.spread = make('button', { type: 'button', class: 'chip spread', 'aria-pressed': 'false' }, text('barSpread'));
    this.spread.addEventListener('click', () => this.#toggleSpread());
    this.undo = this.#tool('undo', UNDO, 'barUndo', () => this.clear());
    this.sliders = this.#tool('sliders', SLIDERS, 'barMethodAndStrength', () => this.#toggleMore());
    this.sliders.setAttribute('aria-controls', 'more');
    this.folder = this.#tool('folder', FOLD, 'barFold', () => this.#fold(!this.kept.folded));
    const tools = make('div', { class: 'tools' }, this.spread, this.undo, this.sliders, this.folder);
    this.toolbar = make('div', { class: 'toolbar', role: 'toolbar', 'aria-label': text('barToolbar') }, chips, tools);
    this.roving = rove(this.toolbar);
    const mark = make('span', { class: 'mark' }, icon(EYE), make('span', { class: 'name' }, text('extensionName')));
    this.frame = make(
      'section',
      { class: 'bar', 'aria-label': text('barLabel') },
      mark,
      this.toolbar,
      this.field.element,
      this.more.element,
      this.status.element,
    );
    this.frame.addEventListener('keydown', (event) => this.#key(event));
    for (const type of ['pointerenter', 'focusin']) this.frame.addEventListener(type, () => this.told.near());
    // Before any other listener: nothing happens if the extension is gone (`near` then ends the bar).
    for (const type of ['click', 'submit', 'change']) {
      const check = (/** @type {Event} */ event) => {
        this.told.near();
        if (!this.toolbar.inert) return;
        event.preventDefault();
        event.stopPropagation();
      };
      this.frame.addEventListener(type, check, { capture: true });
    }
    this.host = hosted('div', css, this.frame).host;
    this.reload = text('barReload'); // read now: without the extension there are no texts
    this.#draw();
  }

  /** @returns {Choice} */
  get choice() {
    const chip = CHIPS.find(({ id }) => id === this.#chip);
    const words = chip?.field ? this.kept[chip.field] : '';
    return { chip: this.#chip, words, spread: this.#spread, method: this.more.method, strength: this.more.strength };
  }

  /** Takes the choice back: the results stand as the page wants them. */
  clear() {
    const back = this.field.isOpen ? this.#chips.get(this.#editing?.id ?? 'own') : null;
    this.#chip = null;
    this.#spread = false;
    this.#closeField();
    this.#draw();
    this.told.chosen();
    if (back && !this.undo.matches(':focus')) back.focus({ preventScroll: true });
  }

  /**
   * @param {'dark' | 'light'} scheme
   * @param {'ltr' | 'rtl'} dir
   */
  look(scheme, dir) {
    this.frame.dataset.scheme = scheme;
    this.frame.dir = dir;
  }

  /** @param {boolean} floats whether it stands at the window's lower edge, and not above the results */
  float(floats) {
    this.host.toggleAttribute('data-floating', floats);
  }

  /** @param {boolean} disabled whether there are no results to order */
  disable(disabled) {
    if (this.frame.classList.toggle('disabled', disabled)) {
      this.#closeField();
      this.more.element.hidden = true;
    }
  }

  /** Nothing works any more until the page is loaded anew. */
  end() {
    this.toolbar.inert = this.field.element.inert = this.more.element.inert = true;
    this.status.end(this.reload);
  }

  /** @param {Chip} chip */
  #press(chip) {
    if (this.#chip === chip.id) {
      this.clear();
    } else if (chip.field) {
      if (this.#editing === chip) this.#stopEditing();
      else this.#edit(chip);
    } else {
      this.#closeField();
      this.#choose(chip);
    }
  }

  /** @param {Chip} chip */
  #choose(chip) {
    this.#chip = chip.id;
    this.#draw();
    this.told.chosen();
  }

  /** @param {Chip} chip */
  #edit(chip) {
    this.#editing = chip;
    this.#draw();
    this.field.open(chip, this.kept[/** @type {FieldId} */ (chip.field)]);
  }

  #stopEditing() {
    const chip = this.#editing;
    this.#closeField();
    this.#draw();
    if (chip) this.#chips.get(chip.id)?.focus({ preventScroll: true });
  }

  #closeField() {
    this.#editing = null;
    this.field.close();
  }

  /** @param {string} words */
  #enter(words) {
    const chip = this.#editing;
    if (!chip?.field) return;
    this.kept[chip.field] = words;
    this.told.kept({ [chip.field]: words });
    this.#stopEditing();
    this.#choose(chip);
  }

  #toggleSpread() {
    this.#spread = !this.#spread;
    this.#draw();
    this.told.chosen();
  }

  #toggleMore() {
    this.more.element.hidden = !this.more.element.hidden;
    this.#draw();
  }

  /** @param {boolean} folded */
  #fold(folded) {
    this.kept.folded = folded;
    this.told.kept({ folded });
    this.#draw();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== 'Escape' || event.defaultPrevented || this.frame.classList.contains('disabled')) return;
    event.preventDefault();
    if (!this.more.element.hidden) {
      this.#toggleMore();
      this.sliders.focus();
    } else if (this.#chip || this.#spread) this.clear();
  }

  #draw() {
    for (const chip of CHIPS) {
      const button = this.#chips.get(chip.id);
      if (!button) continue;
      const pressed = this.#chip === chip.id;
      button.setAttribute('aria-pressed', String(pressed));
      if (chip.field) button.setAttribute('aria-expanded', String(this.#editing === chip));
      const words = chip.field && pressed ? this.kept[chip.field] : '';
      button.textContent = words
        ? text('barWithWords', text(chip.label), words)
        : text(chip.label) + (chip.field ? '…' : '');
      button.title = words;
    }
    this.spread.setAttribute('aria-pressed', String(this.#spread));
    this.undo.disabled = !this.#chip && !this.#spread;
    this.sliders.setAttribute('aria-expanded', String(!this.more.element.hidden));
    const { folded } = this.kept;
    this.frame.classList.toggle('folded', folded);
    this.folder.setAttribute('aria-expanded', String(!folded));
    name(this.folder, folded ? 'barUnfold' : 'barFold');
    this.roving.update();
  }

  /**
   * @param {string} kind
   * @param {string} path
   * @param {string} key
   * @param {() => void} run
   */
  #tool(kind, path, key, run) {
    const button = make('button', { type: 'button', class: `tool ${kind}`, onclick: run }, icon(path));
    name(button, key);
    return button;
  }
}

/**
 * Names a button that shows a drawing only.
 * @param {HTMLButtonElement} button
 * @param {string} key
 */
function name(button, key) {
  button.title = text(key);
  button.setAttribute('aria-label', text(key));
}

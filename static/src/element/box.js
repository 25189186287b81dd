// The parts in the shadow of <vantage-search>, and where they are: in place of the element's children, or in a dialog.

import { style } from '../vantage-search-style.js';
import { Dialog } from './dialog.js';
import { make } from './make.js';

/** @import { Messages } from '../../lib/vantage-search.d.ts' */

/** The key that opens the dialog, unless the page names another: Ctrl-K, or ⌘K on Apple's systems. */
const HOTKEY = 'mod+k';

export class Box {
  #host;
  #root;
  #slot; // the element's children
  #box;
  #form;
  #label;
  #button;
  #revealed = false; // whether the box is shown, or the children
  #offered = false; // whether the dialog's button is shown, if the element is a dialog
  #given = ''; // what was typed into the field, as the children got it

  /** @param {HTMLElement} host */
  constructor(host) {
    this.#host = host;
    const root = (this.#root = host.attachShadow({ mode: 'open', delegatesFocus: true }));
    root.adoptedStyleSheets = [style()];
    this.#slot = root.appendChild(document.createElement('slot'));
    this.fault = make('p', 'fault', root, { role: 'alert', hidden: '' });
    this.#box = make('div', 'box', root, { hidden: '' });
    this.#form = make('form', 'form', this.#box, { role: 'search' });
    this.#label = make('label', 'label', this.#form, { for: 'query' });
    const typed = { id: 'query', type: 'search', autocomplete: 'off', enterkeyhint: 'search' };
    this.input = make('input', 'input', this.#form, typed);
    this.#button = make('button', 'button', this.#form, { type: 'submit' });
    const offer = make('p', 'offer', this.#box, { 'aria-live': 'polite' });
    this.better = make('button', 'better', offer, { type: 'button', hidden: '' });
    this.status = make('p', 'status', this.#box, { role: 'status' });
    this.sides = make('p', 'sides', this.#box, { role: 'status' });
    // A click on a text would otherwise lead to the field (delegatesFocus): the page would scroll, and select nothing.
    this.list = make('ol', 'results', this.#box, { tabindex: '-1' });
    this.dialog = new Dialog(root, this.input);
  }

  /**
   * @param {object} on
   * @param {() => void} on.search called when the visitor asks for results
   * @param {() => void} on.focus called when the visitor enters the field
   * @param {() => void} on.type called when the visitor changes the query
   * @param {() => readonly HTMLElement[]} on.stops the results that the arrow keys move to
   */
  listen({ search, focus, type, stops }) {
    this.better.addEventListener('click', () => {
      this.input.focus({ preventScroll: true }); // the button disappears
      search();
    });
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      search();
    });
    this.input.addEventListener('focus', focus);
    this.input.addEventListener('input', type);
    this.#box.addEventListener('keydown', (event) => this.#move(event, [this.input, ...stops()]));
  }

  /** @param {Messages} messages */
  label(messages) {
    const name = this.#host.getAttribute('label') ?? messages.label;
    this.#label.textContent = name;
    this.dialog.label(name, messages.close);
    this.input.placeholder = this.#host.getAttribute('placeholder') ?? '';
    this.#button.textContent = messages.button;
    this.better.textContent = messages.better;
  }

  /** Puts the box into the page, or into the dialog. Throws an InputError if the attribute "hotkey" is not a key. */
  arrange() {
    const dialog = this.#host.hasAttribute('dialog');
    const place = dialog ? this.dialog.element : this.#root;
    this.dialog.deafen();
    if (!dialog) this.dialog.close();
    if (this.#box.parentNode !== place) place.append(this.#box);
    this.#box.before(this.fault);
    this.#reveal(this.#revealed, this.#offered);
    if (dialog) this.dialog.listen(this.#host.getAttribute('hotkey') ?? HOTKEY);
  }

  /** Replaces the children with the box, and keeps what was typed into them. */
  takeOver() {
    const field = this.#field;
    if (field && this.input.value === this.#given) this.input.value = field.value;
    const active = this.#page.activeElement;
    const focused = this.#host.contains(active) && active !== this.#host && !active?.closest('[slot]');
    this.#box.before(this.fault);
    this.fault.hidden = true;
    this.#reveal(true);
    if (!focused) return;
    if (this.#host.hasAttribute('dialog')) this.dialog.open();
    else this.input.focus();
  }

  /**
   * Replaces the box with the children again, keeps what was typed into it, and shows a fault beside them.
   * @param {boolean} offered whether the dialog's button stays, because opening the dialog tries again
   */
  giveBack(offered) {
    const field = this.#field;
    const focused = this.#root.activeElement === this.input;
    this.#slot.before(this.fault); // out of the dialog
    this.dialog.close();
    this.#reveal(false, offered);
    // The children may have been shown before, and have a newer text.
    if (field && this.input.value !== this.#given) field.value = this.#given = this.input.value;
    if (focused) field?.focus();
  }

  /** Closes the dialog, and shows the children in place of the box. */
  hide() {
    this.dialog.close();
    this.#reveal(false);
  }

  /**
   * The field among the children, for visitors whose browser runs no scripts.
   * @returns {HTMLInputElement|null}
   */
  get #field() {
    return this.#host.querySelector('input[type=search], input[type=text], input:not([type])');
  }

  /** The document or shadow root that the element and its children are in. */
  get #page() {
    return /** @type {Document|ShadowRoot} */ (this.#host.getRootNode());
  }

  /**
   * @param {boolean} box whether the box is shown; if not, the children are
   * @param {boolean} [offered] whether the dialog's button is shown
   */
  #reveal(box, offered = box) {
    const dialog = this.#host.hasAttribute('dialog');
    this.#revealed = box;
    this.#offered = offered;
    this.#slot.hidden = box;
    this.#box.hidden = !box && !dialog; // the dialog is closed
    this.dialog.slot.hidden = !offered || !dialog;
  }

  /**
   * Arrow keys move through the results. Escape returns to the field.
   * @param {KeyboardEvent} event
   * @param {readonly HTMLElement[]} stops
   */
  #move(event, stops) {
    const active = this.#root.activeElement ?? this.#page.activeElement; // the copies of a template are in the page
    const at = stops.findIndex((stop) => stop === active);
    /** @type {{[key: string]: number}} */
    const keys = { ArrowDown: at + 1, ArrowUp: at - 1, Escape: 0 };
    if (event.isComposing) return; // the arrow keys choose among the proposals of an input method
    if (event.key === 'Escape' && this.#host.hasAttribute('dialog')) return; // Dialog closes itself
    const to = keys[event.key];
    if (at < 0 || !stops[to] || to === at) return;
    event.preventDefault();
    stops[to].focus();
  }
}

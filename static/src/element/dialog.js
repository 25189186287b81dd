// <vantage-search> as a dialog: a button, or the page's own in the slot "button", opens a modal dialog with the box. A
// key opens it from anywhere in the page.

import { InputError } from '../index.js';
import { Hotkey } from './hotkey.js';
import { make } from './make.js';

export class Dialog {
  #input;
  #close;
  #listening = new AbortController();
  #release = () => {}; // undoes #hold

  /**
   * @param {ShadowRoot} root
   * @param {HTMLInputElement} input gets the focus when the dialog opens
   */
  constructor(root, input) {
    this.#input = input;
    /** Holds the button, and is hidden if the element is not a dialog. */
    this.slot = root.appendChild(document.createElement('slot'));
    this.slot.name = 'button';
    this.slot.hidden = true;
    this.button = make('button', 'open', this.slot, { type: 'button', 'aria-haspopup': 'dialog' });
    this.element = make('dialog', 'dialog', root);
    this.#close = make('button', 'close', this.element, { type: 'button' });
    this.slot.addEventListener('click', () => this.open());
    this.#close.addEventListener('click', () => this.close());
    this.element.addEventListener('close', () => {
      if (!this.element.open) this.#release(); // the event comes late, when the dialog may be open again
    });
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
      event.preventDefault(); // otherwise the first Escape would only empty the field
      this.close();
    });
    this.element.addEventListener('click', (event) => {
      const { target, clientX: x, clientY: y } = event;
      if (staysHere(event)) return this.close(); // the page scrolls to what was found
      const { left, right, top, bottom } = this.element.getBoundingClientRect();
      const inside = x >= left && x <= right && y >= top && y <= bottom;
      if (target === this.element && !inside) this.close(); // the click was on the backdrop
    });
  }

  /**
   * Names the button, the dialog and the button that closes it.
   * @param {string} name of the search
   * @param {string} close
   */
  label(name, close) {
    const hotkey = this.button.querySelector('kbd');
    this.button.replaceChildren(name, ...(hotkey ? [' ', hotkey] : []));
    this.element.setAttribute('aria-label', name);
    this.#close.setAttribute('aria-label', close);
    this.#close.title = close;
  }

  /**
   * Listens for the key in the whole page.
   * @param {string} text such as "mod+k"; "none" for no key
   */
  listen(text) {
    this.deafen();
    if (text === 'none') return;
    const hotkey = Hotkey.read(text);
    if (!hotkey) throw new InputError(`hotkey: "${text}" is not a key such as "mod+k", "ctrl+shift+f", "/" or "none"`);
    make('kbd', 'hotkey', this.button, { 'aria-hidden': 'true' }).textContent = hotkey.printed;
    this.button.append(' ', this.button.lastChild ?? '');
    this.button.setAttribute('aria-keyshortcuts', hotkey.spoken);
    const { signal } = (this.#listening = new AbortController());
    document.addEventListener(
      'keydown',
      (event) => {
        if (!this.slot.hidden && hotkey.is(event) && this.open()) event.preventDefault();
      },
      { signal },
    );
  }

  /** Listens no longer. */
  deafen() {
    this.#listening.abort();
    this.button.querySelector('kbd')?.remove();
    this.button.removeAttribute('aria-keyshortcuts');
  }

  /** Opens the dialog, and returns whether it is open. It cannot be if the page does not display the element. */
  open() {
    if (this.slot.hidden) return false;
    if (!this.element.open) {
      this.element.showModal();
      if (this.element.getClientRects().length === 0) {
        this.element.close(); // an invisible dialog would only block the page
        return false;
      }
      this.#hold();
    }
    this.#input.focus();
    this.#input.select();
    return true;
  }

  /** Closes the dialog. The browser returns the focus to the element that had it before. */
  close() {
    this.element.close();
    this.#release();
  }

  // Keeps the page behind the dialog from scrolling, and from moving when its scroll bar disappears.
  #hold() {
    const { style } = document.documentElement;
    const { overflow, paddingInlineEnd } = style;
    const before = document.documentElement.clientWidth;
    style.overflow = 'hidden';
    const gained = document.documentElement.clientWidth - before;
    if (gained > 0) style.paddingInlineEnd = `${gained}px`;
    this.#release = () => {
      Object.assign(style, { overflow, paddingInlineEnd });
      this.#release = () => {};
    };
  }
}

/**
 * Whether the click follows a link to a place in this page: the same address with a fragment. The page decides about
 * one that it prevents, and the browser opens others in a new tab or window.
 * @param {MouseEvent} event
 */
function staysHere(event) {
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement && node.href);
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented) return false;
  const { ctrlKey, metaKey, shiftKey, altKey } = event;
  if (ctrlKey || metaKey || shiftKey || altKey || /^(?!_self$)./i.test(link.target)) return false;
  const [here] = location.href.split('#');
  return link.href.startsWith(`${here}#`);
}

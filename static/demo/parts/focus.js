// Where the focus goes if what has it disappears. Without this, a keyboard would begin at the top of the page again.

import { byId } from './dom.js';

/**
 * If an element that has the focus is removed or hidden, this place gets the focus.
 * @param {HTMLElement} place
 */
export function catchFocus(place) {
  /** @type {Element|null} */
  let last = null;
  addEventListener('focusin', ({ target }) => (last = /** @type {Element} */ (target)));
  addEventListener('pointerdown', () => (last = null)); // a click beside everything takes the focus away on purpose
  new MutationObserver(() => {
    if (!last || (last.isConnected && !last.closest('[hidden]'))) return;
    const { activeElement, body } = document;
    if (activeElement === last || activeElement === body) place.focus({ preventScroll: true });
  }).observe(document, { subtree: true, childList: true, attributeFilter: ['hidden'] });
}

/**
 * Shows an element in the place of another, from which it takes the focus over.
 * @param {string} gone
 * @param {string} here
 */
export function swap(gone, here) {
  const focused = document.activeElement === byId(gone);
  byId(gone).hidden = true;
  byId(here).hidden = false;
  if (focused) byId(here).focus();
}

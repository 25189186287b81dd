// The keyboard: a slash moves to the field, Escape empties it, and the arrow keys move from result to result.

import { byId } from '../../demo/parts/dom.js';
import { isTyping } from '../../src/element/hotkey.js';

/**
 * @param {HTMLInputElement} input
 * @param {() => void} empty
 */
export function wireKeys(input, empty) {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const { key, target } = event;
    if (key === '/' && !isTyping(event)) {
      event.preventDefault();
      input.focus();
      input.select();
    } else if (key === 'Escape' && target === input) {
      event.preventDefault();
      empty();
    } else if (key === 'Escape' && inResults(target)) {
      input.focus();
    } else if ((key === 'ArrowDown' || key === 'ArrowUp') && (target === input || isStop(target))) {
      move(event, input, key === 'ArrowDown' ? 1 : -1);
    }
  });
}

const inResults = (/** @type {EventTarget|null} */ target) =>
  target instanceof Node && byId('results').contains(target);

const isStop = (/** @type {EventTarget|null} */ target) =>
  target instanceof Element && target.classList.contains('stop');

/**
 * @param {KeyboardEvent} event
 * @param {HTMLInputElement} input
 * @param {1|-1} by
 */
function move(event, input, by) {
  const links = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('#results .stop')]);
  const stops = [input, ...links.filter((link) => link.checkVisibility?.() ?? link.offsetParent !== null)];
  const to = stops[stops.indexOf(/** @type {HTMLElement} */ (event.target)) + by];
  if (!to) return;
  event.preventDefault();
  to.focus();
}

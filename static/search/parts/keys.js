// The keyboard: a slash moves to the field, Escape empties it, and the arrow keys move from result to result.

import { isTyping } from '../../src/element/hotkey.js';

/**
 * @param {HTMLInputElement} input
 * @param {() => void} empty
 */
export function wireKeys(input, empty) {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const { key } = event;
    const target = /** @type {HTMLElement} */ (event.target); // or the document, which has no closest()
    if (key === '/' && !isTyping(event)) {
      event.preventDefault();
      input.focus();
      input.select();
    } else if (key === 'Escape' && target === input) {
      event.preventDefault();
      empty();
    } else if (key === 'Escape' && target.closest?.('#results')) {
      input.focus();
    } else if ((key === 'ArrowDown' || key === 'ArrowUp') && target.closest?.('#query, .stop')) {
      move(event, input, key === 'ArrowDown' ? 1 : -1);
    }
  });
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLInputElement} input
 * @param {1|-1} by
 */
function move(event, input, by) {
  const links = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('#results .stop')]);
  const stops = [input, ...links.filter(({ offsetParent }) => offsetParent)];
  const to = stops[stops.indexOf(/** @type {HTMLElement} */ (event.target)) + by];
  if (!to) return;
  event.preventDefault();
  to.focus();
}

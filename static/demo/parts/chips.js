// The perspectives of the query: a list of inputs, each with a button that removes it.

import { byId, el } from './dom.js';

/**
 * Adds an input to the list.
 * @param {string} text
 * @param {() => void} onEdit called when the text changes, or the input is removed
 * @param {() => void} onCommit called when it is removed
 */
export function addPerspective(text, onEdit, onCommit) {
  const input = el('input', {
    type: 'text',
    value: text,
    placeholder: 'a point of view',
    'aria-label': 'Perspective',
  });
  const fit = () => {
    input.size = Math.max(12, input.value.length);
  };
  const remove = el(
    'button',
    { type: 'button', className: 'remove', title: 'Remove', 'aria-label': 'Remove this perspective' },
    '×',
  );
  const chip = el('li', {}, input, remove);
  input.addEventListener('input', () => {
    fit();
    onEdit();
  });
  remove.addEventListener('click', () => {
    chip.remove();
    onEdit();
    byId('add').focus();
    onCommit();
  });
  fit();
  byId('perspectives').append(chip);
  return chip;
}

// The row in which the reader types a place, a time, an audience, or own words.

import { WORDS } from './chips.js';
import { icon, make } from './shadow.js';
import { text } from '../text.js';

/** @import { Chip } from './chips.js' */

export class Field {
  /**
   * @param {object} told
   * @param {(words: string) => void} told.entered not empty
   * @param {() => void} told.closed by Escape
   */
  constructor(told) {
    this.label = make('label', { for: 'words' });
    this.input = make('input', {
      id: 'words',
      type: 'text',
      dir: 'auto',
      maxlength: String(WORDS),
      autocomplete: 'off',
      enterkeyhint: 'go',
      spellcheck: 'true',
    });
    const go = make(
      'button',
      { type: 'submit', class: 'go', 'aria-label': text('barRank') },
      icon('M3 8h9M8.5 4l4 4-4 4'),
    );
    this.element = make('form', { class: 'field', hidden: true }, this.label, this.input, go);
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      const words = this.input.value.trim();
      if (words) told.entered(words);
      else this.input.focus();
    });
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation(); // closes this row, and undoes nothing
      event.preventDefault();
      told.closed();
    });
  }

  /**
   * @param {Chip} chip
   * @param {string} words
   */
  open(chip, words) {
    this.label.textContent = text(chip.label);
    this.input.placeholder = text(chip.placeholder ?? '');
    this.input.value = words;
    this.element.hidden = false;
    this.input.focus({ preventScroll: true });
    this.input.select();
  }

  close() {
    this.element.hidden = true;
  }

  get isOpen() {
    return !this.element.hidden;
  }
}

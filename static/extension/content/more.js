// Method and strength, which most readers leave alone.

import { METHODS } from '../../src/constants.js';
import { make } from './shadow.js';
import { text } from '../text.js';

/** Where the strength stands while the method's own recommendation holds. */
const MIDDLE = '1';

export class More {
  /** @type {string | null} */
  method = null;
  /** @type {number | null} */
  strength = null;

  /** @param {() => void} changed */
  constructor(changed) {
    const methods = make('select', { id: 'method' }, make('option', { value: '' }, text('barAutomatic')));
    for (const { name, aliases, summary } of METHODS) {
      methods.append(make('option', { value: name, title: summary }, aliases[0] ?? name));
    }
    const strength = make('input', { id: 'strength', type: 'range', min: '0', max: '2', step: '0.1', value: MIDDLE });
    const value = make('output', { for: 'strength' }, text('barAutomatic'));
    const reset = make('button', { type: 'button', class: 'plain', hidden: true }, text('barReset'));
    const summary = make('p', { class: 'summary' }, text('barAutomaticSummary'));
    const update = () => {
      const method = METHODS.find(({ name }) => name === this.method);
      summary.textContent = method?.summary ?? text('barAutomaticSummary');
      strength.disabled = !!method && !method.lambda && method.angles === 0;
      if (strength.disabled) this.strength = null;
      if (this.strength === null) strength.value = MIDDLE;
      value.textContent = this.strength === null ? text('barAutomatic') : this.strength.toFixed(1);
      strength.setAttribute('aria-valuetext', value.textContent);
      reset.hidden = this.method === null && this.strength === null;
    };
    methods.addEventListener('change', () => {
      this.method = methods.value || null;
      update();
      changed();
    });
    strength.addEventListener('input', () => {
      this.strength = Number(strength.value);
      update();
    });
    strength.addEventListener('change', changed);
    reset.addEventListener('click', () => {
      this.method = this.strength = null;
      methods.value = '';
      update();
      methods.focus();
      changed();
    });
    update();
    this.element = make(
      'div',
      { class: 'more', id: 'more', role: 'group', 'aria-label': text('barMethodAndStrength'), hidden: true },
      make('label', { for: 'method' }, text('barMethod')),
      methods,
      make('label', { for: 'strength' }, text('barStrength')),
      make('span', { class: 'strength' }, strength, value, reset),
      summary,
    );
  }
}

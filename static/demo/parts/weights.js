// A perspective vector as bars, each with a switch.

import { el } from './dom.js';

/** @import { PerspectiveVector } from '../../lib/server.js' */

/**
 * @param {HTMLElement} list
 * @param {PerspectiveVector} vector
 * @param {(perspective: number, on: boolean) => void} onSwitch
 */
export function showVector(list, { perspectives, threshold }, onSwitch) {
  list.replaceChildren(
    ...perspectives.map(({ name, score, weight }, i) => {
      const counts = weight > 0;
      const box = el('input', { type: 'checkbox', checked: counts, disabled: !counts });
      box.addEventListener('change', () => onSwitch(i, box.checked));
      const bar = el('span', { className: 'gauge-level' });
      bar.style.inlineSize = `${100 * score}%`;
      return el(
        'li',
        { className: counts ? '' : 'idle' },
        el('label', { className: 'check' }, box, ` ${name}`),
        el('span', { className: 'gauge', 'aria-hidden': 'true' }, bar),
        el('span', { className: 'share' }, counts ? score.toFixed(2) : `${score.toFixed(2)}, not above ${threshold}`),
      );
    }),
  );
}

// The choice of measures.

import { byId, el } from '../parts/dom.js';

/** Measures with a checkbox; the first ones are ticked. */
const OFFERED = ['nDCG@10', 'AP', 'RR', 'P@5', 'R@100', 'Rprec', 'Bpref', 'Success@1', 'Success@5'];
const TICKED = 5;

export class Measures {
  /** @param {() => void} onChange */
  constructor(onChange) {
    this.boxes = OFFERED.map((name, i) => el('input', { type: 'checkbox', value: name, checked: i < TICKED }));
    byId('checks').append(...this.boxes.map((box) => el('label', { className: 'check' }, box, ` ${box.value}`)));
    for (const box of this.boxes) box.addEventListener('change', onChange);
    byId('more').addEventListener('change', onChange);
  }

  /** The names, in the order in which they stand on the page. */
  get list() {
    return [
      ...this.boxes.filter((box) => box.checked).map((box) => box.value),
      ...byId('more').value.split(/\s+/).filter(Boolean),
    ];
  }
}

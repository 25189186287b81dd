// A bar for each query, from the greatest value to the least: above the line
// for positive values, below it for negative ones. The arrow keys and the
// pointer move between bars; a table beside the chart has the same figures.

import { byId } from '../parts/dom.js';
import { figure } from './format.js';
import { standalone, svg } from './svg.js';

const HEIGHT = 200;
const SPACE = { top: 14, bottom: 14, left: 60 };

/** Height of a label: the least distance between labels. */
const LABEL = 12;

/** The step of Page Up and Page Down, in queries. */
const LEAP = 10;

export class Chart {
  /** @type {{query: string, value: number}[]} in order; empty until something is shown */
  bars = [];
  /** @type {(value: number) => string} */
  write = figure;
  at = 0; // the current bar
  step = 1; // pixels from bar to bar
  cursor = svg('path', { class: 'mark' });
  picture = svg('svg', {});

  constructor() {
    this.frame = byId('chart');
    for (const [name, value] of Object.entries({
      role: 'slider',
      tabindex: '0',
      'aria-valuemin': '1',
      'aria-labelledby': 'chart-summary',
    })) {
      this.frame.setAttribute(name, value);
    }
    new ResizeObserver(() => this.draw()).observe(this.frame);
    this.frame.addEventListener('keydown', (event) => this.key(event));
    this.frame.addEventListener('pointermove', (event) => this.point(event));
    this.frame.addEventListener('pointerdown', (event) => this.point(event));
  }

  /**
   * @param {string[]} queries
   * @param {ArrayLike<number>} values
   * @param {(value: number) => string} write
   */
  show(queries, values, write) {
    const order = [...queries.keys()].sort((a, b) => values[b] - values[a] || a - b);
    this.bars = order.map((q) => ({ query: queries[q], value: values[q] }));
    this.write = write;
    this.at = 0;
    this.frame.setAttribute('aria-valuemax', String(this.bars.length));
    this.draw();
  }

  draw() {
    const width = this.frame.clientWidth;
    const [first] = this.bars;
    const last = this.bars.at(-1);
    if (!first || !last || width === 0) return;
    const high = Math.max(0, first.value);
    const low = Math.min(0, last.value);
    const scale = (HEIGHT - SPACE.top - SPACE.bottom) / (high - low || 1);
    const y = (/** @type {number} */ value) => SPACE.top + (high - value) * scale;
    this.step = (width - SPACE.left) / this.bars.length;
    const thick = this.step > 3 ? this.step - 1 : this.step;
    const bars = (/** @type {(value: number) => boolean} */ choose) =>
      this.bars
        .map(({ value }, i) =>
          choose(value)
            ? `M${(SPACE.left + i * this.step).toFixed(2)} ` +
              `${y(0).toFixed(2)}V${y(value).toFixed(2)}h${thick.toFixed(2)}V${y(0).toFixed(2)}z`
            : '',
        )
        .join('');
    const labels = [high, low].filter((value) => Math.abs(y(value) - y(0)) > LABEL);
    const label = (/** @type {number} */ value) =>
      svg('text', { x: SPACE.left - 8, y: y(value) + 4, class: 'tick', 'text-anchor': 'end' }, figure(value));
    this.cursor = svg('path', { class: 'mark' });
    this.picture = svg(
      'svg',
      { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, 'aria-hidden': 'true' },
      svg('path', { class: 'above', d: bars((value) => value > 0) }),
      svg('path', { class: 'below', d: bars((value) => value < 0) }),
      svg('path', { class: 'zero', d: `M${SPACE.left} ${y(0)}H${width}` }),
      ...[0, ...labels].map(label),
      this.cursor,
    );
    this.frame.replaceChildren(this.picture);
    this.mark();
  }

  mark() {
    const { query, value } = this.bars[this.at];
    const x = SPACE.left + (this.at + 0.5) * this.step;
    this.cursor.setAttribute('d', `M${x} 2V${HEIGHT - 2}`);
    const text = `query ${query}: ${this.write(value)}`;
    this.frame.setAttribute('aria-valuenow', String(this.at + 1));
    this.frame.setAttribute('aria-valuetext', text);
    byId('cursor').textContent = `${this.at + 1} of ${this.bars.length}, ${text}`;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const last = this.bars.length - 1;
    /** @type {{[key: string]: number}} */
    const keys = {
      ArrowRight: this.at + 1,
      ArrowUp: this.at + 1,
      ArrowLeft: this.at - 1,
      ArrowDown: this.at - 1,
      Home: 0,
      End: last,
      PageUp: this.at + LEAP,
      PageDown: this.at - LEAP,
    };
    const to = keys[event.key];
    if (to === undefined || this.bars.length === 0) return;
    event.preventDefault();
    this.at = Math.max(0, Math.min(last, to));
    this.mark();
  }

  /** @param {PointerEvent} event */
  point(event) {
    if (this.bars.length === 0) return;
    const x = event.clientX - this.frame.getBoundingClientRect().left - SPACE.left;
    this.at = Math.max(0, Math.min(this.bars.length - 1, Math.floor(x / this.step)));
    this.mark();
  }

  get file() {
    return standalone(this.picture);
  }
}

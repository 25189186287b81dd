// A heat map with a row of cells for each requested place, or for each method: the
// stronger the colour, the greater the share. Every cell also has its percentage. If the map
// is wider than the frame, the names of rows stay while the cells scroll.

import { svg } from './svg.js';

/** Sizes in pixels. */
const CELL = 30;
const LETTER = 6.5;
const LINE = 18;
const SLANT = 60; // of the columns' names, in degrees

/** Steps of the key. */
const STEPS = 10;

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {number} [documents] over which the shares are; 0: none
 * @property {Map<string, number>} shares by column, from 0 to 1
 * @property {string} [label] instead of the name with the number of documents
 * @property {(percent: string, column: string) => string} [tell] the tooltip of a cell
 */

/**
 * The title in lines, and the names of the axes.
 * @typedef {{title: string[], x: string, y: string, columns: string[], rows: Row[]}} HeatMap
 */

/** @typedef {{[name: string]: string|number}} Attributes */

/**
 * @param {HTMLElement} frame that scrolls
 * @param {HeatMap} map
 */
export function showHeatMap(frame, { title, x, y, columns, rows }) {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const longest = (/** @type {string[]} */ names) => LETTER * Math.max(...names.map((name) => name.length));
  const head = longest(columns);
  const left = Math.max(longest(rows.map(rowName)), LETTER * y.length) + 8;
  const top = Math.ceil((title.length + 1.5) * LINE + 0.87 * head);
  const right = left + columns.length * CELL;
  const bottom = top + rows.length * CELL;
  const width = Math.max(
    right + 0.5 * head,
    left + 28 + 16 * (STEPS + 9),
    ...title.map((text) => (LETTER + 2) * text.length),
  );
  const height = bottom + 2 * LINE;
  /**
   * @param {number} column
   * @param {number} row
   * @param {Attributes} share
   * @param {...Node} children
   */
  const cell = (column, row, share, ...children) =>
    svg(
      'rect',
      { x: left + column * CELL + 1, y: top + row * CELL + 1, width: CELL - 2, height: CELL - 2, rx: 3, ...share },
      ...children,
    );
  /**
   * @param {number[]} at
   * @param {string} anchor
   * @param {string} text
   * @param {Attributes} [attributes]
   */
  const label = (at, anchor, text, attributes) =>
    svg('text', { x: at[0], y: at[1], class: 'tick', 'text-anchor': anchor, ...attributes }, text);

  const middle = (/** @type {number} */ r) => top + (r + 0.5) * CELL + 4;
  const cells = rows.flatMap((row, r) => {
    if (row.documents === 0) return [label([left + 4, middle(r)], 'start', 'none found')];
    return columns.flatMap((column, c) => {
      const share = row.shares.get(column) ?? 0;
      const { fill, ink } = ramp(share, dark);
      const box = cell(
        c,
        r,
        { fill, ...(column === row.name ? { class: 'wanted' } : {}) },
        svg(
          'title',
          {},
          row.tell?.(percent(share), column) ?? `${row.name}: ${percent(share)} % of ${row.documents} from ${column}`,
        ),
      );
      return share === 0
        ? [box]
        : [
            box,
            svg(
              'text',
              { x: left + (c + 0.5) * CELL, y: middle(r), fill: ink, class: 'inside', 'text-anchor': 'middle' },
              percent(share),
            ),
          ];
    });
  });
  const slanted = columns.map((column, c) => {
    const at = [left + (c + 0.6) * CELL, top - 6];
    return label(at, 'start', column, { transform: `rotate(${-SLANT} ${at})` });
  });
  const key = left + 28;
  const steps = Array.from({ length: STEPS + 1 }, (_, i) =>
    svg('rect', { x: key + 16 * i, y: height - 15, width: 16, height: 12, fill: ramp(i / STEPS, dark).fill }),
  );
  const wanted = key + 16 * (STEPS + 4);
  const still = svg(
    'g',
    { class: 'still' },
    svg('path', { class: 'behind', d: `M0 0H${left}V${height}H0z` }),
    ...title.map((text, i) => label([0, (i + 0.8) * LINE], 'start', text, i === 0 ? { class: 'title' } : {})),
    label([left - 6, top - 6], 'end', y),
    ...rows.map((row, r) => label([left - 6, middle(r)], 'end', rowName(row))),
  );
  const picture = svg(
    'svg',
    { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title.join('. ') },
    label([left, (title.length + 0.9) * LINE], 'start', x),
    ...slanted,
    ...cells,
    ...steps,
    label([key - 4, height - 5], 'end', '0 %'),
    label([key + 16 * (STEPS + 1) + 4, height - 5], 'start', '100 %'),
    ...(rows.some(({ name }) => columns.includes(name))
      ? [
          svg('rect', { x: wanted, y: height - 15, width: 12, height: 12, rx: 2, class: 'wanted', fill: 'none' }),
          label([wanted + 18, height - 5], 'start', 'asked for'),
        ]
      : []),
    still,
  );
  const follow = () => still.setAttribute('transform', `translate(${frame.scrollLeft} 0)`);
  frame.onscroll = follow;
  frame.replaceChildren(picture);
  follow();
}

/** @param {Row} row */
const rowName = ({ name, documents, label }) => label ?? `${name} (${documents})`;

/** @param {number} share */
const percent = (share) => String(Math.round(100 * share));

/**
 * The colour of a share, and of the text on it. The hue is constant, and the
 * lightness in OKLab (Ottosson, 2020) is linear in the share, so that equal
 * differences look equal. It moves away from the page's own lightness.
 * @param {number} share
 * @param {boolean} dark
 */
function ramp(share, dark) {
  const light = dark ? 0.27 + 0.55 * share : 0.95 - 0.5 * share;
  const chroma = 0.015 + 0.07 * share;
  const [a, b] = [-0.99 * chroma, -0.12 * chroma];
  const [l, m, s] = [
    0.3963377774 * a + 0.2158037573 * b,
    -0.1055613458 * a - 0.0638541728 * b,
    -0.0894841775 * a - 1.291485548 * b,
  ].map((v) => (light + v) ** 3);
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const channels = linear.map((v) => Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)));
  return { fill: `rgb(${channels})`, ink: light > 0.555 ? '#000' : '#fff' }; // contrast of at least 4.5 : 1
}

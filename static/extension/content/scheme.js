// Whether the page is dark or light where the bar stands. The reader's preference does not say this: a page may have a
// scheme of its own. So the background behind the bar counts. If there is none, the page's color-scheme does, which may
// leave the choice to the preference.

import { above, rootOf } from './dom.js';

/**
 * @param {Element} element
 * @returns {'dark' | 'light'}
 */
export function schemeAt(element) {
  for (let node = /** @type {Element | null} */ (element); node; node = above(node)) {
    const { backgroundColor, backgroundImage, color } = getComputedStyle(node);
    const background = parse(backgroundColor);
    if (background && background.alpha >= 0.5) return background.light < 0.4 ? 'dark' : 'light';
    // A picture or a gradient: its text must be readable on it.
    if (backgroundImage !== 'none') return (parse(color)?.light ?? 0) > 0.5 ? 'dark' : 'light';
  }
  const { colorScheme } = getComputedStyle(rootOf(document));
  const dark = /\bdark\b/.test(colorScheme);
  if (dark && !/\blight\b/.test(colorScheme)) return 'dark';
  return dark && matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/**
 * Relative luminance and opacity of a computed colour.
 * @param {string} color
 * @returns {{light: number, alpha: number} | null}
 */
function parse(color) {
  const rgb = /^rgba?\(([^)]*)\)$/.exec(color);
  const srgb = /^color\(srgb ([^)]*)\)$/.exec(color);
  const lightness = /^(?:ok)?l(?:ab|ch)\(\s*([\d.]+)(%?)/.exec(color);
  if (lightness) {
    const scale = lightness[2] || !color.startsWith('ok') ? 100 : 1;
    const alpha = /\/\s*([\d.]+)/.exec(color);
    return { light: (Number(lightness[1]) / scale) ** 3, alpha: alpha ? Number(alpha[1]) : 1 };
  }
  const found = rgb ?? srgb;
  if (!found) return null;
  const numbers = found[1]
    .split(/[\s,/]+/)
    .filter(Boolean)
    .map(Number);
  if (numbers.length < 3 || numbers.some(Number.isNaN)) return null;
  const [red, green, blue] = numbers.slice(0, 3).map((value) => linear(rgb ? value / 255 : value));
  return { light: 0.2126 * red + 0.7152 * green + 0.0722 * blue, alpha: numbers[3] ?? 1 };
}

/** @param {number} value of a channel, 0 to 1 */
const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

// Formats of figures.

/**
 * Four decimals, as trec_eval prints them; whole numbers above 1, which are counts, without. NaN is a mean of nothing.
 * @param {number|string} value
 */
export function figure(value) {
  if (typeof value !== 'number') return value;
  if (Number.isNaN(value)) return 'n/a';
  return (Number.isInteger(value) && Math.abs(value) > 1 ? String(value) : value.toFixed(4)).replace('-', '−');
}

/**
 * A difference, with its sign.
 * @param {number} value
 */
export function signed(value) {
  return `${value > 0 ? '+' : ''}${value.toFixed(4)}`.replace('-', '−');
}

/**
 * @param {number} low
 * @param {number} high
 * @param {(value: number) => string} write
 */
export function interval(low, high, write) {
  return `${write(low)} to ${write(high)}`;
}

/**
 * A probability with two digits; a small one as "less than" a bound.
 * @param {number} p
 */
export function probability(p) {
  return p < 0.0001 ? '< 0.0001' : Number(p.toPrecision(2)).toString();
}

// The core's numbers are float32. JavaScript prints them as doubles, with
// meaningless digits (0.1 becomes 0.10000000149011612) that differ from the
// command's output.

/**
 * The most digits that toExponential gives, enough to recognise ties between
 * two decimals.
 */
const EXACT = 100;

/**
 * JSON.stringify prints the result as Go's encoding/json prints x.
 * @type {typeof import('../../lib/index.d.ts').shortest}
 */
export function shortest(x) {
  if (!Number.isFinite(x) || (Number.isInteger(x) && Math.abs(x) < 1e6)) return x;
  const sign = x < 0 ? '-' : '';
  const [mantissa, exponent] = Math.abs(x).toExponential(EXACT).split('e');
  const exact = mantissa.replace('.', '');
  for (let digits = 1; digits <= 9; digits++) {
    const below = Number(exact.slice(0, digits));
    const decimal = (/** @type {number} */ units) => Number(`${sign}${units}e${Number(exponent) - (digits - 1)}`);
    const up = roundsUp(below, exact.slice(digits));
    const nearest = decimal(up ? below + 1 : below);
    if (Math.fround(nearest) === x) return nearest;
    // Below a power of two, float32 values are twice as dense as above it.
    // There the nearest decimal of this length may read back as the value
    // below, while the next decimal above still reads back as x.
    if (!up && Math.fround(decimal(below + 1)) === x) return decimal(below + 1);
  }
  return x;
}

/**
 * Whether to round up: halves go to even, as in Go; toExponential would round
 * them up.
 * @param {number} units
 * @param {string} rest
 */
function roundsUp(units, rest) {
  const half = rest[0] === '5' && /^50*$/.test(rest);
  return half ? units % 2 === 1 : rest[0] >= '5';
}

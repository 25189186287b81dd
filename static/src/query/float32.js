// The core's numbers are float32. Printed as the doubles that JavaScript makes
// of them they show digits that mean nothing (0.1 becomes 0.10000000149011612)
// and differ from what the command prints.

/** Enough digits for the exact decimal of any float32, rounding aside. */
const EXACT = 100;

/**
 * The double whose decimal form is the shortest that reads back as this
 * float32, so that JSON.stringify prints what Go's encoding/json prints.
 * @param {number} x a float32 value
 * @returns {number}
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
    // Below a power of two float32 values lie twice as densely as above it:
    // there the nearest decimal of this length may read back as the value
    // below, while the next one above still reads back as x.
    if (!up && Math.fround(decimal(below + 1)) === x) return decimal(below + 1);
  }
  return x;
}

/**
 * Halves to even, as Go does it; toExponential would round them up.
 * @param {number} units
 * @param {string} rest
 */
function roundsUp(units, rest) {
  const half = rest[0] === '5' && /^50*$/.test(rest);
  return half ? units % 2 === 1 : rest[0] >= '5';
}

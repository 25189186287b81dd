// The natural logarithm of internal/wasm/logs, with the same bits: Math.log differs between browsers.

/** ln 2 in two parts, the first with 21 zero bits at its end. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

/** 2/(2i+1), i = 12 … 1: coefficients of 2 artanh s after the first, highest power first. */
const ARTANH = [2 / 25, 2 / 23, 2 / 21, 2 / 19, 2 / 17, 2 / 15, 2 / 13, 2 / 11, 2 / 9, 2 / 7, 2 / 5, 2 / 3];

const bits = new DataView(new ArrayBuffer(8));

/**
 * @param {number} x finite and at least 2^-1022
 */
export function log(x) {
  bits.setFloat64(0, x);
  const high = bits.getUint32(0);
  let exponent = (high >>> 20) - 1022;
  bits.setUint32(0, (high & 0xfffff) | 0x3fe00000);
  let m = bits.getFloat64(0); // x = 2^exponent · m, ½ ≤ m < 1
  if (m < Math.SQRT2 / 2) {
    m *= 2;
    exponent--;
  }
  const numerator = m - 1;
  const denominator = m + 1;
  const lost = m - (denominator - 1);
  const s = numerator / denominator;
  const rest = (remainder(numerator, s, denominator) - s * lost) / denominator;

  const z = s * s;
  let series = 0;
  for (const c of ARTANH) series = series * z + c;
  let small = exponent * LN2_LOW + (2 * rest + s * z * series);

  const large = exponent * LN2_HIGH;
  const sum = large + 2 * s;
  small += 2 * s - (sum - large);
  return sum + small;
}

/**
 * numerator − quotient · denominator, which a double holds exactly if the quotient is the rounded one. Go computes it
 * by a fused multiply-add. Here the product is a sum of two doubles (Dekker 1971).
 * @param {number} numerator
 * @param {number} quotient
 * @param {number} denominator
 */
function remainder(numerator, quotient, denominator) {
  const [a, b] = halves(quotient);
  const [c, d] = halves(denominator);
  const product = quotient * denominator;
  const error = a * c - product + a * d + b * c + b * d;
  return numerator - product - error;
}

/**
 * A double as a sum of two with 26 bits each (Veltkamp).
 * @param {number} x
 */
function halves(x) {
  const scaled = x * 134217729;
  const high = scaled - (scaled - x);
  return [high, x - high];
}

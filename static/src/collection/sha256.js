// SHA-256 of a file's bytes. crypto.subtle exists only in secure contexts.
// Pages on plain http in a local network use the implementation below (FIPS
// 180-4), which is some ten times slower.

/**
 * @param {Uint8Array} bytes
 * @returns {Promise<string>} 64 lower-case hex digits
 */
export async function sha256(bytes) {
  const digest = globalThis.crypto?.subtle
    ? new Uint8Array(await crypto.subtle.digest('SHA-256', /** @type {Uint8Array<ArrayBuffer>} */ (bytes)))
    : sha256Plain(bytes);
  return hex(digest);
}

/** @param {Uint8Array} bytes */
function hex(bytes) {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}

/**
 * The first 32 bits of the fractional parts of the primes' roots.
 * @param {number} count
 * @param {number} power
 */
function constants(count, power) {
  const out = new Uint32Array(count);
  for (let candidate = 2, found = 0; found < count; candidate++) {
    let prime = true;
    for (let d = 2; d * d <= candidate && prime; d++) prime = candidate % d !== 0;
    if (prime) out[found++] = fraction(candidate, power);
  }
  return out;
}

/**
 * floor(2^32 · frac(n^(1/power))) by exact integer root: the last bits of
 * Math.pow differ between JavaScript engines.
 * @param {number} n
 * @param {number} power
 */
function fraction(n, power) {
  const target = BigInt(n) << BigInt(32 * power);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(power) <= target) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}

/** @type {Uint32Array|undefined} */
let initial;
/** @type {Uint32Array|undefined} */
let rounds;

/**
 * @param {Uint8Array} bytes
 * @returns {Uint8Array} 32 bytes
 */
function sha256Plain(bytes) {
  initial ??= constants(8, 2);
  rounds ??= constants(64, 3);
  const state = initial.slice();
  const w = new Int32Array(64);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length & ~63;
  for (let at = 0; at < whole; at += 64) block(state, rounds, w, view, at);

  // The rest, a one bit, zeros, and the length in bits as a 64-bit number.
  const rest = bytes.length - whole;
  const tail = new Uint8Array(rest < 56 ? 64 : 128);
  tail.set(bytes.subarray(whole));
  tail[rest] = 0x80;
  const tailView = new DataView(tail.buffer);
  tailView.setUint32(tail.length - 8, Math.floor(bytes.length / 0x20000000));
  tailView.setUint32(tail.length - 4, (bytes.length << 3) >>> 0);
  for (let at = 0; at < tail.length; at += 64) block(state, rounds, w, tailView, at);

  const out = new Uint8Array(32);
  const outView = new DataView(out.buffer);
  state.forEach((word, i) => outView.setUint32(4 * i, word));
  return out;
}

/**
 * @param {Uint32Array} state
 * @param {Uint32Array} rounds
 * @param {Int32Array} w
 * @param {DataView} view
 * @param {number} at
 */
function block(state, rounds, w, view, at) {
  for (let t = 0; t < 16; t++) w[t] = view.getInt32(at + 4 * t);
  for (let t = 16; t < 64; t++) {
    const a = w[t - 15];
    const b = w[t - 2];
    const s0 = ((a >>> 7) | (a << 25)) ^ ((a >>> 18) | (a << 14)) ^ (a >>> 3);
    const s1 = ((b >>> 17) | (b << 15)) ^ ((b >>> 19) | (b << 13)) ^ (b >>> 10);
    w[t] = (w[t - 16] + s0 + w[t - 7] + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let t = 0; t < 64; t++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + rounds[t] + w[t]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

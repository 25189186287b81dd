// Files of a collection may be gzipped, and some hosts unpack them
// (Content-Encoding). So the first two bytes decide, and not the name.

import { expansion, most } from './bounds.js';
import { FormatError, LimitError, UnsupportedError } from '../errors.js';

/** Bytes that are decompressed at a time. */
const PIECE = 16 << 10;

/**
 * Whether the bytes begin like a gzip member.
 * @param {Uint8Array} bytes
 */
export function isGzip(bytes) {
  return bytes.length >= 2 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Decompresses gzip bytes; bytes that are not gzip come back as they are. A
 * file of a few KB can expand to gigabytes, so decompression stops at the limit
 * and at the bounds in bounds.js.
 * @param {Uint8Array} bytes
 * @param {number} limit most bytes the result may have
 * @param {string} name of the file, for messages
 * @param {boolean} [exact] the result should have exactly this many, which the
 *   caller checks: memory is allocated once
 * @returns {Promise<Uint8Array>}
 */
export async function gunzip(bytes, limit, name, exact = false) {
  if (!isGzip(bytes)) {
    if (bytes.length > limit) throw tooLong(name, limit, exact);
    return bytes;
  }
  const bound = most(bytes.length);
  if (exact && limit > bound) throw tooWide(name, bound);
  if (typeof DecompressionStream === 'undefined') {
    // Only Firefox 89 to 112 have WebAssembly SIMD but no DecompressionStream.
    throw new UnsupportedError(
      `${name}: this browser has no DecompressionStream: update it (Chrome 80, Firefox 113, Safari 16.4 or later)`,
    );
  }
  const { readable, writable } = new DecompressionStream('gzip');
  feed(writable, bytes).catch(() => {}); // the reader gets the error, too
  const reader = readable.getReader();
  const out = exact ? new Uint8Array(limit) : null;
  /** @type {Uint8Array[]} */
  const chunks = [];
  let length = 0;
  for (;;) {
    let step;
    try {
      step = await reader.read();
    } catch (cause) {
      throw new FormatError(
        `${name}: broken gzip data, or several gzip files in one: upload the file again, or pack it anew`,
        { file: name, cause: String(cause) },
      );
    }
    if (step.done) break;
    const at = length;
    length += step.value.length;
    if (length > Math.min(limit, bound)) {
      reader.cancel().catch(() => {});
      throw length > limit ? tooLong(name, limit, exact) : tooWide(name, bound);
    }
    if (out) out.set(step.value, at);
    else chunks.push(step.value);
  }
  return out ? out.subarray(0, length) : concat(chunks, length);
}

/**
 * Writes the bytes piece by piece, each once the previous one is read: all that a piece
 * expands to is in memory at the same time.
 * @param {WritableStream<BufferSource>} writable
 * @param {Uint8Array} bytes
 */
async function feed(writable, bytes) {
  const writer = writable.getWriter();
  for (let at = 0; at < bytes.length; at += PIECE) {
    await writer.ready;
    await writer.write(/** @type {Uint8Array<ArrayBuffer>} */ (bytes.subarray(at, at + PIECE)));
  }
  await writer.close();
}

/**
 * Joins chunks, which together have `length` bytes.
 * @param {Uint8Array[]} chunks
 * @param {number} length
 */
export function concat(chunks, length) {
  if (chunks.length === 1) return chunks[0];
  const out = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    out.set(chunk, at);
    at += chunk.length;
  }
  return out;
}

/**
 * @param {string} name
 * @param {number} limit
 * @param {boolean} exact
 */
function tooLong(name, limit, exact) {
  const bound = exact
    ? `the ${limit} bytes it was announced with: upload the file again`
    : `${limit} bytes, packed or unpacked: is it the right file?`;
  return new LimitError(`${name}: longer than ${bound}`, { file: name, limit });
}

/**
 * @param {string} name
 * @param {number} bound
 */
function tooWide(name, bound) {
  return new LimitError(`${name}: expands beyond ${bound} bytes: ${expansion}`, { file: name, limit: bound });
}

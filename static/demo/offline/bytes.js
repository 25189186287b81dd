// Bytes of which only a hash is known.

/** The SHA-256 of bytes in hexadecimal. */
async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * How many bytes a file of so many compressed ones may unpack to: the rule of lib/collection/bounds.js, a module, which
 * this is not.
 */
const FREE = 16 << 20;
const RATIO = 100;
const most = (packed) => Math.max(FREE, RATIO * packed);

/** What a stream holds; null if it breaks, or holds more than limit bytes. */
async function bounded(stream, limit) {
  const chunks = [];
  let length = 0;
  try {
    for (const reader = stream.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
      length += value.length;
      if (length > limit) {
        reader.cancel().catch(() => {});
        return null;
      }
      chunks.push(value);
    }
  } catch {
    return null;
  }
}

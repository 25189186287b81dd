// Reading and hashing bytes.

/**
 * The SHA-256 of bytes in hexadecimal.
 * @param {BufferSource} bytes
 */
export async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The content of a stream; null if it breaks, or has more than limit bytes.
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>|null} stream null: empty
 * @param {number} limit
 */
export async function bounded(stream, limit) {
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const chunks = [];
  let length = 0;
  try {
    for (const reader = (stream ?? new Blob([]).stream()).getReader(); ;) {
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

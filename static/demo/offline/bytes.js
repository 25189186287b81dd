// Bytes of which only a hash is known.

/** The SHA-256 of bytes in hexadecimal. */
export async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What a stream holds; null where it breaks, or holds more than limit bytes. */
export async function bounded(stream, limit) {
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

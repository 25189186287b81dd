// Splits bytes into lines, in no more memory than the longest line takes.

/** Most bytes of one line, or of one record of a CSV file. */
export const MAX_RECORD = 16 << 20;

export class LongLine extends Error {}

export class Lines {
  /** @type {Uint8Array[]} */
  #parts = [];
  #length = 0;

  /**
   * Takes more bytes; yields the lines that end in them, without the line feed.
   * @param {Uint8Array} chunk
   */
  *push(chunk) {
    for (let at = 0; at < chunk.length;) {
      const end = chunk.indexOf(10, at);
      const part = chunk.subarray(at, end < 0 ? chunk.length : end);
      this.#length += part.length;
      if (this.#length > MAX_RECORD) throw new LongLine();
      this.#parts.push(part);
      if (end < 0) return;
      at = end + 1;
      yield this.#take();
    }
  }

  /** The bytes after the last line feed, or null if there are none. */
  end() {
    return this.#length > 0 ? this.#take() : null;
  }

  #take() {
    const [first] = this.#parts;
    let line = first;
    if (this.#parts.length > 1) {
      line = new Uint8Array(this.#length);
      let at = 0;
      for (const part of this.#parts) {
        line.set(part, at);
        at += part.length;
      }
    }
    this.#parts = [];
    this.#length = 0;
    return line;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The text of a line, or null if it is not UTF-8, or has a zero byte, as all of UTF-16 has.
 * @param {Uint8Array} bytes
 */
export function decode(bytes) {
  try {
    return bytes.includes(0) ? null : decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** The characters that the command treats as white space. */
const space = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/**
 * The text without the white space at its ends. A regular expression for the end would try every run of white space
 * inside, from each of its characters.
 * @param {string} text
 */
export function trim(text) {
  let from = 0;
  let to = text.length;
  while (from < to && space.test(text[from])) from++;
  while (to > from && space.test(text[to - 1])) to--;
  return text.slice(from, to);
}

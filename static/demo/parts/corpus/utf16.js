// Spreadsheets save "Unicode text" as UTF-16, which begins with a mark.

/** Makes UTF-8 of a text in UTF-16 that begins with its mark. Other texts pass through. */
export class UTF8 {
  /** @type {Uint8Array|null} the beginning, until there are two bytes of it */
  #head = new Uint8Array(0);
  /** @type {TextDecoder|null} */
  #decoder = null;
  #encoder = new TextEncoder();

  /**
   * @param {Uint8Array} bytes
   * @param {boolean} last whether no more follow
   */
  push(bytes, last) {
    let input = bytes;
    if (this.#head) {
      input = new Uint8Array(this.#head.length + bytes.length);
      input.set(this.#head);
      input.set(bytes, this.#head.length);
      this.#head = input;
      if (input.length < 2 && !last) return new Uint8Array(0);
      this.#head = null;
      const [a, b] = input;
      if (a === 0xff && b === 0xfe) this.#decoder = new TextDecoder('utf-16le');
      if (a === 0xfe && b === 0xff) this.#decoder = new TextDecoder('utf-16be');
    }
    return this.#decoder ? this.#encoder.encode(this.#decoder.decode(input, { stream: !last })) : input;
  }
}

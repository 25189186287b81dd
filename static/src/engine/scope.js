// Buffers in the engine's memory for the duration of one call.

const encoder = new TextEncoder();

/** Hands out buffers of a Core and releases them together. */
export class Scope {
  /** @param {import('./core.js').Core} core */
  constructor(core) {
    this.core = core;
    /** @type {Set<number>} */
    this.pointers = new Set();
  }

  /**
   * A zeroed buffer.
   * @param {number} bytes
   * @returns {number}
   */
  reserve(bytes) {
    const pointer = this.core.allocate(bytes);
    this.pointers.add(pointer);
    return pointer;
  }

  /**
   * A copy of any typed array.
   * @param {ArrayBufferView} array
   */
  copy(array) {
    const pointer = this.reserve(array.byteLength);
    this.core.bytes(pointer, array.byteLength).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return pointer;
  }

  /**
   * A string's UTF-8 bytes: [pointer, length].
   * @param {string} string
   * @returns {[number, number]}
   */
  text(string) {
    const bytes = encoder.encode(string);
    return [this.copy(bytes), bytes.length];
  }

  /**
   * Leaves a buffer to the engine, which has taken it over: close does not release it.
   * @param {number} pointer
   */
  disown(pointer) {
    this.pointers.delete(pointer);
  }

  close() {
    if (this.core.lost) return;
    for (const pointer of this.pointers) this.core.release(pointer);
  }
}

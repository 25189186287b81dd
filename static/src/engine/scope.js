// Buffers in the engine's memory for the length of one call.

const encoder = new TextEncoder();

/** Hands out buffers of a Core and releases them together. */
export class Scope {
  constructor(core) {
    this.core = core;
    this.pointers = new Set();
  }

  /** A zeroed buffer. */
  reserve(bytes) {
    const pointer = this.core.allocate(bytes);
    this.pointers.add(pointer);
    return pointer;
  }

  /** A copy of any typed array. */
  copy(array) {
    const pointer = this.reserve(array.byteLength);
    this.core.bytes(pointer, array.byteLength).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return pointer;
  }

  /** A string's UTF-8 bytes: [pointer, length]. */
  text(string) {
    const bytes = encoder.encode(string);
    return [this.copy(bytes), bytes.length];
  }

  /** The engine has taken this buffer over. */
  disown(pointer) {
    this.pointers.delete(pointer);
  }

  close() {
    if (this.core.lost) return;
    for (const pointer of this.pointers) this.core.release(pointer);
  }
}

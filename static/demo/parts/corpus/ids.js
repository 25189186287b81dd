// Checks that every document has a unique id.

const MAX_BYTES = 4096;

export class Ids {
  /** @type {Map<string, number>} by id */
  #lines = new Map();

  /**
   * Records an id, and returns its fault as [problem, remedy], or null.
   * @param {string} id
   * @param {number} line
   * @returns {[problem: string, remedy: string]|null}
   */
  fault(id, line) {
    if (id === '') return ['the id is empty', 'give every document an id'];
    const bytes = id.length * 3 > MAX_BYTES ? new TextEncoder().encode(id).length : 0;
    if (bytes > MAX_BYTES) return [`the id has ${bytes} bytes, at most ${MAX_BYTES}`, 'give documents shorter ids'];
    if (this.#lines.has(id)) {
      return [
        `the id ${JSON.stringify(id.slice(0, 80))} is already taken by line ${this.#lines.get(id)}`,
        'give every document an id of its own',
      ];
    }
    this.#lines.set(id, line);
    return null;
  }
}

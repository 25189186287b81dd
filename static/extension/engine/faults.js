// What goes wrong in the engine, with the keys of the locale file's texts for it.

/** A fault with a key of the locale file. */
export class Fault extends Error {
  /**
   * @param {string} key
   * @param {string} detail
   */
  constructor(key, detail) {
    super(detail);
    this.key = key;
  }
}

/**
 * @param {unknown} error
 * @returns {{key: string, detail: string}}
 */
export function faultOf(error) {
  const { key, code, message } = Object(error);
  const detail = String(message ?? error).slice(0, 1000);
  if (error instanceof Fault) return { key, detail };
  return { key: code === 'query' ? 'engineQuestion' : 'engineFailed', detail };
}

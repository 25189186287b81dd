// The visitor's private contexts, such as "I am self-employed", in the browser's storage. Only the search in this page
// gets them. They are not sent anywhere.

/** Most contexts; the search takes no more. */
export const MOST = 64;

/** Most characters of one. */
export const LONGEST = 300;

const KEY = 'vantage-about-me';

/** A list of contexts that stays in the browser, the oldest first. */
export class Kept {
  #storage;
  /** @type {string[]} */
  #list = [];
  #ahead = false; // of the storage, which has not taken the list

  /** @param {Storage|null} storage if null, the list lasts until the page is closed */
  constructor(storage) {
    this.#storage = storage;
    this.read();
  }

  get list() {
    return [...this.#list];
  }

  /** Reads the storage again, which another tab may have changed. */
  read() {
    try {
      if (this.#storage && !this.#ahead) this.#list = checked(this.#storage.getItem(KEY));
    } catch {
      this.#storage = null; // the browser denies it
    }
  }

  /**
   * Adds a context. Returns '', or a sentence that says why it was not added or will not last.
   * @param {string} text
   */
  add(text) {
    const context = text.trim().replace(/\s+/g, ' ');
    this.read();
    if (context === '') return 'Write something about yourself first.';
    if (context.length > LONGEST) return `At most ${LONGEST} characters: this has ${context.length}.`;
    if (this.#list.includes(context)) return 'This is in the list already.';
    if (this.#list.length >= MOST) return `The list holds at most ${MOST}: delete one first.`;
    return this.#write([...this.#list, context]);
  }

  /**
   * Deletes a context. Returns '', or a sentence that says why it may come back.
   * @param {string} context
   */
  delete(context) {
    this.read();
    return this.#write(this.#list.filter((one) => one !== context));
  }

  /** Deletes all contexts. Returns '', or a sentence that says why they may come back. */
  clear() {
    return this.#write([]);
  }

  /** The list as a file's content: JSON, an array of texts. */
  export() {
    return JSON.stringify(this.#list, null, 2) + '\n';
  }

  /**
   * Calls a function when another tab changes the list. Returns a function that ends this.
   * @param {() => void} changed
   */
  watch(changed) {
    const heard = (/** @type {StorageEvent} */ { key }) => {
      if (key !== KEY && key !== null) return;
      this.read();
      changed();
    };
    addEventListener('storage', heard);
    return () => removeEventListener('storage', heard);
  }

  /** @param {string[]} list */
  #write(list) {
    this.#list = list;
    const passing = 'This browser keeps nothing for this page, so the list lasts until the page is closed.';
    if (!this.#storage) return passing;
    try {
      if (list.length === 0) this.#storage.removeItem(KEY);
      else this.#storage.setItem(KEY, JSON.stringify(list));
      this.#ahead = false;
      return '';
    } catch {
      this.#ahead = true;
      return passing;
    }
  }
}

/**
 * The valid contexts in what was stored. Other scripts of the origin can write there, too, so it may be anything.
 * @param {string|null} stored
 * @returns {string[]}
 */
function checked(stored) {
  /** @type {unknown} */
  let list = [];
  try {
    list = JSON.parse(stored ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(list)) return [];
  const whole = list.filter((one) => typeof one === 'string' && one.trim() !== '' && one.length <= LONGEST);
  return [...new Set(whole)].slice(0, MOST);
}

/** The browser's storage, or null if the browser denies access to it. */
export function browserStorage() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

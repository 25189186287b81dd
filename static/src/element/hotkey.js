// The key that opens the dialog, such as "mod+k", "ctrl+shift+f" or "/". "mod" is ⌘ on Apple's systems, Ctrl elsewhere.

/** @typedef {'ctrl'|'meta'|'alt'|'shift'} Modifier */

/** The modifiers' names in the attribute aria-keyshortcuts, and on the button. */
const SPOKEN = { ctrl: 'Control', meta: 'Meta', alt: 'Alt', shift: 'Shift' };
const PRINTED = { ctrl: 'Ctrl', meta: '⌘', alt: 'Alt', shift: 'Shift' };

const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

export class Hotkey {
  /**
   * @param {string} text
   * @returns {Hotkey|null} null if the text names no key
   */
  static read(text) {
    const shape = /^(.*\+)?\s*(.|f(?:[1-9]|1\d|2[0-4]))$/u; // the last plus sign may be the key
    const [, before = '', key] = shape.exec(text.trim().toLowerCase()) ?? [];
    const names = before
      .split('+')
      .slice(0, -1)
      .map((name) => name.trim());
    const modifiers = names.map((name) => (name === 'mod' ? (isApple() ? 'meta' : 'ctrl') : name));
    if (!key || !modifiers.every((name) => Object.hasOwn(SPOKEN, name))) return null;
    return new Hotkey(key, new Set(/** @type {Modifier[]} */ (modifiers)));
  }

  /**
   * @param {string} key in lower case
   * @param {Set<Modifier>} modifiers
   */
  constructor(key, modifiers) {
    this.key = key;
    this.modifiers = modifiers;
  }

  /** The key as the button shows it. */
  get printed() {
    return this.#joined(PRINTED, ' ');
  }

  /** The key as aria-keyshortcuts names it: the plus sign is between the names there. */
  get spoken() {
    return this.#joined(SPOKEN, '+').replace(/\+$/, 'Plus');
  }

  /**
   * @param {{[modifier in Modifier]: string}} names
   * @param {string} between
   */
  #joined(names, between) {
    return [...Array.from(this.modifiers, (name) => names[name]), this.key.toUpperCase()].join(between);
  }

  /**
   * Whether an event is this key, and not a character that the visitor types into a field.
   * @param {KeyboardEvent} event
   */
  is(event) {
    if (event.defaultPrevented || event.isComposing) return false; // a field has handled it
    const { modifiers, key } = this;
    const down = { ctrl: event.ctrlKey, meta: event.metaKey, alt: event.altKey };
    for (const name of /** @type {const} */ (['ctrl', 'meta', 'alt'])) {
      if (down[name] !== modifiers.has(name)) return false;
    }
    // Characters such as a question mark need Shift on some keyboards.
    if ((/^[a-z]$|^f\d/.test(key) || modifiers.has('shift')) && event.shiftKey !== modifiers.has('shift')) return false;
    if (!modifiers.has('ctrl') && !modifiers.has('meta') && key.length === 1 && isTyping(event)) return false;
    const typed = event.key.toLowerCase();
    // A keyboard for another script has no such letter, but a key in the same place.
    return typed === key || (!/^[ -~]$/.test(typed) && event.code === `Key${key.toUpperCase()}`);
  }
}

/**
 * Whether a key is typed into a field.
 * @param {KeyboardEvent} event
 */
export function isTyping(event) {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

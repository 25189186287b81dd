// The key that opens the dialog: "mod+k", "ctrl+shift+f", "/". "mod" is ⌘ on Apple's systems, and Ctrl on others.

/** @typedef {'ctrl'|'meta'|'alt'|'shift'} Modifier */

/** Names in the attribute aria-keyshortcuts. */
const SPOKEN = { ctrl: 'Control', meta: 'Meta', alt: 'Alt', shift: 'Shift' };
const PRINTED = { ctrl: 'Ctrl', meta: '⌘', alt: 'Alt', shift: 'Shift' };

const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

export class Hotkey {
  /**
   * @param {string} text
   * @returns {Hotkey|null} null if the text names no key
   */
  static read(text) {
    const names = text
      .toLowerCase()
      .split('+')
      .map((name) => name.trim());
    const key = names.pop() ?? '';
    const modifiers = names.map((name) => (name === 'mod' ? (isApple() ? 'meta' : 'ctrl') : name));
    if (!/^(.|f\d\d?)$/u.test(key) || !modifiers.every((name) => Object.hasOwn(SPOKEN, name))) return null;
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

  /** As a reader sees it. */
  get printed() {
    return this.#joined(PRINTED, ' ');
  }

  /** For aria-keyshortcuts. */
  get spoken() {
    return this.#joined(SPOKEN, '+');
  }

  /**
   * @param {{[modifier in Modifier]: string}} names
   * @param {string} between
   */
  #joined(names, between) {
    return [...Array.from(this.modifiers, (name) => names[name]), this.key.toUpperCase()].join(between);
  }

  /**
   * Whether an event is this key, and the visitor does not type it into a field.
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
    // Keyboards of other scripts have the letter in the same place.
    return typed === key || (!/^[ -~]$/.test(typed) && event.code === `Key${key.toUpperCase()}`);
  }
}

/** @param {KeyboardEvent} event */
function isTyping(event) {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

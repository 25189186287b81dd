// The line of the bar that says what happens: who ranked, what is sent where, what went wrong, and what can be done.

import { make } from './shadow.js';
import { text } from '../text.js';

/**
 * @typedef {object} Action
 * @property {string} key of its text
 * @property {(button: HTMLElement) => void} run
 */

export class Status {
  #said = make('span', { class: 'said' });
  #notes = make('span', { class: 'notes' });
  #sending = make('span', { class: 'sending', hidden: true });
  #actions = make('span', { class: 'actions' });
  #offers = make('span', { class: 'actions' });
  #offered = '';

  constructor() {
    // Read out when it changes. Buttons are not part of it.
    const live = make(
      'span',
      { class: 'live', role: 'status', 'aria-live': 'polite' },
      this.#said,
      this.#notes,
      this.#sending,
    );
    this.element = make('div', { class: 'status', tabindex: '-1' }, live, this.#actions, this.#offers);
  }

  /**
   * @param {string} sentence
   * @param {{busy?: boolean, fault?: boolean, actions?: Action[]}} [options]
   */
  say(sentence, { busy = false, fault = false, actions = [] } = {}) {
    if (this.#said.textContent !== sentence) this.#said.textContent = sentence;
    this.#said.classList.toggle('busy', busy);
    this.#said.classList.toggle('fault', fault);
    this.#replace(this.#actions, actions);
  }

  /** @param {Action[]} actions what can be done whatever was said last */
  offer(actions) {
    const offered = actions.map(({ key }) => key).join();
    if (offered === this.#offered) return; // the page may change often, and the reader be about to press one
    this.#offered = offered;
    this.#replace(this.#offers, actions);
  }

  /**
   * The focus stays in the bar when the button that has it goes.
   * @param {HTMLElement} holder
   * @param {Action[]} actions
   */
  #replace(holder, actions) {
    const focused = holder.matches(':focus-within');
    holder.replaceChildren(...actions.map(buttonOf));
    if (focused) (this.element.querySelector('button') ?? this.element).focus({ preventScroll: true });
  }

  /** @param {string} sentence the last one */
  end(sentence) {
    this.say(sentence, { fault: true });
    this.offer([]);
    this.note([]);
    this.#sending.hidden = true;
  }

  /** What was said last. */
  get said() {
    return this.#said.textContent ?? '';
  }

  /** @param {string[]} sentences what else the reader should know */
  note(sentences) {
    const joined = sentences.join(' ');
    if (this.#notes.textContent !== joined) this.#notes.textContent = joined;
  }

  /** @param {string | null} host where texts are being sent */
  send(host) {
    this.#sending.hidden = host === null;
    this.#sending.textContent = host === null ? '' : text('barSending', host);
  }
}

/** @param {Action} action */
function buttonOf({ key, run }) {
  const button = make('button', { type: 'button', class: 'plain', onclick: () => run(button) }, text(key));
  return button;
}

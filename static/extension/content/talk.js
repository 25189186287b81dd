// Talks to the engine: one question at a time. The engine, and what starts it, may end at any time; then the question
// is asked again.

import { PORT } from '../platform.js';

/** @import { Ask, FromEngine, Place, ResultText } from '../types.js' */

/** How often a question is asked again after the engine went away without an answer. */
const RETRIES = 3;

/**
 * @typedef {object} Listener
 * @property {(answer: Extract<FromEngine, {type: 'ranked'}>) => void} ranked
 * @property {(host: string, now: boolean) => void} sending
 * @property {(key: string, host: string) => void} notice
 * @property {() => void} done
 * @property {(key: string, detail: string) => void} failed
 * @property {() => void} gone the extension was updated or removed: this script can do nothing more
 */

export class Engine {
  /** @type {chrome.runtime.Port | null} */
  #port = null;
  /** @type {Promise<void> | null} */
  #connecting = null;
  #ids = 0;
  /** @type {{id: number, ask: Ask, results: ResultText[], retries: number} | null} */
  #asked = null;

  /** @param {Listener} listener */
  constructor(listener) {
    this.listener = listener;
    // The browser closes the ports of a page that it keeps for going back, and does not tell.
    addEventListener('pagehide', () => this.#hangUp());
    addEventListener('pageshow', ({ persisted }) => persisted && this.#asked && this.#send());
  }

  /** Starts the engine, so that the first answer comes sooner. */
  warm() {
    if (!this.#port) this.#connect().catch(() => {}); // a question will report the fault
  }

  /**
   * Asks for a ranking, in place of the last question.
   * @param {Ask} ask
   * @param {ResultText[]} results
   */
  rank(ask, results) {
    this.cancel();
    this.#asked = { id: ++this.#ids, ask, results, retries: 0 };
    this.#send();
  }

  /** Answers to the last question do not count any more. */
  cancel() {
    const asked = this.#asked;
    this.#asked = null;
    if (asked) this.#post({ type: 'cancel', id: asked.id });
  }

  async #send() {
    const asked = this.#asked;
    try {
      if (!this.#port) await this.#connect();
      if (asked && asked === this.#asked) {
        const { id, ask, results } = asked;
        if (!this.#post({ type: 'rank', id, ask, results })) this.#again();
      }
    } catch (error) {
      if (asked !== this.#asked || !asked) return;
      if (isOrphan()) this.#gone();
      else if (error instanceof Failure) this.#fail(error.key, error.message);
      else this.#again();
    }
  }

  /** @param {import('../types.js').ToEngine} message @returns {boolean} whether there was a port to take it */
  #post(message) {
    try {
      this.#port?.postMessage(message);
      return this.#port !== null;
    } catch {
      this.#port = null; // the browser has not told yet that it is closed
      return false;
    }
  }

  #hangUp() {
    this.#port?.disconnect();
    this.#port = null;
  }

  #connect() {
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  async #open() {
    const answer = await chrome.runtime.sendMessage({ to: 'background', type: 'engine' });
    if (answer?.key) throw new Failure(String(answer.key), String(answer.detail ?? ''));
    const port = chrome.runtime.connect({ name: PORT });
    port.onMessage.addListener((message) => this.#hear(message));
    port.onDisconnect.addListener(() => {
      void chrome.runtime?.lastError; // read, so that the browser does not log it
      if (this.#port !== port) return;
      this.#port = null;
      if (isOrphan()) this.#gone();
      else if (this.#asked) this.#again();
    });
    this.#port = port;
  }

  /** Asks once more, a little later each time. */
  #again() {
    const asked = this.#asked;
    if (!asked) return;
    if (isOrphan()) this.#gone();
    else if (asked.retries++ >= RETRIES) this.#fail('barEngineLost', '');
    else setTimeout(() => asked === this.#asked && this.#send(), 100 * asked.retries ** 2);
  }

  /** @param {FromEngine} message */
  #hear(message) {
    const asked = this.#asked;
    if (!asked || message?.id !== asked.id) return; // stale
    switch (message.type) {
      case 'ranked':
        if (isPermutation(message.places, asked.results.length)) this.listener.ranked(message);
        else this.#fail('barEngineLost', 'the ranking is not a permutation of the results');
        break;
      case 'sending':
        this.listener.sending(String(message.host), message.now === true);
        break;
      case 'notice':
        this.listener.notice(String(message.key), String(message.host ?? ''));
        break;
      case 'done':
        this.#asked = null;
        this.listener.done();
        break;
      case 'failed':
        this.#fail(String(message.key), String(message.detail));
        break;
    }
  }

  /** @param {string} key @param {string} detail */
  #fail(key, detail) {
    this.#asked = null;
    this.listener.failed(key, detail);
  }

  #gone() {
    this.#asked = null;
    this.listener.gone();
  }
}

/** A sentence of the locale file that says why the engine did not start. */
class Failure extends Error {
  /** @param {string} key @param {string} detail */
  constructor(key, detail) {
    super(detail);
    this.key = key;
  }
}

/** Whether the extension that this script came from is no longer there. */
export function isOrphan() {
  try {
    return !chrome.runtime?.id;
  } catch {
    return true;
  }
}

/**
 * @param {Place[]} places
 * @param {number} length
 */
function isPermutation(places, length) {
  if (!Array.isArray(places) || places.length !== length) return false;
  const seen = new Set(places.map((place) => place?.index));
  return seen.size === length && [...seen].every((index) => Number.isInteger(index) && index >= 0 && index < length);
}

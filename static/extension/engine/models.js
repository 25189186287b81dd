// Instances of the library, opened when a question first needs them and closed when nobody asks.

import { Vantage } from '../../lib/index.js';
import { vocabularyOf } from './words.js';

/** Engines that share the texts for the transformer. Each takes 40 MB. */
const SHARES = Math.min(3, navigator.hardwareConcurrency);

/**
 * An instance of the library, or what else is opened once, or none yet.
 * @template T
 */
class Opened {
  /** @type {Promise<T>|null} */
  #opening = null;

  #open;
  #end;

  /**
   * @param {() => Promise<T>} open
   * @param {(opened: T) => void} [end]
   */
  constructor(open, end = () => {}) {
    this.#open = open;
    this.#end = end;
  }

  /** @returns {Promise<T>} */
  get() {
    this.#opening ??= this.#open().catch((error) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  close() {
    this.#opening?.then(this.#end).catch(() => {});
    this.#opening = null;
  }
}

const { getURL } = chrome.runtime;

const LIGHT = getURL('light/');
const end = (/** @type {Vantage} */ vantage) => vantage.close();

export const light = new Opened(() => Vantage.create({ encoder: LIGHT, worker: true }), end);

/** The words that the encoders know. */
export const vocabulary = new Opened(() => vocabularyOf(LIGHT));

// A collection carries the encoder that tells sides apart. It has one document, which nobody searches.
const sides = () => Vantage.open(getURL('collections/sides/'), { worker: true });
export const transformers = Array.from({ length: SHARES }, () => new Opened(sides, end));

/** Frees the memory of all instances. The next question opens what it needs again. */
export function closeAll() {
  for (const opened of [light, vocabulary, ...transformers]) opened.close();
}

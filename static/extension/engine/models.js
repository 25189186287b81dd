// Instances of the library, opened when a question first needs them and closed when nobody asks.

import { Vantage } from '../../lib/index.js';

/** Engines that share the texts for the transformer. Each takes 40 MB. */
const SHARES = Math.min(3, navigator.hardwareConcurrency);

/** One instance of the library, or none yet. */
class Opened {
  /** @type {Promise<Vantage>|null} */
  #opening = null;

  #open;

  /** @param {() => Promise<Vantage>} open */
  constructor(open) {
    this.#open = open;
  }

  /** @returns {Promise<Vantage>} */
  get() {
    this.#opening ??= this.#open().catch((error) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  close() {
    this.#opening?.then((vantage) => vantage.close()).catch(() => {});
    this.#opening = null;
  }
}

const { getURL } = chrome.runtime;

export const light = new Opened(() => Vantage.create({ encoder: getURL('light/'), worker: true }));

// A collection carries the encoder that tells sides apart. It has one document, which nobody searches.
const sides = () => Vantage.open(getURL('collections/sides/'), { worker: true });
export const transformers = Array.from({ length: SHARES }, () => new Opened(sides));

/** Frees the memory of all instances. The next question opens what it needs again. */
export function closeAll() {
  for (const opened of [light, ...transformers]) opened.close();
}

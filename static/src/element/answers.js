// What <vantage-search> shows for a query: first an answer by words if the collection is still opening, then better
// ones as more of the collection arrives.

import { LostInstanceError } from '../index.js';
import { wordsOf } from '../show/excerpt.js';
import { MESSAGES } from './messages.js';
import { numberOf, optionsOf } from './options.js';

/**
 * @import { SearchResult, Vantage } from '../../lib/index.d.ts'
 * @import { Words } from '../../lib/words.d.ts'
 * @import { Box } from './box.js'
 * @import { Results } from './results.js'
 * @typedef {object} Answered what is shown
 * @property {string} query
 * @property {SearchResult|null} result null if words.js has answered
 * @property {readonly number[]} indexes of the hits
 * @property {number} at the time at which it was first shown, in milliseconds
 */

/** Milliseconds for which results may still change after they appear, because nobody has begun to read them. */
const GLANCE = 1000;

/** @param {{hits: readonly {index: number}[]}} result */
const indexesOf = ({ hits }) => hits.map(({ index }) => index);

export class Answers {
  messages = MESSAGES;
  /** @type {Vantage|null} the collection, once it is open */
  open = null;
  /** Whether the encoder and all vectors have arrived. */
  whole = false;
  #host;
  #box;
  #results;
  #tell;
  #fail;
  /** @type {Promise<Words|null>|undefined} the search by words, which answers until the collection is open */
  #words = undefined;
  /** @type {Answered|null} */
  #shown = null;
  #stop = new AbortController(); // cancels the current search

  /**
   * @param {HTMLElement} host
   * @param {Box} box
   * @param {Results} results
   * @param {(type: string, detail: unknown) => boolean} tell dispatches an event
   * @param {(message: 'incomplete'|'fault', error: unknown) => void} fail shows an error
   */
  constructor(host, box, results, tell, fail) {
    this.#host = host;
    this.#box = box;
    this.#results = results;
    this.#tell = tell;
    this.#fail = fail;
  }

  /** Whether a result has the focus. The list itself has it after a click on a text. */
  get read() {
    return this.#box.list.matches(':focus-within:not(:focus)');
  }

  /** Cancels the current search. */
  stop() {
    this.#stop.abort();
  }

  /** Forgets the collection and what is shown. */
  clear() {
    this.stop();
    this.open = null;
    this.whole = false;
    this.#words = undefined;
    this.#show([], '');
  }

  /** Shows the answer to what is typed, by words while the collection is not open. */
  async search() {
    const query = this.#box.input.value.trim();
    this.#stop.abort();
    const { signal } = (this.#stop = new AbortController());
    const { status } = this.#box;
    if (!status.textContent) status.textContent = this.messages.searching;
    const { open, whole } = this;
    if (!open) return this.#answerByWords(query, signal);
    try {
      const [result, asked] = await Promise.all([this.#ask(open, query, signal), this.#wordsOf(query)]);
      const documents = await open.documents(
        result.hits.map((hit) => hit.index),
        { signal },
      );
      if (signal.aborted) return;
      const before = this.#shown;
      this.#show(
        result.hits.map((hit, i) => ({ ...hit, metadata: documents[i].metadata })),
        this.#statusOf(query, result),
        asked,
      );
      const indexes = indexesOf(result);
      // If words alone gave the same results before, the visitor has been reading them since then.
      const same = before?.query === query && before.indexes.join() === indexes.join();
      this.#shown = { query, result, indexes, at: same ? before.at : performance.now() };
      this.#tell('vantage-results', result);
      this.#tellSides(open, query, result, signal);
      if (this.whole && !whole) this.#improve(); // the rest arrived during the search
    } catch (error) {
      if (signal.aborted) return;
      this.empty();
      this.#fail('fault', error);
    }
  }

  /** Asks again, because more of the collection has arrived, if the answer that is shown is to the query in the box. */
  refresh() {
    const current = this.#shown?.query === this.#box.input.value.trim();
    if (current) this.#improve();
    return current;
  }

  /** Shows nothing. */
  empty() {
    this.#show([], '');
  }

  /**
   * Answers by words while the collection is still opening, if it has an index of words. Errors are left to the engine,
   * which will report them.
   * @param {string} query
   * @param {AbortSignal} signal
   */
  async #answerByWords(query, signal) {
    try {
      const [words, asked] = await Promise.all([this.#openWords(), this.#wordsOf(query)]);
      if (!words) return;
      const result = await words.search({ query, k: numberOf(this.#host, 'k'), signal });
      if (signal.aborted) return;
      const { hits } = result;
      const { searching, found, words: only } = this.messages;
      this.#show(hits, hits.length > 0 ? found(query, hits.length) + only : searching, asked);
      this.#shown = { query, result: null, indexes: indexesOf(result), at: performance.now() };
    } catch {
      // the engine will report it
    }
  }

  #openWords() {
    const url = this.#host.getAttribute('collection') ?? '';
    const open = async () => (await import('../words.js')).Words.open(new URL(url, this.#host.baseURI));
    this.#words ??= open().catch((error) => {
      if (Object(error).kind === 'unavailable') this.#words = undefined; // the next query tries again
      return null;
    });
    return this.#words;
  }

  /**
   * The query's words; null if the page does not want them marked, or if words.js cannot be loaded.
   * @param {string} query
   */
  async #wordsOf(query) {
    if (!this.#host.hasAttribute('highlight')) return null;
    const module = await import('../words.js').catch(() => null);
    return module && wordsOf(query, module.Words.terms);
  }

  /**
   * @param {Vantage} open
   * @param {string} query
   * @param {AbortSignal} signal
   */
  async #ask(open, query, signal) {
    const ask = () => open.search({ ...optionsOf(this.#host), query, signal });
    return ask().catch((error) => {
      if (error instanceof LostInstanceError) return ask(); // by a new engine
      throw error;
    });
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   */
  #statusOf(query, { method, hits, close, notice, coverage: { rows, total } }) {
    const { none, far, found, partly, words } = this.messages;
    return (
      (hits.length === 0 ? none(query) : close === false ? far(query) : found(query, hits.length)) +
      (notice && method === 'bm25' ? words : rows < total ? partly(rows, total) : '')
    );
  }

  // Asks again when more of the collection has arrived. If the answer differs and the old one is being read, a button
  // offers the new one, so that nothing moves under the reader's eyes.
  async #improve() {
    const { open, whole } = this;
    const shown = this.#shown;
    if (!open || !shown || shown.query !== this.#box.input.value.trim()) return; // another search will begin
    const { notice, coverage } = shown.result ?? {};
    if (coverage && !notice && coverage.rows === coverage.total) return;
    if (performance.now() - shown.at < GLANCE && !this.read) return this.search();
    const { signal } = this.#stop;
    const result = await this.#ask(open, shown.query, signal).catch(() => null); // the next search reports it
    if (!result || signal.aborted || this.#shown !== shown) return;
    if (indexesOf(result).join() === shown.indexes.join()) {
      this.#shown = { ...shown, result };
      this.#box.status.textContent = this.#statusOf(shown.query, result);
      if (!shown.result) this.#tell('vantage-results', result);
      this.#tellSides(open, shown.query, result, signal);
      if (this.whole && !whole) this.#improve(); // more has arrived meanwhile
    } else {
      this.#box.better.hidden = false;
    }
  }

  /**
   * Says how many documents are for and against the root of the query, or the query itself if it has no root. The
   * results do not wait for it.
   * @param {Vantage} open
   * @param {string} query
   * @param {SearchResult} result
   * @param {AbortSignal} signal
   */
  async #tellSides(open, query, result, signal) {
    if (!this.#host.hasAttribute('sides') || open.info.angles === 0 || result.notice) return;
    try {
      const root = (await open.split(query))?.root ?? query;
      const [sides, stances] = await Promise.all([
        open.sides(root, { k: 1, signal }),
        open.stances(root, indexesOf(result), { signal }),
      ]);
      if (signal.aborted) return;
      this.#box.sides.textContent = this.messages.sides(sides.for.count, sides.against.count);
      this.#results.tell(stances, this.messages.stance);
      this.#tell('vantage-sides', sides);
    } catch (error) {
      // A query such as a single letter may have no sides.
      if (!signal.aborted && Object(error).kind !== 'query') this.#fail('fault', error);
    }
  }

  /**
   * @param {Parameters<Results['show']>[0]} hits
   * @param {string} status
   * @param {Parameters<Results['show']>[1]} [asked]
   */
  #show(hits, status, asked = null) {
    this.#shown = null;
    this.#box.status.textContent = status;
    this.#box.better.hidden = true;
    this.#box.fault.hidden = true;
    this.#box.sides.textContent = '';
    const { read } = this;
    this.#results.show(hits, asked);
    if (read) this.#box.input.focus({ preventScroll: true }); // what had the focus is gone
  }
}

// Ranks results in two stages: all of them by the light encoder, at once; then the first of them by a transformer,
// which is the bundled one or the user's server.

import { Cached, shared } from './encode.js';
import { Idle } from './idle.js';
import { closeAll, light, transformers, vocabulary } from './models.js';
import { Server } from './server.js';
import { encoderOf } from './encoder.js';
import { rankBy } from './stage.js';
import { foreignOf } from './words.js';

/**
 * @import { Ask, By, FromEngine, Place } from '../types.js'
 * @import { Question } from './check.js'
 * @typedef {FromEngine extends infer M ? M extends {id: number} ? Omit<M, 'id'> : never : never} Reply
 * @typedef {(reply: Reply) => void} Tell
 */

/** Results that a transformer ranks again. */
const FIRST = 30;

/** Characters of a result that a transformer reads: it takes far longer for a text than the light encoder. */
const READ = 1_000;

export class Engine {
  #light = new Cached(shared([light], 256));
  #sides = new Cached(shared(transformers, 3));
  #server = new Server();
  #idle = new Idle(() => this.free());

  /**
   * @param {Question} question
   * @param {AbortSignal} signal
   * @param {Tell} tell
   */
  rank({ ask, texts }, signal, tell) {
    return this.#idle.during(async () => {
      const encoder = encoderOf();
      encoder.catch(() => {}); // awaited below
      const foreign = foreignOf(await vocabulary.get(), texts);
      const readable = texts.flatMap((_, index) => (foreign[index] ? [] : [index]));
      const read = readable.map((index) => texts[index]);
      const ranked = await rankBy(await light.get(), this.#light, ask, read, signal);
      signal.throwIfAborted();
      const all = { ...ranked, places: put(texts.map(unread), readable, ranked.places) };
      tell({ type: 'ranked', by: 'light', ...all });
      const again = await this.#again(ask, texts, all.places, await encoder, signal, tell);
      signal.throwIfAborted();
      if (again) tell({ type: 'ranked', ...again });
    });
  }

  /**
   * Ranks the first places by the user's server, or else by the bundled transformer. A server's vectors do not tell
   * sides, so questions for a side stay here. A server's encoder may know other languages; the bundled one does not.
   * @param {Ask} ask
   * @param {string[]} texts
   * @param {Place[]} all
   * @param {import('../types.js').Settings['encoder']} encoder
   * @param {AbortSignal} signal
   * @param {Tell} tell
   * @returns {Promise<{by: By, method: string, kind: string, places: Place[]} | null>} null if there is nothing to rank
   */
  async #again(ask, texts, all, encoder, signal, tell) {
    const at = (/** @type {number[]} */ slots) => slots.map((slot) => texts[all[slot].index].slice(0, READ));
    this.#server.use(encoder);
    if (encoder.kind === 'server' && ask.side === null) {
      const first = [...all.keys()].slice(0, FIRST);
      if (first.length === 0) return null;
      const ranked = await this.#server.rank(ask, at(first), signal, tell);
      if (ranked) return { by: 'server', ...ranked, places: put(all, first, ranked.places) };
    }
    const first = all.flatMap(({ foreign }, slot) => (foreign ? [] : [slot])).slice(0, FIRST);
    if (first.length === 0) return null;
    const ranked = await rankBy(await transformers[0].get(), this.#sides, ask, at(first), signal);
    return { by: 'sides', ...ranked, places: put(all, first, ranked.places) };
  }

  /** Frees the memory of models and caches. */
  free() {
    closeAll();
    this.#light.clear();
    this.#sides.clear();
    this.#server.close();
  }
}

/**
 * The place of a result in which the encoders know few words: its own.
 * @param {string} _
 * @param {number} index
 * @returns {Place}
 */
const unread = (_, index) => ({ index, score: 0, stance: null, why: null, foreign: true });

/**
 * Ranks what stands in some of the slots, and leaves the others.
 * @param {Place[]} all
 * @param {number[]} slots
 * @param {Place[]} ranked their indexes are those of `slots`
 */
function put(all, slots, ranked) {
  const places = [...all];
  slots.forEach((slot, at) => {
    places[slot] = { ...ranked[at], index: all[slots[ranked[at].index]].index };
  });
  return places;
}

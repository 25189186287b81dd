// Ranks results in two stages: all of them by the light encoder, at once; then the first of them by a transformer,
// which is the bundled one or the user's server.

import { Cached, shared } from './encode.js';
import { Idle } from './idle.js';
import { closeAll, light, transformers, vocabulary } from './models.js';
import { Server } from './server.js';
import { encoderOf } from './encoder.js';
import { rankBy } from './stage.js';
import { areForeign } from './words.js';

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
      const all = await rankBy(await light.get(), this.#light, ask, texts, signal);
      signal.throwIfAborted();
      tell({ type: 'ranked', by: 'light', ...all });
      if (texts.length === 0) return;
      const first = all.places.slice(0, FIRST);
      const read = first.map(({ index }) => texts[index].slice(0, READ));
      const { by, method, kind, places } = await this.#again(ask, read, await encoder, signal, tell);
      signal.throwIfAborted();
      const again = places.map((place) => ({ ...place, index: first[place.index].index }));
      tell({ type: 'ranked', by, method, kind, places: [...again, ...all.places.slice(FIRST)] });
      // A server's encoder may know other languages.
      if (by !== 'server' && areForeign(await vocabulary.get(), read)) tell({ type: 'notice', key: 'engineForeign' });
    });
  }

  /**
   * Ranks by the user's server, or else by the bundled transformer. A server's vectors do not tell
   * sides, so questions for a side stay here.
   * @param {Ask} ask
   * @param {string[]} texts
   * @param {import('../types.js').Settings['encoder']} encoder
   * @param {AbortSignal} signal
   * @param {Tell} tell
   * @returns {Promise<{by: By, method: string, kind: string, places: Place[]}>}
   */
  async #again(ask, texts, encoder, signal, tell) {
    this.#server.use(encoder);
    if (encoder.kind === 'server' && ask.side === null) {
      const ranked = await this.#server.rank(ask, texts, signal, tell);
      if (ranked) return { by: 'server', ...ranked };
    }
    return { by: 'sides', ...(await rankBy(await transformers[0].get(), this.#sides, ask, texts, signal)) };
  }

  /** Frees the memory of models and caches. */
  free() {
    closeAll();
    this.#light.clear();
    this.#sides.clear();
    this.#server.close();
  }
}

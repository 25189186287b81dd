// How often each side finds the answers to judged queries: success at k, by
// label and by root query. The core computes the metrics.

import { Vectors } from './vectors.js';

/**
 * @import { Method, SearchQuery, Vantage } from '../../lib/index.js'
 * @import { Judged } from './judgements.js'
 */

/** The values of k. */
export const KS = [5, 10];

const DEPTH = Math.max(...KS);

export class Measurement {
  /**
   * @param {Vantage} vantage an opened collection
   * @param {Judged[]} judged
   */
  constructor(vantage, judged) {
    this.vantage = vantage;
    this.judged = judged;
    this.vectors = new Vectors(vantage);
    /** @type {Map<number, number[]|null>} rankings by number of the query */
    this.plain = new Map();
    /** @type {import('../../lib/index.js').Score|null} that these are by */
    this.score = null;
    /** @type {Map<string, number>} */
    const numbers = new Map();
    this.numberOf = (/** @type {string} */ id) => {
      const number = numbers.get(id) ?? numbers.size;
      numbers.set(id, number);
      return number;
    };
  }

  /**
   * Runs all queries that have what the method needs, one after the other, both ways.
   * @param {import('./gold.js').Settings} settings
   * @param {{signal: AbortSignal, onProgress: (done: number, total: number) => void}} options
   */
  async run({ method, ...settings }, { signal, onProgress }) {
    if (settings.score !== this.score) this.plain.clear();
    this.score = settings.score;
    const able = [...this.judged.keys()].filter((i) => this.serves(method, this.judged[i]));
    /** @type {number[]} */
    const asked = [];
    /** @type {{plain: number[][], chosen: number[][]}} */
    const rankings = { plain: [], chosen: [] };
    let refused = 0;
    for (const [done, i] of able.entries()) {
      onProgress(done, able.length);
      const { query, root, perspectives } = this.judged[i];
      const { texts: _, ...given } = await this.vectors.of({ query, root, perspectives });
      signal.throwIfAborted();
      if (!this.plain.has(i)) {
        this.plain.set(i, await this.rank({ query: given.query, method: 'none', score: settings.score }, signal));
      }
      const chosen = await this.rank({ ...given, ...settings, method: method.name }, signal);
      if (chosen === null && method.angles) continue; // the query names no side
      if (chosen === null) refused++;
      asked.push(i);
      rankings.plain.push(this.plain.get(i) ?? []);
      rankings.chosen.push(chosen ?? []);
    }
    onProgress(able.length, able.length);
    return {
      asked: asked.length,
      refused,
      plain: await this.judge(asked, rankings.plain),
      chosen: await this.judge(asked, rankings.chosen),
    };
  }

  /**
   * @param {Method} method
   * @param {Judged} judged
   */
  serves({ needs }, { root, perspectives }) {
    return (
      (!needs.includes('root') || root !== '') &&
      (!needs.includes('perspective') || root !== '' || perspectives.length > 0)
    );
  }

  /**
   * The ranking as numbers of documents; null if the query has no defined answer.
   * @param {SearchQuery} query
   * @param {AbortSignal} signal
   */
  async rank(query, signal) {
    try {
      const { hits } = await this.vantage.search({ ...query, k: DEPTH, signal });
      return hits.map(({ id }) => this.numberOf(id));
    } catch (error) {
      if (Object(error).code === 'query') return null;
      throw error;
    }
  }

  /**
   * @param {number[]} asked
   * @param {number[][]} rankings
   */
  judge(asked, rankings) {
    const queries = asked.map((i) => this.judged[i]);
    return this.vantage.judge({
      rankings,
      gold: queries.map(({ gold }) => gold.map(this.numberOf)),
      roots: queries.map(({ root, query }) => root || query),
      labels: queries.map(({ label }) => label),
      ks: KS,
    });
  }
}

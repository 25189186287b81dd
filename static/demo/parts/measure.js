// How often either side finds what a judged query asks for: success at k, by
// label and by root query. The core computes the metrics.

import { Vectors } from './vectors.js';

/** Ranks that are looked at. */
export const KS = [5, 10];

const DEPTH = Math.max(...KS);

export class Measurement {
  /**
   * @param {object} vantage an opened collection
   * @param {object[]} judged of loadJudgements
   */
  constructor(vantage, judged) {
    this.vantage = vantage;
    this.judged = judged;
    this.vectors = new Vectors(vantage);
    this.plain = new Map(); // rankings by number of the query
    const numbers = new Map();
    this.numberOf = (id) => numbers.get(id) ?? numbers.set(id, numbers.size).get(id);
  }

  /**
   * Asks all queries that have what the method needs, one after the other, both ways.
   * @param {{method: object, lambda: number, mmr: number|null}} settings method as METHODS describes it
   * @param {{signal: AbortSignal, onProgress: (done: number, total: number) => void}} options
   */
  async run({ method, lambda, mmr }, { signal, onProgress }) {
    const asked = [...this.judged.keys()].filter((i) => this.serves(method, this.judged[i]));
    const rankings = { plain: [], chosen: [] };
    let refused = 0;
    for (const [done, i] of asked.entries()) {
      onProgress(done, asked.length);
      const { query, root, perspectives } = this.judged[i];
      const vectors = await this.vectors.of({ query, root, perspectives });
      signal.throwIfAborted();
      if (!this.plain.has(i)) this.plain.set(i, await this.rank({ query: vectors.query, method: 'none' }, signal));
      const chosen = await this.rank(
        {
          query: vectors.query,
          root: vectors.root,
          perspectives: vectors.perspectives,
          method: method.name,
          lambda,
          mmr,
        },
        signal,
      );
      if (chosen === null) refused++;
      rankings.plain.push(this.plain.get(i) ?? []);
      rankings.chosen.push(chosen ?? []);
    }
    onProgress(asked.length, asked.length);
    return {
      asked: asked.length,
      refused,
      plain: await this.judge(asked, rankings.plain),
      chosen: await this.judge(asked, rankings.chosen),
    };
  }

  serves({ needs }, { root, perspectives }) {
    return (
      (!needs.includes('root') || root !== '') &&
      (!needs.includes('perspective') || root !== '' || perspectives.length > 0)
    );
  }

  /** Documents by their own numbers here; null if the query has no defined answer. */
  async rank(query, signal) {
    try {
      const { hits } = await this.vantage.search({ ...query, k: DEPTH, signal });
      return hits.map(({ id }) => this.numberOf(id));
    } catch (error) {
      if (error.code === 'query') return null;
      throw error;
    }
  }

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

// One query, answered both ways: by the plain cosine and by the chosen method.

import { axisOf, Vectors } from './vectors.js';

/**
 * @import { ExplainedHit, Method, Score, SearchQuery, SearchResult, TextOrVector, Vantage } from '../../lib/index.js'
 * @import { Asked } from './form.js'
 * @import { Told } from './vectors.js'
 * @typedef {Map<number, {readonly [field: string]: unknown}>} Metadata
 */

/**
 * @typedef {object} Answer
 * @property {Asked} query
 * @property {SearchResult<ExplainedHit>} plain
 * @property {SearchResult<ExplainedHit>|null} chosen null: the method lacks something, or refuses the query
 * @property {string} refusal why it refuses the query, or ""
 * @property {Told[]} texts details of each encoded text
 * @property {Metadata} metadata of the hits, by number of the document
 * @property {Map<number, number>|null} places positions along the perspective, by number of
 *   the document
 */

/** Most documents whose metadata and position on the axis are cached. */
const KEPT = 4096;

export class Comparison {
  /**
   * @param {Vantage} vantage an opened collection
   * @param {Vantage} encoder the collection that encodes for it, possibly itself
   */
  constructor(vantage, encoder) {
    this.vantage = vantage;
    this.vectors = new Vectors(encoder);
    /** @type {Metadata} by number of the document */
    this.metadata = new Map();
    /** @type {{key: string, result: SearchResult<ExplainedHit>|null}} */
    this.plain = { key: '', result: null };
    /** @type {{axis: string|null, known: Map<number, number>}} */
    this.places = { axis: null, known: new Map() };
  }

  /**
   * @param {Asked} query of the form
   * @param {Method} method the chosen one
   * @param {string|null} missing what the method lacks; then there is no answer by it
   * @param {number} axis number of the perspective that the map shows; 0 if there is none
   * @param {'for'|'against'|''} [side] of the root that the passages are on; '': any
   * @returns {Promise<Answer>}
   */
  async ask(query, method, missing, axis, side = '') {
    const { texts, ...asked } = await this.vectors.of(query);
    const plain = await (side ? this.plainlyOn(asked, side) : this.plainly(asked, query.query));
    const { chosen, refusal } = missing ? { chosen: null, refusal: '' } : await this.chosen(asked, method, side);
    const hits = [...plain.hits, ...(chosen?.hits ?? [])];
    await this.readMetadata(hits);
    // Passages are not sent to a server.
    const direction = texts[0].encodedBy === 'server' ? null : axisOf(asked, axis);
    const places =
      direction && hits.length > 0
        ? await this.place(direction, JSON.stringify(query.perspectives[axis] ?? [query.root, query.query]), hits)
        : null;
    return { query, plain, chosen, refusal, texts, metadata: this.metadata, places };
  }

  /**
   * The answer by the chosen method.
   * @param {SearchQuery} asked
   * @param {Method} method
   * @param {'for'|'against'|''} side
   */
  async chosen(asked, { angles }, side) {
    try {
      return { chosen: await this.explained({ ...asked, side: side || null }), refusal: '' };
    } catch (error) {
      if (Object(error).code !== 'query' || !angles) throw error; // such as a query that names no side
      return { chosen: null, refusal: String(Object(error).message) };
    }
  }

  /**
   * The plain cosine or dot product, which does not use λ or MMR.
   * @param {{query: TextOrVector, k: number, score: Score|null}} asked
   * @param {string} text
   */
  async plainly({ query, k, score }, text) {
    const key = JSON.stringify([text, k, score, this.vantage.coverage.rows]);
    const { plain } = this;
    if (plain.key === key && plain.result) return plain.result;
    const result = await this.explained({ query, k, score, method: 'none' });
    this.plain = { key, result };
    return result;
  }

  /**
   * The same for passages on one side of the root.
   * @param {{query: TextOrVector, root: TextOrVector|null, k: number, score: Score|null}} asked
   * @param {'for'|'against'} side
   */
  plainlyOn({ query, root, k, score }, side) {
    return this.explained({ query, root, k, score, side, method: 'none' });
  }

  /**
   * Searches with explanations.
   * @param {SearchQuery} query
   */
  async explained(query) {
    return /** @type {SearchResult<ExplainedHit>} */ (await this.vantage.search({ ...query, cosineRank: true }));
  }

  /** @param {ExplainedHit[]} hits */
  async readMetadata(hits) {
    if (this.metadata.size > KEPT) this.metadata.clear();
    const unknown = [...new Set(hits.map((hit) => hit.index).filter((index) => !this.metadata.has(index)))];
    if (unknown.length === 0) return;
    const documents = await this.vantage.documents(unknown);
    unknown.forEach((index, i) => this.metadata.set(index, documents[i].metadata));
  }

  /**
   * cos(p, c) of hits by number of the document. Not every method's explanation
   * contains it, so the texts of the hits are ranked by the perspective alone.
   * @param {TextOrVector} direction
   * @param {string} words that give the direction
   * @param {ExplainedHit[]} hits
   */
  async place(direction, words, hits) {
    if (this.places.axis !== words || this.places.known.size > KEPT) this.places = { axis: words, known: new Map() };
    const { known } = this.places;
    const unknown = [...new Map(hits.filter((hit) => !known.has(hit.index)).map((hit) => [hit.index, hit])).values()];
    if (unknown.length > 0) {
      const texts = unknown.map(({ title, text }) => (title ? `${title} ${text}` : text));
      const ranked = await this.vantage.rerank(texts, { query: direction, method: 'none', k: texts.length });
      for (const { index, explain } of ranked.hits) known.set(unknown[index].index, explain.cosine);
    }
    return known;
  }
}

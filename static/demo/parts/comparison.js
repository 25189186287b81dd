// One question, asked both ways: plain cosine and the chosen method.

import { axisOf, Vectors } from './vectors.js';

/** Documents whose metadata and place on the axis are kept. */
const KEPT = 4096;

export class Comparison {
  /**
   * @param {object} vantage an opened collection
   * @param {object} encoder the collection that encodes for it, itself or another
   */
  constructor(vantage, encoder) {
    this.vantage = vantage;
    this.vectors = new Vectors(encoder);
    this.metadata = new Map(); // by number of the document
    this.plain = { key: '' };
    this.places = { axis: null, known: new Map() };
  }

  /**
   * @param {object} query of the form, in words
   * @param {string|null} missing what the method lacks: then there is no chosen answer
   * @param {number} axis number of the perspective that the map shows
   */
  async ask(query, missing, axis) {
    const { texts, ...asked } = await this.vectors.of(query);
    const plain = await this.plainly(asked, query.query);
    const chosen = missing ? null : await this.vantage.search({ ...asked, cosineRank: true });
    const hits = [...plain.hits, ...(chosen?.hits ?? [])];
    await this.readMetadata(hits);
    const direction = texts[0].encodedBy === 'server' ? null : axisOf(asked, axis); // passages are not sent there
    const places =
      direction && hits.length > 0
        ? await this.place(direction, query.perspectives[axis] ?? `${query.root} ${query.query}`, hits)
        : null;
    return { query, plain, chosen, texts, metadata: this.metadata, places };
  }

  // λ and MMR leave the plain cosine as it is.
  async plainly({ query, k }, text) {
    const key = JSON.stringify([text, k, this.vantage.coverage.rows]);
    if (this.plain.key !== key) {
      this.plain = { key, result: await this.vantage.search({ query, k, method: 'none', cosineRank: true }) };
    }
    return this.plain.result;
  }

  async readMetadata(hits) {
    if (this.metadata.size > KEPT) this.metadata.clear();
    const unknown = [...new Set(hits.map((hit) => hit.index).filter((index) => !this.metadata.has(index)))];
    if (unknown.length === 0) return;
    const documents = await this.vantage.documents(unknown);
    unknown.forEach((index, i) => this.metadata.set(index, documents[i].metadata));
  }

  /**
   * cos(p, c) of hits by number of the document. Not every method's explanation
   * holds it, so the texts of the hits are ranked by the perspective alone.
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

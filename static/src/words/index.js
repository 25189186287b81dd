// BM25 over the files of an inverted index. Scores have the bits of internal/wasm/lexical: the same operations in the
// same order.

import { log } from './log.js';
import { Reader, posting, readLengths, readTerms } from './reader.js';

/** Parameters of BM25, as in internal/wasm/lexical. */
const K1 = 1.2;
const B = 0.75;

/**
 * @typedef {{document: number, score: number}} Ranked
 * @typedef {{data: Uint8Array, file: string, terms: Map<string, number>}} Loaded term file
 */

export class Index {
  /**
   * @param {Uint8Array} lengths file
   * @param {string} file its name, for messages
   * @param {number} documents how many the manifest says there are
   */
  constructor(lengths, file, documents) {
    this.lengths = readLengths(lengths, file, documents);
    this.words = this.lengths.reduce((sum, length) => sum + length, 0);
    this.scores = new Float64Array(documents); // 0 between searches
  }

  /**
   * Checks a term file.
   * @param {Uint8Array} data
   * @param {string} file
   * @returns {Loaded}
   */
  load(data, file) {
    return { data, file, terms: readTerms(data, file, this.lengths) };
  }

  /**
   * The documents that have a term, best first: higher scores, then lower documents.
   * @param {Map<string, number>} counts of the query's terms
   * @param {(term: string) => Loaded|undefined} fileOf
   * @param {number} k
   * @param {((document: number) => boolean)|null} keep
   * @returns {Ranked[]}
   */
  rank(counts, fileOf, k, keep) {
    /** @type {number[]} */
    const touched = [];
    for (const [term, occurrences] of counts) {
      const file = fileOf(term);
      const at = file?.terms.get(term);
      if (file && at !== undefined) this.accumulate(touched, new Reader(file.data, file.file, at), occurrences);
    }
    const hits = [];
    for (const document of touched) {
      if (!keep || keep(document)) hits.push({ document, score: this.scores[document] });
      this.scores[document] = 0;
    }
    return hits.sort((a, b) => b.score - a.score || a.document - b.document).slice(0, k);
  }

  /**
   * Adds a term to the scores of the documents that contain it.
   * @param {number[]} touched documents with a score
   * @param {Reader} reader at the postings of the term
   * @param {number} occurrences in the query
   */
  accumulate(touched, reader, occurrences) {
    const { lengths, scores } = this;
    const holding = reader.number();
    reader.number(); // bytes of the postings
    const weight = occurrences * log((lengths.length + 1) / (holding + 0.5));
    const short = K1 * (1 - B);
    const long = (K1 * B * lengths.length) / this.words;
    for (let left = holding, document = 0; left > 0; left--, document++) {
      const [gap, frequency] = posting(reader);
      document += gap;
      if (scores[document] === 0) touched.push(document);
      scores[document] += (weight * frequency) / (frequency + short + long * lengths[document]);
    }
  }
}

// Types of words.js: a search by words alone, without the engine. Errors have the names, codes and kinds of index.js;
// their classes are its own.
import type { CollectionInfo, Hit, SearchQuery } from './index.js';

export interface WordsQuery {
  /** Not empty. */
  query: string;
  /** Number of hits; default 10. */
  k?: number | null;
  /** Conditions on metadata fields; all must hold. */
  filter?: SearchQuery['filter'];
  /** Cancels the search. Files that other searches need, too, are still read. */
  signal?: AbortSignal;
}

/** A hit as of `search({ method: 'bm25' })` in index.js, and the document's metadata. */
export interface WordsHit extends Pick<Hit, 'rank' | 'id' | 'index' | 'score' | 'title' | 'text'> {
  metadata: { readonly [field: string]: unknown };
}

/** A collection that is searched by words: BM25 with the scores of the engine, to the last bit. */
export class Words {
  private constructor();
  /**
   * Reads the manifest of a collection with an inverted index. A search then fetches the files that its words need, and
   * the documents of its hits, each once.
   * @param url the collection's folder
   */
  static open(url: string | URL, options?: { signal?: AbortSignal }): Promise<Words>;
  /** The distinct words of a text that a search looks up, in lower case and without accents. */
  static terms(text: string): string[];
  readonly info: {
    name: string;
    documents: number;
    /** Whether the collection carries an encoder, so that the engine can rank it by meaning. */
    encodes: boolean;
    fields: CollectionInfo['fields'];
  };
  search(query: WordsQuery): Promise<{ hits: WordsHit[] }>;
  /** A search that reads no documents: their numbers, with scores as 64-bit numbers. */
  rank(query: WordsQuery): Promise<{ document: number; score: number }[]>;
}

import type {
  CompareOptions,
  Comparison,
  EvaluateOptions,
  Evaluation,
  Found,
  Judged,
  Judgement,
  Portions,
  Questions,
} from './evaluate/evaluation.js';

export type * from './evaluate/evaluation.js';

/** A WebAssembly module: where it is, its bytes (gzipped or not), or compiled. */
export type ModuleSource = string | URL | ArrayBuffer | Uint8Array | WebAssembly.Module;

/** A file of an encoder: where it is, or its bytes; gzipped or not. */
export type FileSource = string | URL | ArrayBuffer | Uint8Array;

/**
 * A static model (Model2Vec's layout): the address of a folder with
 * tokenizer.json, model.safetensors and config.json, or the three files.
 */
export type StaticEncoder =
  | string
  | URL
  | {
      tokenizer: FileSource;
      weights: FileSource;
      config: FileSource;
      /** What answers call it; default "custom". */
      id?: string;
      /** Default: the first 16 digits of the SHA-256 of the files. */
      revision?: string;
    };

export type TextRole = 'query' | 'root' | 'perspective' | 'document';

/**
 * An encoder of the page's own: `ServerEncoder` of server.js, `TransformersEncoder`
 * of transformers.js, or another.
 */
export interface PageEncoder {
  readonly id: string;
  readonly revision?: string;
  /** Components of its vectors. */
  readonly dim: number;
  /** Awaited by `Vantage.create`, if the rest is not known before. */
  readonly ready?: Promise<void>;
  /**
   * One vector for each text, in order. What it throws reaches the caller; after
   * an UnavailableError words answer if there are any.
   */
  encode(texts: string[], role: TextRole, options?: { signal?: AbortSignal }): VectorList | Promise<VectorList>;
}

/** Whatever turns texts into vectors. */
export type Encoder = StaticEncoder | PageEncoder;

/** Who encoded: a server, an object of the page's, or the engine's static encoder. */
export type EncodedBy = 'server' | 'page' | 'engine';

export type VectorList = readonly (Float32Array | readonly number[])[];

export interface CreateOptions extends EngineOptions {
  /** null: none, for an engine that evaluates and does nothing else. */
  encoder: Encoder | null;
}

export interface OpenOptions extends EngineOptions {
  /**
   * Encodes in place of the encoder that the collection carries, and must give
   * the vectors of the collection's canaries: else EncoderMismatchError.
   */
  encoder?: Encoder;
}

export interface EngineOptions {
  /**
   * Where the engine runs. Left out: in a worker of the library's, or in the
   * page if no worker can be started, and in Node.js in the calling thread.
   * `true`: a worker (in Node.js a thread) or an error.
   * `false`: in the page. A `Worker`: one that runs, or imports, `worker.js`;
   * it serves one collection at a time and is not ended by `close`. Several of
   * them in a list: see `workers`.
   */
  worker?: boolean | Worker | readonly Worker[];
  /**
   * Workers that share the vectors, 1 to 64; default 1, or as many as are given
   * in `worker`. Answers are the same, to the last bit. More of them scan large
   * collections faster and hold more than fits into the memory of one; each
   * costs an engine of its own. If no worker can be started, one engine runs
   * in the page. In Node.js they are threads, which end with `close`.
   */
  workers?: number;
  /** The engine, in place of the package's `core.wasm.gz`. */
  core?: ModuleSource;
  /** Its inner loops, in place of the package's `kernel.wasm`. */
  kernel?: ModuleSource;
  /** What joins the two, in place of the package's `shim.js`, which holds its bytes. */
  shim?: ModuleSource;
  /**
   * Milliseconds of silence, while calls are under way, after which a worker is
   * taken for dead and another is started; default 30000, 0: never.
   */
  patience?: number;
  /** Most bytes of an engine's memory, for each of several workers; default 3.5 GB. Beyond it: LimitError. */
  maxBytes?: number;
  /**
   * Told as bytes arrive, at most some twenty times a second, of all workers together; again from zero if a lost
   * engine is replaced, for its part.
   */
  onProgress?: (progress: Progress) => void;
  /** Gives up opening, and the vectors that still stream in afterwards. */
  signal?: AbortSignal;
}

export interface Progress {
  /** Bytes of encoder, columns and vectors that have arrived, as stored on the host. */
  loaded: number;
  total: number;
  /** Rows that can be searched. */
  rows: number;
  totalRows: number;
}

/** A text, or a vector of the collection's dimension. */
export type TextOrVector = string | Float32Array | readonly number[];

export interface SearchQuery {
  /** The query in its whole wording. */
  query: TextOrVector;
  /** What the query is about; left out together with `perspectives`: read from the wording. */
  root?: TextOrVector | null;
  /** The sides to see it from; left out if a root is given: the difference of query and root. */
  perspectives?: TextOrVector | readonly TextOrVector[] | null;
  /**
   * A name or alias of `METHODS`; default "pap+" with a perspective, "none"
   * without. "bm25": by the words of the query alone, if `info.words`.
   */
  method?: string | null;
  /** Strength of the projection of pap and pap+; default 1, 0 is the plain cosine. */
  lambda?: number;
  /** Number of hits; default 10. */
  k?: number;
  /** λ of maximal marginal relevance, 0 (novelty alone) to 1 (relevance alone); left out: off. */
  mmr?: number | null;
  /**
   * Fuses the ranking with that of BM25 over the words of the whole query, if
   * `info.words`: `true` and "rrf" by reciprocal ranks, the others by the sum of
   * scores normalised so; the words weigh half unless `weight` (0 to 1) says other.
   */
  hybrid?: boolean | Fusion | { fusion?: Fusion; weight?: number } | null;
  /** Conditions on metadata fields; all must hold. What is left out or `undefined` is open. */
  filter?: { readonly [field: string]: FilterValue | readonly FilterValue[] | FilterRange | undefined } | null;
  /** Whether hits are explained; default true. */
  explain?: boolean | null;
  /**
   * Whether explanations tell `cosine_rank`; default false. It is found over all vectors, which costs up to as much as
   * the search without it: nothing if the method compares the query itself, as "none" does, and a second pass if the
   * vectors lie in several workers.
   */
  cosineRank?: boolean | null;
  signal?: AbortSignal;
}

/** A value of a field; a list of them must not be empty. */
export type FilterValue = string | number | boolean;

/**
 * From `min` to `max`, both included; it has one of them at least. A bound left out
 * or `undefined` is open, and so is an infinite one on its own side. NaN, and a
 * `min` above `max`, is a QueryError.
 */
export type FilterRange = { readonly min?: number | undefined; readonly max?: number | undefined };

export type Fusion = 'rrf' | 'min-max' | 'max' | 'z-score' | 'none';

/** As a SearchQuery; texts given with it have no fields to filter by, and no index of words. */
export type RerankQuery = Omit<SearchQuery, 'filter' | 'hybrid'>;

/** What is asked so that hits are explained. */
export type Explained<Query> = Query & { explain?: true | null };

/** As a SearchResult; `index` of a hit is the text's place, `id` and `title` are empty. */
export interface RerankResult<H extends Hit = Hit> extends Omit<SearchResult<H>, 'coverage' | 'timing'> {
  /** Milliseconds. */
  timing: { encode: number; rank: number };
}

/** The answer; its fields up to `hits` are the JSON that `vantage search --json` prints. */
export interface SearchResult<H extends Hit = Hit> {
  /** "bm25" if words alone have ranked. */
  method: string;
  lambda: number;
  k: number;
  encoder: { id: string; revision: string };
  /** The fusion, if one was asked for. */
  hybrid?: Fusion;
  /**
   * Why words alone answer if more was asked for (`method` is "bm25"): the
   * encoder is still loading or out of reach, no vectors have arrived, or nothing
   * encodes. Or why another encoder answers than was to (`encodedBy`).
   */
  notice?: string;
  /** Best first. */
  hits: H[];
  /** Who encoded the texts of the query; not there if no text was encoded. */
  encodedBy?: EncodedBy;
  /** Rows that the answer was drawn from, and rows of the whole collection. */
  coverage: Coverage;
  /** What became of each text that was encoded, the query first. */
  texts: EncodedText[];
  /** Milliseconds. */
  timing: { encode: number; rank: number; documents: number };
}

/** A hit without its explanation. */
export interface Hit {
  /** From 1. */
  rank: number;
  /** The document's own. */
  id: string;
  /** Its place in the corpus, from 0. */
  index: number;
  score: number;
  title: string;
  text: string;
  /**
   * Of the score by vectors, in a fused ranking too; not there if words alone have ranked, or none was asked for.
   */
  explain?: Explain;
  /** How the words rank it, if they were asked: from 1; 0: not among the best, which are fused. */
  lexical?: { rank: number; score: number };
}

/** A hit of a query whose `explain` is not false. */
export interface ExplainedHit extends Hit {
  explain: Explain;
}

/**
 * A score taken apart: score = numerator / denominator, 0 if the
 * denominator vanishes. With a, x0, d0, d1, d2 and A of the method's formula:
 * numerator = A·(x + x0), denominator = sqrt(norm² + d1·y + d2·y² + d0).
 */
export interface Explain {
  /** a·c, the passage along what is sought. */
  x: number;
  /** p·c, the passage along the perspective (its length there, for several). */
  y: number;
  /** Length of the passage's vector as stored. */
  norm: number;
  numerator: number;
  denominator: number;
  /** Plain cosine of query and passage. */
  cosine: number;
  /** Its rank under the plain cosine, from 1, where `cosineRank` was asked for. */
  cosine_rank?: number;
}

export interface Coverage {
  rows: number;
  total: number;
}

export interface EncodedText {
  role: 'query' | 'root' | 'perspective';
  text: string;
  /** Word pieces, unknown ones included; not told by an encoder of the page's. */
  tokens?: number;
  unknown?: number;
  /** Longer than the encoder's maximum. */
  truncated?: boolean;
  encodedBy: EncodedBy;
  /** Why it was not the encoder that was to do it. */
  notice?: string;
}

export interface Encoding {
  vector: Float32Array;
  tokens?: number;
  unknown?: number;
  truncated?: boolean;
  encodedBy: EncodedBy;
  notice?: string;
}

export interface Document {
  _id: string;
  title: string;
  text: string;
  metadata: { [field: string]: unknown };
}

/** A document added at run time. */
export interface LocalDocument {
  /** Of no other document added; `_id` is taken as well. */
  id: string;
  title?: string;
  text: string;
  /** Texts, numbers and truth values can be filtered by. */
  metadata?: { readonly [field: string]: unknown };
  /** In place of encoding title and text. */
  vector?: Float32Array | readonly number[];
}

/** A file that was fetched, as Resource Timing accounts for it. */
export interface Download {
  url: string;
  /** Of its body as sent; if the browser does not tell that, as it was read. */
  bytes: number;
  /** Over the network, headers included; 0: from the browser's cache; null: the browser does not tell. */
  transferred: number | null;
}

export interface CollectionInfo {
  name: string;
  /** Program and version that wrote the collection. */
  generator: string;
  documents: number;
  rows: number;
  dim: number;
  dtype: 'I8' | 'F16' | 'F32';
  model: {
    id: string;
    revision?: string;
    kind: 'static' | 'external';
    /** Of the transformer that made the vectors, which the collection does not carry. */
    architecture?: string;
    dim: number;
    /** Whether the vectors have length 1; not there where the page gave the encoder. */
    normalize?: boolean;
    pooling?: string;
    max_length?: number;
    /** The vectors were computed in bfloat16. */
    bf16?: boolean;
    /** The model's weights were rounded to 8 bits. */
    int8?: boolean;
    language?: string;
    prompts?: { [role: string]: string };
  };
  /** Whether there is an encoder; otherwise queries must be vectors, or words. */
  encodes: boolean;
  /** Whether there is an index of words, for `hybrid` and "bm25". */
  words: boolean;
  /** Fields to filter by. */
  fields: { name: string; type: 'string' | 'number' | 'bool'; values: string[] }[];
  /** Bytes of encoder, columns and vectors, as stored on the host. */
  bytes: number;
}

export interface Method {
  name: string;
  /** The paper's short name first. */
  aliases: readonly string[];
  summary: string;
  /** In q (query), r (root), p (perspective) and c (corpus entry). */
  formula: string;
  /** What it needs beside the query. */
  needs: readonly ('root' | 'perspective')[];
  /** Whether `lambda` applies. */
  lambda: boolean;
}

/** A collection, opened, or an engine with an encoder alone. */
export class Vantage {
  private constructor();
  /**
   * Opens the collection in this folder; resolves as soon as queries can be
   * answered, while its vectors may still be arriving, and its encoder as well
   * if words can answer (see `notice` of a result).
   */
  static open(url: string | URL, options?: OpenOptions): Promise<Vantage>;
  /** An engine with an encoder and no documents: for `rerank`, `encode`, `split`, `judge`. */
  static create(options: CreateOptions): Promise<Vantage>;
  readonly info: CollectionInfo;
  /** Whether the engine runs in a worker rather than in the page. */
  readonly inWorker: boolean;
  /**
   * Resolves when encoder and all vectors have arrived; rejects with the first
   * fault, and the rest stays usable. Asked again after a worker was lost, when
   * those of the next one have.
   */
  readonly ready: Promise<void>;
  readonly coverage: Coverage;
  /** Ranks, over what has arrived. */
  search(query: SearchQuery): Promise<SearchResult>;
  /** Root and perspective in the wording of a query, or null. */
  split(text: string): Promise<{ root: string; perspective: string } | null>;
  /** Ranks these texts, as the command ranks a collection of float32 rows. */
  rerank(texts: Iterable<string>, query: Explained<RerankQuery>): Promise<RerankResult<ExplainedHit>>;
  rerank(texts: Iterable<string>, query: RerankQuery): Promise<RerankResult>;
  /** The vector of a text by the encoder; the role, "query" by default, is told to an encoder of the page's. */
  encode(text: string, role?: TextRole): Promise<Encoding>;
  encode(texts: readonly string[], role?: TextRole): Promise<Encoding[]>;
  /**
   * Adds documents, all or none, to every later answer. Their numbers, which
   * follow those of the collection's documents, are `index` of their hits.
   */
  add(documents: Iterable<LocalDocument>, options?: { signal?: AbortSignal }): Promise<number[]>;
  /**
   * Takes documents out of every later answer, all or none: those added under
   * these ids, else the collection's. For the latter the collection's document
   * files are read until the ids are found.
   */
  remove(ids: Iterable<string>, options?: { signal?: AbortSignal }): Promise<void>;
  /**
   * Saves the added documents in the browser's storage, in place of what was
   * saved under the name, "default" if none is given; returns how many.
   */
  save(name?: string): Promise<number>;
  /**
   * Adds the documents saved under the name, all or none, and returns their
   * numbers. If another model encoded them, they are encoded again.
   */
  restore(name?: string, options?: { signal?: AbortSignal }): Promise<number[]>;
  /** Names under which pages of this site have saved documents. */
  static saved(): Promise<string[]>;
  /** Removes what is saved under the name; whether there was anything. */
  static forget(name?: string): Promise<boolean>;
  /**
   * Corpus indexes that each method ranks first for each query, best first, as a
   * search does over float32 rows; an empty list if the method has no answer,
   * such as for a vector of zeros. What `judge` takes.
   */
  rankings(questions: Questions): Promise<{ [method: string]: number[][] }>;
  /**
   * Judges rankings against gold given as corpus indexes: Recall@k, by label
   * and macro-averaged, and p-Recall@k, as the command computes them.
   */
  judge(queries: Judged): Promise<Judgement>;
  /**
   * Shares of what queries found, by label: what plain queries lean to, or what
   * queries for one place found of each (Zhao et al. 2024, Table 3, Figures 3, 5 and 6).
   */
  portions(queries: Found): Promise<Portions>;
  /**
   * Evaluates a run against judgements, both in TREC's format, as trec_eval
   * does. A line that cannot be used is a FormatError with `file` and `line`.
   */
  evaluate(options: EvaluateOptions): Promise<Evaluation>;
  /** Tests whether runs differ, over the same queries. */
  compare(options: CompareOptions): Promise<Comparison[]>;
  /** Whole documents by their place in the corpus, in the order asked. */
  documents(indexes: readonly number[], options?: { signal?: AbortSignal }): Promise<Document[]>;
  /** Bytes of the engines' heaps in use, and of the memory that the browser has given them. */
  memory(): Promise<{ used: number; reserved: number }>;
  /**
   * Files that the engine's worker has fetched; without a worker, those of the
   * page. What the page fetched itself, `performance` tells.
   */
  downloads(): Promise<Download[]>;
  /** Ends the engine; every later call fails with a ClosedError. */
  close(): void;
}

/** Base of the library's errors; `code` is stable, `message` is for people. */
export class VantageError extends Error {
  readonly code: string;
  /** The file of the collection, if one is at fault. */
  readonly file?: string;
}
/** A file could not be fetched, or nothing came from its host for 30 seconds. */
export class NetworkError extends VantageError {
  readonly url?: string;
  readonly status?: number;
}
/** A file arrived, but is not the one that the manifest names. */
export class IntegrityError extends VantageError {
  readonly expected?: string;
  readonly got?: string;
}
/** A file is malformed. */
export class FormatError extends VantageError {
  /** Of `file`, from 1, if it is read line by line. */
  readonly line?: number;
}
/** A collection, core or worker of another version. */
export class VersionError extends VantageError {}
/** The encoder is not the one that made the vectors. */
export class EncoderMismatchError extends VantageError {
  readonly cosine?: number;
}
/** A query without a defined answer. */
export class QueryError extends VantageError {}
/** A stated limit is exceeded, memory included. */
export class LimitError extends VantageError {
  readonly limit?: number;
}
/** The browser lacks something, or a file is of a kind that is not read. */
export class UnsupportedError extends VantageError {}
/** The browser refuses to store, or nothing is saved under the name. */
export class StorageError extends VantageError {}
/** An encoder of the page's cannot be reached now, or has too much to do; it may have later. */
export class UnavailableError extends VantageError {
  /** The server's name for it, if it answered. */
  readonly fault?: string;
}
/** The engine was lost while this was under way; another is started and answers the next call. */
export class LostInstanceError extends VantageError {
  /** The end of what the engine printed. */
  readonly log?: string;
}
/** The collection was closed. */
export class ClosedError extends VantageError {}

/** Every scoring method, for menus and help. */
export const METHODS: readonly Method[];

/** The double whose decimal form is the shortest that reads back as the same float32. */
export function shortest(x: number): number;

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

/** A WebAssembly module: its address, its bytes (gzipped or not), or the compiled module. */
export type ModuleSource = string | URL | ArrayBuffer | Uint8Array | WebAssembly.Module;

/** A file of an encoder: its address or its bytes, gzipped or not. */
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
      /** Its name in answers; default "custom". */
      id?: string;
      /** Default: the first 16 digits of the SHA-256 of the files. */
      revision?: string;
    };

export type TextRole = 'query' | 'root' | 'perspective' | 'document';

/**
 * An encoder that the page provides: `ServerEncoder` of server.js, `TransformersEncoder` of transformers.js, or its
 * own.
 */
export interface PageEncoder {
  readonly id: string;
  readonly revision?: string;
  /** Number of components of its vectors. */
  readonly dim: number;
  /**
   * Whether texts stay in the page, as with `TransformersEncoder`. Only then does it get private `contexts`; a
   * `ServerEncoder` never does.
   */
  readonly local?: boolean;
  /** `Vantage.create` awaits it, if given, before it reads the other properties. */
  readonly ready?: Promise<void>;
  /**
   * Returns one vector for each text, in order; for a collection that is ranked by MaxSim, the vectors of the text's
   * tokens, one after the other. Errors reach the caller, with one exception: after an UnavailableError, words answer if
   * the collection has an index of words.
   */
  encode(texts: string[], role: TextRole, options?: { signal?: AbortSignal }): VectorList | Promise<VectorList>;
}

/**
 * Anything that turns texts into vectors. An opened collection shares its encoder, and with it the ability to tell sides
 * apart.
 */
export type Encoder = StaticEncoder | PageEncoder | Vantage;

/** Who encoded: a server, an object of the page, or the engine with a static encoder or a pack. */
export type EncodedBy = 'server' | 'page' | 'engine';

export type VectorList = readonly (Float32Array | readonly number[])[];

export interface CreateOptions extends EngineOptions {
  /** null: no encoder, for an engine that only evaluates. */
  encoder: Encoder | null;
}

export interface OpenOptions extends EngineOptions {
  /**
   * Replaces the encoder in the collection. It must reproduce the vectors of the collection's canaries; otherwise
   * `open` fails with an EncoderMismatchError.
   */
  encoder?: Encoder;
}

export interface EngineOptions {
  /**
   * Where the engine runs. By default, it runs in a worker that the library starts, or in the page if no worker can
   * be started; in Node.js it runs in the calling thread. `true`: in a worker (in Node.js a thread), or an error.
   * `false`: in the page. A `Worker`: in this worker, whose script is or imports `worker.js`; it serves the
   * collection that was opened in it last, and `close` does not end it. A list of workers: see `workers`.
   */
  worker?: boolean | Worker | readonly Worker[];
  /**
   * Number of workers that share the vectors, 1 to 64; default 1, or the number of workers in `worker`. Answers have
   * the same bits. Several workers scan large collections faster, and hold more than fits into the memory of one;
   * each takes the memory of an engine. If no worker can be started, one engine runs in the page. In Node.js they are
   * threads, which end with `close`.
   */
  workers?: number;
  /** The engine, instead of the package's `core.wasm.gz`. */
  core?: ModuleSource;
  /**
   * The engine's inner loops, instead of the package's `kernel-relaxed.wasm`, or `kernel.wasm` where a browser lacks
   * relaxed SIMD.
   */
  kernel?: ModuleSource;
  /** The module that joins core and kernel, instead of the one in the package's `shim.js`. */
  shim?: ModuleSource;
  /**
   * Milliseconds without an answer, while calls are under way, after which a worker counts as dead and is replaced;
   * default 30000, 0: never.
   */
  patience?: number;
  /**
   * Bound in bytes of the memory of an engine; each worker has one. Default 3.5 GB. A vector file, an encoder, or any
   * other piece of a megabyte or more that would exceed it is refused beforehand, by a LimitError. What the engine needs
   * from the start, makes of files, or gets in smaller pieces is not checked, so that `memory()` may say 10 MB more.
   */
  maxBytes?: number;
  /**
   * Called as bytes arrive, at most about twenty times a second, with the sums over all workers. If a lost engine is
   * replaced, its share begins again from zero.
   */
  onProgress?: (progress: Progress) => void;
  /**
   * Cancels opening, and later the loading of the encoder and of vectors that have not arrived: without its encoder, a
   * collection answers by words (see `notice` of a result), or by an UnavailableError. Other files are still fetched when
   * a query needs them.
   */
  signal?: AbortSignal;
}

export interface Progress {
  /** Bytes of encoder, columns and vectors that have arrived, as stored on the host. */
  loaded: number;
  total: number;
  /** Rows that can be searched. */
  rows: number;
  totalRows: number;
  /**
   * The encoder's part of the bytes, which also count above. Files of a pack that this browser has kept count as
   * arrived. If a query first needs the pack's branch, `total` grows.
   */
  encoder: { loaded: number; total: number };
}

/**
 * A text, a vector of the collection's dimension, or both. In a collection that is ranked by MaxSim, a vector holds those
 * of the text's tokens, one after the other.
 */
export type TextOrVector = string | Float32Array | readonly number[] | KnownText;

/** A text whose vector is known, so that it need not be encoded again. */
export interface KnownText {
  readonly text: string;
  readonly vector: Float32Array | readonly number[];
}

/**
 * A text to rank. If its vector is known, and with methods of sides its angle, it need not be encoded again: `encode`
 * gives both. They must come from the same encoder.
 */
export type RerankText = string | (KnownText & { readonly angle?: Float32Array | readonly number[] });

/**
 * How vectors are compared: by their cosine, or by their dot product, in which their lengths count. TAS-B, DPR,
 * ANCE and Contriever are made for dot products. Or by MaxSim, which compares the vectors of tokens: the sum, over the
 * tokens of a query, of the largest dot product with any token of the passage (ColBERT).
 */
export type Score = 'cosine' | 'dot' | 'maxsim';

export interface SearchQuery {
  /** The whole query. */
  query: TextOrVector;
  /** What the query is about. If neither this nor `perspectives` is given, both are read from the query's wording. */
  root?: TextOrVector | null;
  /**
   * The sides from which to see it. If only a root is given, the difference of query and root is the perspective, but
   * not for `auto`.
   */
  perspectives?: TextOrVector | readonly TextOrVector[] | null;
  /**
   * A name or alias of `METHODS`. "bm25" ranks only by the words of the query; it needs `info.words`. Default "auto":
   * it chooses the method, its strength, and whether words join in, by the kind of perspective that the query has and
   * by what measurements found best for the collection's encoder. The answer says what was chosen.
   */
  method?: string | null;
  /**
   * How the query is compared with passages; default `info.score`. Passages can be compared either way, because their
   * vectors are stored as the model made them. Under the dot product, pap+ ranks as pap does and concat as root does.
   * A collection whose `info.score` is "maxsim" is compared by it alone, and no other is. It takes the methods of
   * `METHODS` that have `sums`, by default "none", the whole query; hits have no `explain`; `mmr` is refused.
   */
  score?: Score | null;
  /**
   * Strength of the projection of pap and pap+, from -10 to 10; default 1, 0 is the plain cosine. If `lambda` is given,
   * "auto" takes pap+, unless there is no perspective.
   */
  lambda?: number | null;
  /**
   * Strength of the angles in the methods "contrast" and "aspect", from -10 to 10: 0 leaves them out, a negative one asks
   * for the opposite. Default: what "auto" chose, what the collection's encoder recommends, or else `strength` of the
   * method.
   */
  strength?: number | null;
  /**
   * What "contrast" compares: the side asked for, and its opposite. A text is a wording that is put before the root, such
   * as "Find a text about the past of: "; a vector is the angle of wording and root together. They exclude other methods,
   * and a query that names none is ranked by "contrast"; without a method, they exclude `lambda`. Default: the encoder's
   * wordings of for and against, beginning with the side that the perspective asks for.
   */
  opposites?: readonly [TextOrVector, TextOrVector] | null;
  /** Number of hits; default 10. */
  k?: number;
  /** λ of maximal marginal relevance, from 0 (only novelty) to 1 (only relevance); default: off. */
  mmr?: number | null;
  /**
   * Fuses the ranking with that of BM25 over the words of the whole query; it needs `info.words`. `true` and "rrf"
   * use reciprocal ranks. The others add up scores, which they normalise as their names say. `weight` (0 to 1) is the
   * weight of the words; default 0.5. `false`: "auto" does not fuse either.
   */
  hybrid?: boolean | Fusion | { fusion?: Fusion; weight?: number } | null;
  /** Conditions on metadata fields; all must hold. A field set to `undefined` is ignored. */
  filter?: { readonly [field: string]: FilterValue | readonly FilterValue[] | FilterRange | undefined } | null;
  /**
   * Only documents on the subject of the root and on this side of it, whatever the method. The root must be a text,
   * given or read from the query's wording. It needs `info.angles`.
   */
  side?: 'for' | 'against' | null;
  /**
   * Private facts about who asks, such as "I am self-employed", at most 64. The search finds its `k` hits without them,
   * then finds the context that fits each best, and orders the hits by λ·relevance + (1−λ)·fit (PCAS, Wan et al. 2023):
   * relevance is the score without contexts (in a fused ranking, the cosine of query and document), fit the cosine of
   * context and document. `because` of a hit names its context.
   *
   * Requests are the same with contexts and without, and no error repeats a context. They are encoded only in the page;
   * if that is impossible, they are an UnsupportedError. An answer by words alone, such as one while the encoder loads,
   * leaves them out, and its hits have no `because`.
   */
  contexts?: readonly TextOrVector[] | null;
  /** λ, the weight of the query beside the contexts, between 0 and 1, both excluded; default 0.6, by MaxSim 0.55. */
  contextLambda?: number | null;
  /**
   * For collections of token vectors (`info.score` "maxsim"), which are stored rounded. The search finds `rescore`
   * documents, or `k` if that is more, encodes their texts again and ranks them by the vectors that the encoder gives,
   * in place of the stored ones. It takes as long as to encode so many documents, at most 256; default 0, off. It
   * excludes `hybrid` and "bm25", and an answer by words alone leaves it out.
   */
  rescore?: number | null;
  /** Whether hits are explained; default true. */
  explain?: boolean | null;
  /**
   * Whether explanations contain `cosine_rank`; default false. The rank counts over all vectors. It is free if one
   * worker holds them and the method compares the query itself, as "none" does. Otherwise it takes a second pass,
   * which at most doubles the cost of the search.
   */
  cosineRank?: boolean | null;
  signal?: AbortSignal;
}

/** A value of a field; a list of them must not be empty. */
export type FilterValue = string | number | boolean;

/**
 * From `min` to `max`, both included; at least one must be given. A missing or `undefined` bound is open, and so is
 * -Infinity as `min` or Infinity as `max`. NaN, or a `min` above `max`, is a QueryError.
 */
export type FilterRange = { readonly min?: number | undefined; readonly max?: number | undefined };

export type Fusion = 'rrf' | 'min-max' | 'max' | 'z-score' | 'none';

/** Like a SearchQuery, without `filter`, `side`, `hybrid`, `rescore` and `contexts`: all texts are ranked, without fields or an index of words. */
export type RerankQuery = Omit<SearchQuery, 'filter' | 'side' | 'hybrid' | 'rescore' | 'contexts' | 'contextLambda'>;

/** A query whose hits are explained. */
export type Explained<Query> = Query & { explain?: true | null };

/** Like a SearchResult. `index` of a hit is the position of the text; `id` and `title` are empty. */
export interface RerankResult<H extends Hit = Hit> extends Omit<SearchResult<H>, 'coverage' | 'timing' | 'close'> {
  /** Milliseconds. */
  timing: { encode: number; rank: number };
}

/** The answer. Its fields up to `hits` are the same as in the JSON of `vantage search --json`. */
export interface SearchResult<H extends Hit = Hit> {
  /** What "auto" chose, if no method was asked for. "bm25" if only words ranked. */
  method: string;
  /** Kind of the perspective by which "auto" chose; absent if there is none, or a method or `lambda` was asked for. */
  kind?: Kind;
  lambda: number;
  /** Strength of the angles; absent if it is 0 or the method has none. */
  strength?: number;
  /** Which side "contrast" read from the query as the one asked for. */
  side?: 'for' | 'against';
  /** How vectors were compared; absent if by their cosine. */
  score?: 'dot' | 'maxsim';
  k: number;
  encoder: { id: string; revision: string };
  /** The fusion, if one was asked for, or "auto" chose it. */
  hybrid?: Fusion;
  /**
   * Why only words answer although more was asked for (`method` is "bm25"): the encoder is still loading,
   * unreachable or cannot be used, no vectors have arrived, or there is no encoder. Or why the angles of texts or the
   * index of words cannot be used: a query that names no method is then ranked without them. Or why another encoder
   * than expected encoded the query (`encodedBy`), or why the encoder's reader of queries does not read.
   */
  notice?: string;
  /**
   * Whether a hit is close to the query, so that `false` says that the collection has nothing on its subject. Absent if
   * that cannot be told: the collection has no measured level (`info.close`), dot products rank, the query or its root
   * is a vector, `explain` is off, vectors are still arriving, or words alone rank and no hit has all of them.
   */
  close?: boolean;
  /** Best first. */
  hits: H[];
  /** Who encoded the texts of the query; absent if no text was encoded. */
  encodedBy?: EncodedBy;
  /** Rows that were searched, and rows of the whole collection. */
  coverage: Coverage;
  /** Details of each encoded text, the query first. */
  texts: EncodedText[];
  /** Milliseconds. */
  timing: { encode: number; rank: number; documents: number };
}

/** What a perspective asks for: for or against the root, a political side, a period, a subtopic, … */
export type Kind =
  | 'stance'
  | 'leaning'
  | 'time'
  | 'topic'
  | 'place'
  | 'analogy'
  /** What the root itself supports or opposes. */
  | 'converse'
  | 'evidence'
  | 'audience'
  /** Anything else. */
  | 'free';

/** A hit without its explanation. */
export interface Hit {
  /** From 1. */
  rank: number;
  /** The document's own. */
  id: string;
  /** Its position in the corpus, from 0. */
  index: number;
  score: number;
  title: string;
  text: string;
  /**
   * Explains the score by vectors, in a fused ranking too. Absent if only words ranked or `explain` is false.
   */
  explain?: Explain;
  /**
   * The side of the root that the document is on. Absent if the query asks for no side, or the document is on neither
   * or not on the subject. With methods that have no angles, it is there once an earlier query has brought the angles of
   * passages.
   */
  stance?: Stance;
  /** The context that fits the document best, if the query has contexts. */
  because?: Because;
  /** Rank and score by words, if words ranked. Ranks count from 1; 0: not among the best that are fused. */
  lexical?: { rank: number; score: number };
}

/** Why a hit has its place among the others: its score is λ·relevance + (1−λ)·fit. */
export interface Because {
  /** Index of the context. */
  context: number;
  /** Of the context; empty if it is only a vector. */
  text: string;
  /** Cosine of context and document, or their dot product or MaxSim if that compares the query. */
  fit: number;
  /** Score of the document without contexts; in a fused ranking, that of the vectors alone. */
  relevance: number;
}

/**
 * The side of a text towards a root. With u and v for the angles of two queries, one for texts that support the root
 * and one for texts that oppose it, and a for the angle of the text, all of unit length, the slant is (u − v)·a.
 */
export interface Stance {
  /** The most probable side. */
  side: 'for' | 'neither' | 'against';
  /** Of that side, from 0 to 1. */
  probability: number;
  /** Of root and text. The text is on the subject if it is at least `subject` of `Sides`. */
  cosine: number;
  /** From -2 to 2; above 0 for, below 0 against. */
  slant: number;
}

export interface SidesOptions {
  /** Number of hits of each side; default 10. */
  k?: number | null;
  /**
   * How much the slant counts in the order of hits, from -10 to 10. Default: what the encoder recommends for
   * "contrast".
   */
  strength?: number | null;
  /** As in SearchQuery. */
  filter?: SearchQuery['filter'];
  signal?: AbortSignal;
}

/**
 * How many texts are on each side of a root. Only texts with a cosine of at least `subject` with the root count: the
 * encoder's least cosine, or the collection's level for close hits if that is higher.
 */
export interface Sides {
  root: string;
  k: number;
  strength: number;
  subject: number;
  encoder: { id: string; revision: string };
  for: SideHits;
  neither: SideHits;
  against: SideHits;
  /** Rows whose sides were told, and rows of the whole collection. */
  coverage: Coverage;
}

/**
 * The texts of one side, best first: by cosine + strength·slant for the root, by cosine − strength·slant against it,
 * and by the cosine alone on neither side.
 */
export interface SideHits {
  /** Number of all texts of this side that are on the subject, not of the hits alone. */
  count: number;
  hits: SideHit[];
}

export interface SideHit extends Hit {
  stance: Stance;
}

export interface OtherSideOptions {
  /** The claim that both sides are about. Without it, hits are near the document in topic and far from it in angle. */
  root?: string | null;
  /** Number of hits; default 10. */
  k?: number | null;
  /** How much the angles count, from 0 to 10; default 0.8 with a root and 0.5 without. */
  strength?: number | null;
  /** As in SearchQuery. */
  filter?: SearchQuery['filter'];
  signal?: AbortSignal;
}

export interface OtherSide {
  root?: string;
  k: number;
  strength: number;
  encoder: { id: string; revision: string };
  /** The document itself, with rank and score 0. */
  of: Hit;
  /** Best first. If there is a root, each has a stance. */
  hits: Hit[];
  coverage: Coverage;
}

/** A hit of a query whose `explain` is not false. */
export interface ExplainedHit extends Hit {
  explain: Explain;
}

/**
 * The parts of a score: score = numerator / denominator, or 0 if the denominator is 0. The method sets a, x0, d0, d1,
 * d2 and A: numerator = A·(x + x0), denominator = sqrt(norm² + d1·y + d2·y² + d0), or 1 under the dot product. The
 * re-ranking methods have two stages instead: x and y are their scores, numerator is the sum of both, or the score of a
 * passage that the first stage excludes, and denominator is 1.
 */
export interface Explain {
  /** a·c, the component of the passage along the query; of a re-ranking method, the score of the first stage. */
  x: number;
  /**
   * p·c, the component of the passage along the perspective; with several perspectives, the length of its projection on
   * them; of a re-ranking method, the score of the second stage.
   */
  y: number;
  /** Length of the passage's vector as stored. */
  norm: number;
  numerator: number;
  denominator: number;
  /** Cosine of query and passage, or their dot product if that compares them. */
  cosine: number;
  /** Rank by `cosine` alone, from 1; only if `cosineRank` was set. */
  cosine_rank?: number;
  /** With "contrast" and "aspect": the part of the score without the angles, numerator / denominator. */
  topic?: number;
  /** With "contrast" and "aspect": what the angles add to the score. */
  side?: number;
}

export interface Coverage {
  rows: number;
  total: number;
}

export interface EncodedText {
  role: 'query' | 'root' | 'perspective';
  text: string;
  /** Number of word pieces, unknown ones included; absent for an encoder of the page. */
  tokens?: number;
  unknown?: number;
  /** Longer than the encoder's maximum. */
  truncated?: boolean;
  encodedBy: EncodedBy;
  /** Why another encoder than expected encoded it, or why the encoder's reader of queries does not read. */
  notice?: string;
}

export interface Encoding {
  /** Of a collection that is ranked by maxsim: the vectors of the tokens, one after the other. */
  vector: Float32Array;
  tokens?: number;
  unknown?: number;
  truncated?: boolean;
  encodedBy: EncodedBy;
  notice?: string;
}

export interface AngleEncoding extends Encoding {
  /** By the encoder's branch. */
  angle: Float32Array;
}

export interface Document {
  _id: string;
  title: string;
  text: string;
  metadata: { [field: string]: unknown };
}

/** A document added at run time. */
export interface LocalDocument {
  /** Unique among the added documents; `_id` is accepted too. */
  id: string;
  title?: string;
  text: string;
  /** What JSON can hold. Filters can use texts, numbers and booleans. */
  metadata?: { readonly [field: string]: unknown };
  /** If given, title and text are not encoded. */
  vector?: Float32Array | readonly number[];
}

/** A fetched file, as in Resource Timing. */
export interface Download {
  url: string;
  /** Size of the body in bytes: as sent, or as read if the browser does not report that. */
  bytes: number;
  /** Bytes over the network, headers included; 0: from the browser's cache; null: not reported by the browser. */
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
  /** How queries and passages are compared unless a query says otherwise. */
  score: Score;
  model: {
    id: string;
    revision?: string;
    /** A static encoder or a pack (a transformer), both run by the engine; or a model outside the collection. */
    kind: 'static' | 'pack' | 'external';
    /**
     * Architecture of the transformer that made the vectors; "unstated" if their encoder does not say. Unless `kind` is
     * "pack", it is not in the collection.
     */
    architecture?: string;
    dim: number;
    /** Whether the vectors have length 1; absent if the page provides the encoder. */
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
  /** Whether there is an encoder. Without one, queries must be vectors, or search by words. */
  encodes: boolean;
  /** Components of the passages' angles, which the methods "contrast" and "aspect" need; 0: there are none. */
  angles: number;
  /** Whether there is an index of words, for `hybrid` and "bm25". */
  words: boolean;
  /** Cosine of query and document from which a hit is close to the query (`SearchResult.close`); 0: it was not measured. */
  close: number;
  /**
   * If the owner's judged queries chose the default ranking: on how many, and nDCG@10 over how many others, before (by
   * the encoder's default) and after; null if they did not.
   */
  chosen: { on: number; measured: number; before: number; after: number } | null;
  /** Fields to filter by. Of removed documents, only the values of those that the collection had from the start stay. */
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
  /** What it needs in addition to the query. */
  needs: readonly ('root' | 'perspective')[];
  /** Whether `lambda` applies. */
  lambda: boolean;
  /** Angle vectors of the query that it needs; if not 0, the collection must have angles of its passages, too. */
  angles: number;
  /** Default strength of the angles; 0 if it needs none. */
  strength: number;
  /** Whether it is a sum of scores: the others do not rank by MaxSim. */
  sums: boolean;
}

/** What the wording of a query asks for. */
export interface Reading {
  /** What it is about. */
  root: string;
  /** From which side. */
  perspective: string;
  /** Kind of perspective: "stance", "leaning", "time", "topic", "place", "analogy", "evidence", "audience", "converse" or "free". */
  kind: string;
  /** The side of the root that it asks for; null for no side or both. */
  side: 'for' | 'against' | null;
  /** Whether it asks for both sides: "pros and cons of X". */
  both: boolean;
}

/** An opened collection, or an engine that only has an encoder. */
export class Vantage {
  private constructor();
  /**
   * Opens the collection in this folder. It resolves as soon as queries can be answered: vectors may still be
   * loading, and the encoder too if words can answer (see `notice` of a result).
   */
  static open(url: string | URL, options?: OpenOptions): Promise<Vantage>;
  /** An engine with an encoder and no documents: for `rerank`, `encode`, `split`, `judge`. */
  static create(options: CreateOptions): Promise<Vantage>;
  readonly info: CollectionInfo;
  /** Whether the engine runs in a worker rather than in the page. */
  readonly inWorker: boolean;
  /**
   * Resolves when the encoder and all vectors have arrived. It rejects with the first fault; the rest stays usable, and
   * later searches fetch again what could not be fetched.
   * After a worker was lost, it is a new promise, for the vectors of its replacement.
   */
  readonly ready: Promise<void>;
  readonly coverage: Coverage;
  /** Ranks the vectors that have arrived. */
  search(query: SearchQuery): Promise<SearchResult>;
  /**
   * What the wording of a query asks for, or null if it names no perspective. If the encoder comes with a reader of
   * queries, that reads more wordings; until the encoder is there, the grammar alone reads. A search that is given neither
   * root nor perspectives ranks by this reading.
   */
  split(text: string): Promise<Reading | null>;
  /**
   * The side that a perspective asks for, such as "a claim that opposes"; null if it asks for none. It needs no
   * encoder.
   */
  stance(perspective: string): Promise<'for' | 'against' | null>;
  /**
   * Tells the sides of all documents towards a root, a claim such as "Night trains deserve public subsidy", in one
   * pass over their vectors. It needs `info.angles`. What this needs (the encoder's branch, and the angles of passages)
   * is downloaded when a call first asks for it.
   */
  sides(root: string, options?: SidesOptions): Promise<Sides>;
  /** Tells the sides of these texts. The `index` of a hit is the position of the text, and its `id` is empty. */
  sidesOf(
    root: string,
    texts: Iterable<RerankText>,
    options?: Omit<SidesOptions, 'filter'>,
  ): Promise<Omit<Sides, 'coverage'>>;
  /** The stances of documents by their indexes; null for one that is not on the subject of the root. */
  stances(root: string, documents: Iterable<number>, options?: { signal?: AbortSignal }): Promise<(Stance | null)[]>;
  /**
   * Finds documents near a document in topic and on the other side of the root. `document` is its index, which is that
   * of a hit. Only the root is encoded, and only if it is not cached from an earlier call.
   */
  otherSide(document: number, options?: OtherSideOptions): Promise<OtherSide>;
  /** Ranks these texts in the same way as a collection of float32 rows. */
  rerank(texts: Iterable<RerankText>, query: Explained<RerankQuery>): Promise<RerankResult<ExplainedHit>>;
  rerank(texts: Iterable<RerankText>, query: RerankQuery): Promise<RerankResult>;
  /**
   * Encodes a text in a role, "query" by default. With `angle`, the encoder that the collection carries answers, and
   * gives each text a second vector, which says from which side the text sees its subject. It must have a branch,
   * whose files are downloaded when an angle is first asked for.
   */
  encode(text: string, role?: TextRole, options?: { angle?: false }): Promise<Encoding>;
  encode(texts: readonly string[], role?: TextRole, options?: { angle?: false }): Promise<Encoding[]>;
  encode(text: string, role: TextRole, options: { angle: true }): Promise<AngleEncoding>;
  encode(texts: readonly string[], role: TextRole, options: { angle: true }): Promise<AngleEncoding[]>;
  /**
   * Adds documents, all or none, to every later answer. Returns their numbers, which continue those of the
   * collection's documents; the `index` of a hit is such a number. If the collection has angles, those of added
   * documents are encoded when a query first needs them, or now with `angles`.
   */
  add(documents: Iterable<LocalDocument>, options?: { signal?: AbortSignal; angles?: boolean }): Promise<number[]>;
  /**
   * Excludes documents from every later answer, all or none. An id names an added document, or else one of the
   * collection's. To find the latter, the collection's document files are read.
   */
  remove(ids: Iterable<string>, options?: { signal?: AbortSignal }): Promise<void>;
  /**
   * Saves the added documents in the browser's storage and returns their count. They replace what was saved under the
   * name; the default name is "default".
   */
  save(name?: string): Promise<number>;
  /**
   * Adds the documents saved under the name, all or none, and returns their
   * numbers. If another model encoded them, they are encoded again.
   */
  restore(name?: string, options?: { signal?: AbortSignal }): Promise<number[]>;
  /** Names under which pages of this site have saved documents. */
  static saved(): Promise<string[]>;
  /** Deletes what is saved under the name; resolves to false if there was nothing. */
  static forget(name?: string): Promise<boolean>;
  /**
   * Ranks each query with each method, as a search over float32 rows does. It returns corpus indexes, best first, in
   * the form that `judge` takes. The list is empty if the method has no answer, such as for a vector of zeros.
   */
  rankings(questions: Questions): Promise<{ [method: string]: number[][] }>;
  /**
   * Judges rankings against gold given as corpus indexes: Recall@k, by label
   * and macro-averaged, and p-Recall@k, as the command computes them.
   */
  judge(queries: Judged): Promise<Judgement>;
  /**
   * Shares of labels in what queries found: the bias of plain queries, or the places that queries for one place found
   * (Zhao et al. 2024, Table 3, Figures 3, 5 and 6).
   */
  portions(queries: Found): Promise<Portions>;
  /**
   * Evaluates a run against judgements, both in TREC's format, as trec_eval does. A malformed line is a FormatError
   * with `file` and `line`.
   */
  evaluate(options: EvaluateOptions): Promise<Evaluation>;
  /** Tests whether runs differ, over the same queries. */
  compare(options: CompareOptions): Promise<Comparison[]>;
  /** Returns whole documents by their positions in the corpus, in the given order. */
  documents(indexes: readonly number[], options?: { signal?: AbortSignal }): Promise<Document[]>;
  /** Bytes of the engines' heaps in use, and of the memory that the browser has given them. */
  memory(): Promise<{ used: number; reserved: number }>;
  /**
   * Files that the engine's worker has fetched, up to about 10,000; without a worker, those of the page. `performance` has
   * the files that the page itself fetched.
   */
  downloads(): Promise<Download[]>;
  /** Ends the engine; every later call fails with a ClosedError. */
  close(): void;
}

/** The kinds of faults, by what a caller can do about them; see docs/faults.md. */
export type FaultKind =
  'input' | 'query' | 'limit' | 'integrity' | 'version' | 'unsupported' | 'unavailable' | 'internal';

/** Base of the library's errors; `code` and `kind` are stable, `message` is for people. */
export class VantageError extends Error {
  /** Names the class. */
  readonly code: string;
  /** The kind of the class, its own or inherited. */
  readonly kind: FaultKind;
  /** The file of the collection, if one is at fault. */
  readonly file?: string;
}
/** A file, a text or a setting cannot be used as it is. */
export class InputError extends VantageError {}
/** A fault of the library's own. */
export class InternalError extends VantageError {}
/** A file could not be fetched, or nothing came from its host for 30 seconds. */
export class NetworkError extends UnavailableError {
  readonly url?: string;
  readonly status?: number;
}
/** A file that the manifest names is missing, or another one has arrived in its place. */
export class IntegrityError extends VantageError {
  readonly expected?: string;
  readonly got?: string;
}
/** A file is malformed. */
export class FormatError extends InputError {
  /** Line of `file`, from 1, if the file is read line by line. */
  readonly line?: number;
}
/** A collection, core or worker of another version. */
export class VersionError extends VantageError {}
/**
 * A file is gone because the collection was updated since it was opened: `Vantage.open` opens the new one.
 */
export class OutdatedError extends IntegrityError {}
/** The encoder is not the one that made the vectors. */
export class EncoderMismatchError extends IntegrityError {
  readonly cosine?: number;
}
/** A query without a defined answer. */
export class QueryError extends VantageError {}
/** A stated limit is exceeded, memory included. */
export class LimitError extends VantageError {
  readonly limit?: number;
}
/** The browser lacks something, or a file has an unsupported format. */
export class UnsupportedError extends VantageError {}
/** The browser refuses to store, or nothing is saved under the name. */
export class StorageError extends UnavailableError {}
/** The page's encoder cannot be reached or is overloaded; a later call may succeed. */
export class UnavailableError extends VantageError {
  /** The server's name for the fault, if it answered. */
  readonly fault?: string;
}
/** The engine was lost while the call was under way; a new one answers the next call. */
export class LostInstanceError extends InternalError {
  /** The end of what the engine printed. */
  readonly log?: string;
}
/** The collection was closed. */
export class ClosedError extends UnavailableError {}

/** Every scoring method, for menus and help. */
export const METHODS: readonly Method[];

/**
 * Returns the number with the shortest decimal form that reads back as the same float32. A number that is not a float32
 * is returned as it is.
 */
export function shortest(x: number): number;

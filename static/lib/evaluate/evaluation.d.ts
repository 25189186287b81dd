// Evaluation: see docs/evaluate.md.

import type { Score, VectorList } from '../index.js';

/** Vectors to rank, and queries. Each list has one vector per query, and all vectors have the same dimension. */
export interface Questions {
  /** The corpus. */
  vectors: VectorList;
  queries: VectorList;
  /** Root queries. Methods that need them fail without them. */
  roots?: VectorList | null;
  /** Perspectives; default: the differences of queries and roots. */
  perspectives?: VectorList | null;
  /** Names or aliases of METHODS. */
  methods: readonly string[];
  /** Strength of projections; default 1. */
  lambda?: number;
  /** How vectors are compared; default "cosine". */
  score?: Exclude<Score, 'maxsim'>;
  /** Length of a ranking; default 10. */
  k?: number;
  /** Cancels the call. */
  signal?: AbortSignal;
}

/** Queries to judge. Each list has one entry per query. */
export interface Judged {
  /** Corpus indexes as retrieved, best first. */
  rankings: readonly (readonly number[] | Uint32Array)[];
  /** Corpus indexes of the right answers. */
  gold: readonly (readonly number[] | Uint32Array)[];
  /** Text of each query's root query. Without roots there is no p-Recall. */
  roots?: readonly string[] | null;
  /** Text of each query's perspective. */
  perspectives?: readonly string[] | null;
  /** Kind of each query's perspective, such as "support". */
  labels?: readonly string[] | null;
  /** Ranks to look at; default 1, 5, 10. */
  ks?: readonly number[];
}

/** A figure for each k. */
export interface AtK {
  [k: number]: number;
}

/**
 * The results, in the form of `vantage eval pir`. A query succeeds at k if a gold entry is among the first k. Without
 * queries every figure is 0.
 */
export interface Judgement {
  /** Number of queries. */
  n: number;
  /** Rank of each query's first gold entry, from 1; 0: not retrieved. */
  ranks: number[];
  recall: {
    /** Mean success over queries. */
    overall: AtK;
    /** Mean of the labels' recalls. Present with `labels`. */
    macro?: AtK;
    per_label?: { [label: string]: AtK & { n: number } };
  };
  /** Number of distinct root queries. Present with `roots`. */
  roots?: number;
  /** Mean over root queries of the mean success over their queries (Zhao et al. 2024, Eq. 1). */
  p_recall?: AtK;
  /** The same, but a root with a single query counts 0, as in the paper's notebook. */
  p_recall_notebook?: AtK;
  /** The same, but the queries of a root are first averaged by distinct perspective. Present with `perspectives`. */
  p_recall_by_unique_perspective?: AtK;
}

/** Labels of what queries found. Each list has one entry per query. */
export interface Found {
  /** The label of each document found, such as its perspective or the place that it is about. */
  found: readonly (readonly string[])[];
  /** The row that each query counts for, such as the place that it asked for; default: "" for all. */
  rows?: readonly string[] | null;
}

export interface Portions {
  /** In the order in which they first appear. */
  labels: string[];
  rows: {
    [row: string]: {
      /** Number of queries that found something. */
      queries: number;
      /** Number of documents that they found. */
      found: number;
      /**
       * Share of these queries that found the label, which can sum to more than 1, and of these documents that have it.
       */
      labels: { [label: string]: { queries: number; found: number } };
    };
  };
}

/** A file of judgements or results, which may be gzipped; its name goes into messages. */
export type TrecFile = File | { name: string; content: string | Blob | ArrayBuffer | Uint8Array };

export interface EvaluateOptions {
  /**
   * TREC's lines, "query iteration document grade", in which measures over subtopics use the iteration as the subtopic;
   * or BEIR's three columns, separated by tabs: query-id, corpus-id, score.
   */
  qrels: TrecFile;
  /** Lines of "query Q0 document rank score run-id"; the rank column is ignored. */
  run: TrecFile;
  /**
   * trec_eval's names ("map", "P.5,10", "official") and those of ir_measures
   * ("nDCG@10", "P(rel=2)@5", "alpha_nDCG@10"); default trec_eval's all_trec.
   */
  measures?: readonly string[];
  /** Least grade that is relevant; default 1. */
  level?: number;
  /** Average over all judged queries; those that the run lacks count 0. */
  complete?: boolean;
  /** Drop documents without a judgement first. */
  judgedOnly?: boolean;
  /** Look only at this many documents per query; default 0: all. */
  maxRetrieved?: number;
  /** Documents in the collection, for the last coefficient of "utility". */
  collection?: number;
  /** Also return the values of each query. */
  perQuery?: boolean;
  signal?: AbortSignal;
}

/** The values of trec_eval 9.0.8, as float64; `vantage eval trec` prints four decimals of them. */
export interface Evaluation {
  /** Name of the run's file. */
  run: string;
  /** The run id on its last line. */
  run_id: string;
  /** Number of queries that the averages cover. */
  queries: number;
  /** Names of the values, in trec_eval's order. */
  measures: string[];
  /**
   * Average or total of each value; for Accuracy, CoverageSize and Sycophancy, over the queries that have a value,
   * and NaN if none has. "runid" is a text.
   */
  averages: { [measure: string]: number | string };
  /**
   * With `perQuery`: query ids in byte order, and a value for each, NaN if it has none. "relstring" has texts.
   */
  per_query?: { queries: string[]; values: { [measure: string]: Float64Array | string[] } };
}

export interface CompareOptions {
  qrels: TrecFile;
  /** Two or more. */
  runs: readonly TrecFile[];
  /** One or more, as for `evaluate`. They must have a value for each query. */
  measures: readonly string[];
  /** Least grade that is relevant; default 1. */
  level?: number;
  /** Compare over all judged queries, instead of those that at least one run has. */
  complete?: boolean;
  /** Rounds of the bootstrap and the randomisation test; default 10000. */
  rounds?: number;
  /** Random seed: the same seed gives the same figures everywhere; default 1. */
  seed?: number;
  perQuery?: boolean;
  signal?: AbortSignal;
}

/** Runs over the same queries, compared by one measure: the JSON of `vantage eval compare`. */
export interface Comparison {
  measure: string;
  queries: number;
  /** Confidence of the intervals: 0.95. */
  confidence: number;
  rounds: number;
  seed: number;
  /** Means with their bootstrap intervals. `missing` queries count 0. */
  runs: { run: string; mean: number; low: number; high: number; missing: number }[];
  /** Each run with each later one. Both two-sided p-values are also given after Holm's correction over all pairs. */
  pairs: {
    a: string;
    b: string;
    /** Mean of b − a, and its bootstrap interval. */
    difference: number;
    low: number;
    high: number;
    /** Numbers of queries for which b has the greater value (better) and the lesser (worse). */
    better: number;
    worse: number;
    /** Of the paired t-test; null if infinite. */
    t: number | null;
    p_t_test: number;
    p_t_test_holm: number;
    /** Of Fisher's randomisation test. */
    p_randomization: number;
    p_randomization_holm: number;
  }[];
  /** With `perQuery`: query ids in byte order, and for each run the values of all queries. */
  per_query?: { queries: string[]; values: Float64Array[] };
}

// Evaluation: see docs/evaluate.md.

import type { VectorList } from '../index.js';

/** Vectors to rank, and questions; their lists have one vector for each query, all of one dimension. */
export interface Questions {
  /** The corpus. */
  vectors: VectorList;
  queries: VectorList;
  /** Root queries; methods that need one fail without. */
  roots?: VectorList | null;
  /** Perspectives; without them the difference of query and root. */
  perspectives?: VectorList | null;
  /** Names or aliases of METHODS. */
  methods: readonly string[];
  /** Strength of projections; default 1. */
  lambda?: number;
  /** Indexes in a ranking; default 10. */
  k?: number;
  /** Gives the call up. */
  signal?: AbortSignal;
}

/** Queries to judge; their lists have one entry for each query. */
export interface Judged {
  /** Corpus indexes as retrieved, best first. */
  rankings: readonly (readonly number[] | Uint32Array)[];
  /** Corpus indexes of the right answers. */
  gold: readonly (readonly number[] | Uint32Array)[];
  /** Text of each query's root query; without them there is no p-Recall. */
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
 * How queries fared, as `vantage eval pir` lays it out. Success at k is a gold
 * entry among the first k; of no queries every figure is 0.
 */
export interface Judgement {
  /** Queries. */
  n: number;
  /** Of each query's first gold entry, from 1; 0: not retrieved. */
  ranks: number[];
  recall: {
    /** Mean success over queries. */
    overall: AtK;
    /** Mean over labels of their recall. With `labels`. */
    macro?: AtK;
    per_label?: { [label: string]: AtK & { n: number } };
  };
  /** Distinct root queries. With `roots`. */
  roots?: number;
  /** Mean over root queries of the mean success over their queries (Zhao et al. 2024, Eq. 1). */
  p_recall?: AtK;
  /** The same with a root of a single query counting 0, as the paper's notebook has it. */
  p_recall_notebook?: AtK;
  /** The same with the queries of a root averaged by distinct perspective first. With `perspectives`. */
  p_recall_by_unique_perspective?: AtK;
}

/** Labels of what queries found; the lists have one entry for each query. */
export interface Found {
  /** Of each document found, its label: of gold texts the perspective, or the place it is about. */
  found: readonly (readonly string[])[];
  /** What each query counts for, such as the place it asked for; default: all for "". */
  rows?: readonly string[] | null;
}

export interface Portions {
  /** In the order in which they first appear. */
  labels: string[];
  rows: {
    [row: string]: {
      /** Queries that found something. */
      queries: number;
      /** Documents that they found. */
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
   * TREC's lines of "query iteration document grade", of which measures over
   * subtopics take the iteration as the name of one; or BEIR's, three columns between
   * tabs: query-id, corpus-id, score.
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
  /** Average over all judged queries, those that the run lacks counting 0. */
  complete?: boolean;
  /** Drop documents without a judgement first. */
  judgedOnly?: boolean;
  /** Look at so many documents of a query; default 0: at all. */
  maxRetrieved?: number;
  /** Documents in the collection, for the last coefficient of "utility". */
  collection?: number;
  /** Ask for the values of each query, too. */
  perQuery?: boolean;
  signal?: AbortSignal;
}

/** What trec_eval 9.0.8 computes, in the float64 that `vantage eval trec` prints four decimals of. */
export interface Evaluation {
  /** Name of the run's file. */
  run: string;
  /** The run id on its last line. */
  run_id: string;
  /** Queries averaged over. */
  queries: number;
  /** Names of the values, in trec_eval's order. */
  measures: string[];
  /**
   * Average, or total, of each value that has one (of Accuracy, CoverageSize, Sycophancy over the queries that have
   * it); of "runid" the text.
   */
  averages: { [measure: string]: number | string };
  /**
   * With `perQuery`: ids in the order of their bytes, and a value for each, NaN if it has none; of "relstring" a
   * text.
   */
  per_query?: { queries: string[]; values: { [measure: string]: Float64Array | string[] } };
}

export interface CompareOptions {
  qrels: TrecFile;
  /** Two or more. */
  runs: readonly TrecFile[];
  /** One or more, as for `evaluate`; they must have values query by query. */
  measures: readonly string[];
  /** Least grade that is relevant; default 1. */
  level?: number;
  /** Over all judged queries, in place of those that at least one run has. */
  complete?: boolean;
  /** Of the bootstrap and the randomisation test; default 10000. */
  rounds?: number;
  /** Decides what is drawn: the same seed, the same figures everywhere; default 1. */
  seed?: number;
  perQuery?: boolean;
  signal?: AbortSignal;
}

/** Runs over the same queries by one measure: the JSON of `vantage eval compare`. */
export interface Comparison {
  measure: string;
  queries: number;
  /** Of the intervals: 0.95. */
  confidence: number;
  rounds: number;
  seed: number;
  /** Means with their bootstrap intervals; `missing` queries counted 0. */
  runs: { run: string; mean: number; low: number; high: number; missing: number }[];
  /** Each run with each later one, both two-sided p-values also after Holm's correction over all pairs. */
  pairs: {
    a: string;
    b: string;
    /** Mean of b − a, and its bootstrap interval. */
    difference: number;
    low: number;
    high: number;
    /** Queries for which b has the greater and the lesser value. */
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
  /** With `perQuery`: ids in the order of their bytes, and for each run a value for each. */
  per_query?: { queries: string[]; values: Float64Array[] };
}

// Evaluation: see docs/evaluate.md.

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

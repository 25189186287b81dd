// Generated from internal/wasm/abi by `make generate`; do not edit.

/** Version of the ABI. */
export const VERSION: 3;
/** No such handle, or no such section of a pack. */
export const CODE_HANDLE: -2;
/** An address or length outside any allocated buffer. */
export const CODE_ADDRESS: -3;
/** The pieces of a pack's tokenizer. */
export const SECTION_VOCABULARY: 0;
/** A pack's tensors for vectors. */
export const SECTION_TRUNK: 1;
/** A pack's tensors for the vectors of the branch. */
export const SECTION_BRANCH: 2;
/** A pack's tensors for the reader of queries. */
export const SECTION_READER: 3;
/** float32 rows. */
export const ROWS_F32: 0;
/** int8 rows with a scale each. */
export const ROWS_I8: 1;
/** The query has a root. */
export const AUTO_ROOT: 1;
/** The root has a text. */
export const AUTO_ROOT_TEXT: 2;
/** The query has a text. */
export const AUTO_TEXT: 4;
/** A strength of the projection is asked for. */
export const AUTO_LAMBDA: 16;
/** Passages have angles, and the encoder gives texts theirs. */
export const AUTO_ANGLES: 32;
/** The encoder has wordings of for and against. */
export const AUTO_SIDES: 64;
/** The ranking may be fused with BM25. */
export const AUTO_WORDS: 128;
/** The query was read: behind its perspective, perspectives has the kind of it. */
export const AUTO_READ: 256;
/** Vectors are compared by their cosine. */
export const SCORE_COSINE: 0;
/** Vectors are compared by their dot product. */
export const SCORE_DOT: 1;
/** Fill the explanation of each hit except its cosine rank. */
export const FLAG_EXPLAIN: 1;
/** Also rank explained hits by the plain cosine. */
export const FLAG_COSINE_RANK: 2;
/** The row of a hit whose document has none in the index. */
export const MISSING_ROW: 4294967295;
/** A row without a value in a column of codes. */
export const MISSING_CODE: 4294967295;
/** low <= value <= high. */
export const FILTER_RANGE: 0;
/** The code is one of a set. */
export const FILTER_CODES: 1;
/** The value is one of a set of numbers. */
export const FILTER_EQUAL: 2;
/** On neither side of the root. */
export const SIDE_NEITHER: 0;
/** For the root. */
export const SIDE_FOR: 1;
/** Against the root. */
export const SIDE_AGAINST: 2;
/** Average over all judged queries. */
export const EVALUATE_COMPLETE: 1;
/** Drop documents without a judgement first. */
export const EVALUATE_JUDGED_ONLY: 2;
/** There is a value for each query. */
export const VALUE_PER_QUERY: 1;
/** The value has an average, or a total. */
export const VALUE_AVERAGED: 2;
/** The value is a text. */
export const VALUE_TEXT: 4;

/** Byte offsets of the fields of TextRef. */
export const TextRef: {
  readonly size: 8;
  /** uint32 */
  readonly pointer: 0;
  /** uint32 */
  readonly length: 4;
};

/** Byte offsets of the fields of SplitInfo. */
export const SplitInfo: {
  readonly size: 32;
  /** uint32 */
  readonly root: 0;
  /** uint32 */
  readonly rootLength: 4;
  /** uint32 */
  readonly perspective: 8;
  /** uint32 */
  readonly perspectiveLength: 12;
  /** uint32 */
  readonly kind: 16;
  /** uint32 */
  readonly kindLength: 20;
  /** uint32 */
  readonly side: 24;
  /** uint32 */
  readonly both: 28;
};

/** Byte offsets of the fields of AutoRequest. */
export const AutoRequest: {
  readonly size: 20;
  /** uint32 */
  readonly perspectives: 0;
  /** uint32 */
  readonly perspectiveCount: 4;
  /** uint32 */
  readonly table: 8;
  /** uint32 */
  readonly tableCount: 12;
  /** uint32 */
  readonly flags: 16;
};

/** Byte offsets of the fields of AutoChoice. */
export const AutoChoice: {
  readonly size: 40;
  /** uint32 */
  readonly kind: 0;
  /** uint32 */
  readonly kindLength: 4;
  /** uint32 */
  readonly method: 8;
  /** uint32 */
  readonly methodLength: 12;
  /** float64 */
  readonly lambda: 16;
  /** float64 */
  readonly strength: 24;
  /** float64 */
  readonly weight: 32;
};

/** Byte offsets of the fields of EncodeInfo. */
export const EncodeInfo: {
  readonly size: 12;
  /** uint32 */
  readonly tokens: 0;
  /** uint32 */
  readonly unknown: 4;
  /** uint32 */
  readonly truncated: 8;
};

/** Byte offsets of the fields of SearchRequest. */
export const SearchRequest: {
  readonly size: 88;
  /** uint32 */
  readonly method: 0;
  /** uint32 */
  readonly methodLength: 4;
  /** uint32 */
  readonly query: 8;
  /** uint32 */
  readonly root: 12;
  /** uint32 */
  readonly perspectives: 16;
  /** uint32 */
  readonly perspectiveCount: 20;
  /** uint32 */
  readonly k: 24;
  /** uint32 */
  readonly flags: 28;
  /** uint32 */
  readonly mmrCandidates: 32;
  /** uint32 */
  readonly mask: 36;
  /** uint32 */
  readonly maskLength: 40;
  /** uint32 */
  readonly cut: 44;
  /** uint32 */
  readonly angles: 48;
  /** uint32 */
  readonly angleCount: 52;
  /** uint32 */
  readonly angleDim: 56;
  /** uint32 */
  readonly score: 60;
  /** float64 */
  readonly lambda: 64;
  /** float64 */
  readonly strength: 72;
  /** float64 */
  readonly mmr: 80;
};

/** Byte offsets of the fields of Filter. */
export const Filter: {
  readonly size: 32;
  /** uint32 */
  readonly column: 0;
  /** uint32 */
  readonly kind: 4;
  /** uint32 */
  readonly set: 8;
  /** uint32 */
  readonly setLength: 12;
  /** float64 */
  readonly low: 16;
  /** float64 */
  readonly high: 24;
};

/** Byte offsets of the fields of Hit. */
export const Hit: {
  readonly size: 48;
  /** uint32 */
  readonly row: 0;
  /** uint32 */
  readonly document: 4;
  /** float32 */
  readonly score: 8;
  /** float32 */
  readonly x: 12;
  /** float32 */
  readonly y: 16;
  /** float32 */
  readonly norm: 20;
  /** float32 */
  readonly numerator: 24;
  /** float32 */
  readonly denominator: 28;
  /** float32 */
  readonly cosine: 32;
  /** uint32 */
  readonly cosineRank: 36;
  /** float32 */
  readonly topic: 40;
  /** float32 */
  readonly side: 44;
};

/** Byte offsets of the fields of Calibration. */
export const Calibration: {
  readonly size: 32;
  /** float64 */
  readonly twoWidth: 0;
  /** float64 */
  readonly width: 8;
  /** float64 */
  readonly level: 16;
  /** float64 */
  readonly subject: 24;
};

/** Byte offsets of the fields of Sides. */
export const Sides: {
  readonly size: 24;
  /** uint32 */
  readonly for: 0;
  /** uint32 */
  readonly neither: 4;
  /** uint32 */
  readonly against: 8;
  /** uint32 */
  readonly forHits: 12;
  /** uint32 */
  readonly neitherHits: 16;
  /** uint32 */
  readonly againstHits: 20;
};

/** Byte offsets of the fields of SideHit. */
export const SideHit: {
  readonly size: 40;
  /** uint32 */
  readonly row: 0;
  /** uint32 */
  readonly document: 4;
  /** float32 */
  readonly score: 8;
  /** float32 */
  readonly cosine: 12;
  /** float32 */
  readonly slant: 16;
  /** float32 */
  readonly for: 20;
  /** float32 */
  readonly neither: 24;
  /** float32 */
  readonly against: 28;
  /** uint32 */
  readonly side: 32;
  /** uint32 */
  readonly onSubject: 36;
};

/** Byte offsets of the fields of JudgeRequest. */
export const JudgeRequest: {
  readonly size: 44;
  /** uint32 */
  readonly queries: 0;
  /** uint32 */
  readonly rankings: 4;
  /** uint32 */
  readonly rankingEnds: 8;
  /** uint32 */
  readonly gold: 12;
  /** uint32 */
  readonly goldEnds: 16;
  /** uint32 */
  readonly roots: 20;
  /** uint32 */
  readonly perspectives: 24;
  /** uint32 */
  readonly labels: 28;
  /** uint32 */
  readonly labelCount: 32;
  /** uint32 */
  readonly ks: 36;
  /** uint32 */
  readonly kCount: 40;
};

/** Byte offsets of the fields of JudgeValues. */
export const JudgeValues: {
  readonly size: 40;
  /** float64 */
  readonly recall: 0;
  /** float64 */
  readonly macroRecall: 8;
  /** float64 */
  readonly pRecall: 16;
  /** float64 */
  readonly pRecallNotebook: 24;
  /** float64 */
  readonly pRecallByUniquePerspective: 32;
};

/** Byte offsets of the fields of PortionsRequest. */
export const PortionsRequest: {
  readonly size: 24;
  /** uint32 */
  readonly queries: 0;
  /** uint32 */
  readonly found: 4;
  /** uint32 */
  readonly foundEnds: 8;
  /** uint32 */
  readonly rows: 12;
  /** uint32 */
  readonly rowCount: 16;
  /** uint32 */
  readonly labelCount: 20;
};

/** Byte offsets of the fields of EvaluateRequest. */
export const EvaluateRequest: {
  readonly size: 36;
  /** uint32 */
  readonly qrels: 0;
  /** uint32 */
  readonly runs: 4;
  /** uint32 */
  readonly runCount: 8;
  /** uint32 */
  readonly measures: 12;
  /** uint32 */
  readonly measuresLength: 16;
  /** uint32 */
  readonly level: 20;
  /** uint32 */
  readonly flags: 24;
  /** uint32 */
  readonly maxRetrieved: 28;
  /** uint32 */
  readonly collection: 32;
};

/** Byte offsets of the fields of Evaluation. */
export const Evaluation: {
  readonly size: 60;
  /** uint32 */
  readonly names: 0;
  /** uint32 */
  readonly namesLength: 4;
  /** uint32 */
  readonly nameCount: 8;
  /** uint32 */
  readonly kinds: 12;
  /** uint32 */
  readonly queries: 16;
  /** uint32 */
  readonly queriesLength: 20;
  /** uint32 */
  readonly queryCount: 24;
  /** uint32 */
  readonly values: 28;
  /** uint32 */
  readonly averages: 32;
  /** uint32 */
  readonly count: 36;
  /** uint32 */
  readonly runID: 40;
  /** uint32 */
  readonly runIDLength: 44;
  /** uint32 */
  readonly texts: 48;
  /** uint32 */
  readonly textsLength: 52;
  /** uint32 */
  readonly missing: 56;
};

/** Byte offsets of the fields of MeanInterval. */
export const MeanInterval: {
  readonly size: 24;
  /** float64 */
  readonly mean: 0;
  /** float64 */
  readonly low: 8;
  /** float64 */
  readonly high: 16;
};

/** Byte offsets of the fields of PairTest. */
export const PairTest: {
  readonly size: 56;
  /** float64 */
  readonly difference: 0;
  /** float64 */
  readonly low: 8;
  /** float64 */
  readonly high: 16;
  /** float64 */
  readonly t: 24;
  /** float64 */
  readonly ptTest: 32;
  /** float64 */
  readonly randomization: 40;
  /** uint32 */
  readonly better: 48;
  /** uint32 */
  readonly worse: 52;
};

/** Byte offsets of the fields of TokenSum. */
export const TokenSum: {
  readonly size: 48;
  /** uint32 */
  readonly method: 0;
  /** uint32 */
  readonly methodLength: 4;
  /** uint32 */
  readonly dim: 8;
  /** uint32 */
  readonly query: 12;
  /** uint32 */
  readonly queryLength: 16;
  /** uint32 */
  readonly root: 20;
  /** uint32 */
  readonly rootLength: 24;
  /** uint32 */
  readonly perspectives: 28;
  /** uint32 */
  readonly perspectiveLengths: 32;
  /** uint32 */
  readonly perspectiveCount: 36;
  /** uint32 */
  readonly vectors: 40;
  /** uint32 */
  readonly gate: 44;
};

/** Byte offsets of the fields of TokenRequest. */
export const TokenRequest: {
  readonly size: 32;
  /** uint32 */
  readonly vectors: 0;
  /** uint32 */
  readonly length: 4;
  /** uint32 */
  readonly gate: 8;
  /** uint32 */
  readonly k: 12;
  /** uint32 */
  readonly probes: 16;
  /** uint32 */
  readonly candidates: 20;
  /** uint32 */
  readonly allowed: 24;
  /** uint32 */
  readonly allowedLength: 28;
};

/** Byte offsets of the fields of WordHit. */
export const WordHit: {
  readonly size: 16;
  /** float64 */
  readonly score: 0;
  /** uint32 */
  readonly document: 8;
  /** uint32 */
  readonly reserved: 12;
};

/** The exports of core.wasm beside the Go runtime's own. */
export interface CoreExports {
  readonly mem: WebAssembly.Memory;
  /** Version of this description. */
  abi_version(): number;
  /** Address of the u32 that every completed call increments. */
  sequence(): number;
  /** Address of a TextRef: the message of the last failed call. */
  error_text(): number;
  /** A zeroed, 64-byte-aligned buffer; 0 if the limit is reached. */
  allocate(bytes: number): number;
  /** Frees a buffer of allocate. */
  release(pointer: number): number;
  /** Bytes of heap in use. */
  memory_in_use(): number;
  /**
   * Reads a query's root and perspective with its kind and side, by the reader of a model if it has one, by the wording
   * alone if not or if model is 0, and fills a SplitInfo; 1 if it could, else 0.
   */
  query_split(model: number, text: number, textLength: number, split: number): number;
  /** Which side a perspective asks for: 1 to support, 2 to oppose, 0 neither. */
  query_stance(text: number, textLength: number): number;
  /** Chooses how to rank a query that names no method: fills an AutoChoice for an AutoRequest. */
  query_auto(request: number, choice: number): number;
  /**
   * Handle of a static encoder read from tokenizer.json, model.safetensors and config.json; takes ownership of the
   * weights buffer.
   */
  encoder_open(
    tokenizer: number,
    tokenizerLength: number,
    weights: number,
    weightsLength: number,
    config: number,
    configLength: number,
  ): number;
  /** Dimension of its vectors. */
  encoder_dim(encoder: number): number;
  /** Encodes a text into dim float32 and fills an EncodeInfo. */
  encoder_encode(encoder: number, text: number, textLength: number, vector: number, info: number): number;
  /** Frees an encoder. */
  encoder_close(encoder: number): number;
  /** Handle of a model whose pack.json this is; the files of its sections come next. */
  model_open(manifest: number, manifestLength: number): number;
  /**
   * Reads the next file of a section, whose hash the host has compared; a model can encode after the last files of its
   * vocabulary and trunk.
   */
  model_file(model: number, section: number, file: number, fileLength: number): number;
  /**
   * Encodes a text: writes its vector and that of the branch as float32, each unless its address is 0, and fills an
   * EncodeInfo; the pack says how many numbers they have.
   */
  model_encode(model: number, text: number, textLength: number, vector: number, branch: number, info: number): number;
  /**
   * Encodes a text's tokens into float32, as a document unless that is 0, else as a query, and fills an EncodeInfo;
   * returns how many tokens have vectors, of at most capacity numbers in all.
   */
  model_tokens(
    model: number,
    text: number,
    textLength: number,
    document: number,
    vectors: number,
    capacity: number,
    info: number,
  ): number;
  /** Frees a model. */
  model_close(model: number): number;
  /** Handle of an empty index with room declared for rows of a collection. */
  index_open(dim: number, rowType: number, rows: number): number;
  /** Rows loaded and added so far, removed ones not counted. */
  index_rows(index: number): number;
  /** Adds a vector file; returns its rows and takes ownership of the buffer. */
  index_load(index: number, firstRow: number, file: number, fileLength: number): number;
  /** Adds one vector at run time; returns its row. */
  index_add(index: number, vector: number): number;
  /**
   * Adds a file of angles, the second vectors of rows, the first of which is row firstRow's; takes ownership of the
   * buffer and returns the number of angles.
   */
  index_load_angles(index: number, firstRow: number, file: number, fileLength: number): number;
  /** Sets the angle of a row that was added at run time. */
  index_add_angle(index: number, row: number, angle: number, angleDim: number): number;
  /** Removes a row from every later answer; 1 if it was there, else 0. */
  index_remove(index: number, row: number): number;
  /** Sets float64 values of a column to filter by; NaN: missing. */
  index_numbers(index: number, column: number, firstRow: number, values: number, count: number): number;
  /** Sets u32 codes of a column to filter by; MissingCode: missing. */
  index_codes(index: number, column: number, firstRow: number, codes: number, count: number): number;
  /** Ranks; writes Hits and returns how many, or fails if they are more than the capacity. */
  index_search(index: number, request: number, hits: number, capacity: number): number;
  /** Writes the score of every row, in row order; -Infinity if a row is absent, removed or not allowed by the mask. */
  index_scores(index: number, request: number, scores: number, count: number): number;
  /**
   * Writes a byte for each row: 1 if its values meet every Filter, of which there must be at least one, even if its
   * vector is not loaded, else 0; returns the number of rows, and does nothing else if the capacity is 0.
   */
  index_mask(index: number, filters: number, filterCount: number, mask: number, capacity: number): number;
  /**
   * Writes a byte for each document: 1 if it has a row here that the mask allows (0: all rows), else 0; returns the
   * number of documents, which is that of rows.
   */
  index_documents(index: number, mask: number, maskLength: number, documents: number, capacity: number): number;
  /**
   * Explains Hits of any ranking, by their documents; sets the row of a Hit to MissingRow if its document has no row
   * here.
   */
  index_explain(index: number, request: number, hits: number, count: number): number;
  /**
   * Tells the sides of all rows that the mask allows towards the root of a SearchRequest with two angles, those of the
   * root asked for and against; fills a Sides and writes at most 3k SideHits, those for the root, then those on neither
   * side and those against it, each side best first; returns how many.
   */
  index_sides(
    index: number,
    request: number,
    calibration: number,
    sides: number,
    hits: number,
    capacity: number,
  ): number;
  /**
   * Writes a byte for each row: 1 if it is on the subject of a root, as index_sides takes it, and on this side, and the
   * request's mask allows it, else 0; returns the number of rows.
   */
  index_side(index: number, request: number, calibration: number, side: number, mask: number, capacity: number): number;
  /**
   * Tells the sides of SideHits by their documents; sets the row of a SideHit to MissingRow if its document has no row
   * or no angle here.
   */
  index_sides_of(index: number, request: number, calibration: number, hits: number, count: number): number;
  /**
   * Writes the row of a document as dim float32, and its angle as angleDim float32 unless that is 0; returns the
   * dimension of its angle, 0 if it has none here.
   */
  index_vector(index: number, document: number, vector: number, angle: number, angleDim: number): number;
  /** Frees an index and its rows. */
  index_close(index: number): number;
  /**
   * Judges the queries of a JudgeRequest: writes the rank of the first gold entry of each (u32, from 1; 0: none), and
   * for each k JudgeValues and the recall of each label.
   */
  metrics_judge(request: number, ranks: number, values: number): number;
  /**
   * Writes the shares of a PortionsRequest in float64: for each row the number of its queries that found something, the
   * number of documents that they found, and for each label the share of these queries that found it and its share of
   * these documents.
   */
  metrics_portions(request: number, values: number): number;
  /**
   * Handle of judgements in TREC's format, with subtopics if one of the measures needs them; the name is for errors.
   */
  qrels_open(
    file: number,
    fileLength: number,
    name: number,
    nameLength: number,
    measures: number,
    measuresLength: number,
  ): number;
  /** Frees judgements. */
  qrels_close(qrels: number): number;
  /** Handle of a run in TREC's format; the name is for errors. */
  run_open(file: number, fileLength: number, name: number, nameLength: number): number;
  /** Frees a run. */
  run_close(run: number): number;
  /** Evaluates the one run of an EvaluateRequest and fills an Evaluation. */
  run_evaluate(request: number, evaluation: number): number;
  /** Evaluates runs over the same queries and fills an Evaluation. */
  runs_compare(request: number, evaluation: number): number;
  /** Fills the MeanInterval of count float64. */
  significance_mean(values: number, count: number, rounds: number, result: number, seed: number): number;
  /** Tests two lists of count float64 against each other and fills a PairTest. */
  significance_pair(a: number, b: number, count: number, rounds: number, result: number, seed: number): number;
  /** Replaces count float64 probabilities by those after Holm's correction. */
  significance_holm(p: number, count: number): number;
  /** Adds one vector at run time as this row, which must be beyond all rows declared and added. */
  index_add_at(index: number, row: number, vector: number): number;
  /**
   * Writes the first-stage scores of the rows that the mask allows, in any order, and returns how many; 0 if the method
   * has no gate.
   */
  index_gate(index: number, request: number, scores: number, capacity: number): number;
  /**
   * Writes the float64 cut of a gated method from the scores that index_gate gave for all parts of a collection;
   * reorders them.
   */
  index_cut(index: number, request: number, scores: number, count: number, cut: number): number;
  /**
   * Sets the cosineRank of each Hit, of any part, to the number of this index's rows that the mask allows and the plain
   * cosine ranks before it; reads its row and cosine.
   */
  index_ahead(index: number, request: number, hits: number, count: number): number;
  /** Copies stored rows for index_diversify and returns the bytes of each; does nothing else if the count is 0. */
  index_records(index: number, rows: number, count: number, records: number, capacity: number): number;
  /**
   * Chooses among Hits of all parts, best first, by maximal marginal relevance of their records; moves those to the
   * front and returns how many.
   */
  index_diversify(
    index: number,
    request: number,
    hits: number,
    count: number,
    records: number,
    recordsLength: number,
  ): number;
  /**
   * Handle of an empty index of the vectors of tokens, whose residuals have this many bits, with the content of a file
   * of centroids and room for documents of a collection.
   */
  tokens_open(codebook: number, codebookLength: number, dim: number, bits: number, documents: number): number;
  /** Adds a file of token vectors; returns its documents and takes ownership of the buffer. */
  tokens_load(tokens: number, firstDocument: number, file: number, fileLength: number): number;
  /** Fills the vectors and the gate of a TokenSum and returns how many float32 the vectors are. */
  tokens_sum(sum: number): number;
  /**
   * Answers a TokenRequest by MaxSim over the documents loaded; writes at most k WordHits, best first, and returns how
   * many.
   */
  tokens_search(tokens: number, request: number, hits: number, capacity: number): number;
  /** Sets the score of each WordHit to MaxSim with a query of this many float32. */
  tokens_score(tokens: number, vectors: number, length: number, hits: number, count: number): number;
  /** Frees an index of token vectors. */
  tokens_close(tokens: number): number;
  /** Handle of an index of words with the documents of a lengths file, or of an empty one if its address is 0. */
  words_open(lengths: number, lengthsLength: number): number;
  /** Documents that have numbers in it, removed ones included. */
  words_documents(words: number): number;
  /**
   * Fills a TextRef, valid until the next call, with the distinct words of a text in the form of an index of words,
   * separated by line feeds; returns how many.
   */
  words_terms(text: number, textLength: number, terms: number): number;
  /** Adds a term file; takes ownership of the buffer. */
  words_load(words: number, file: number, fileLength: number): number;
  /** Adds a document at run time; returns its number. */
  words_add(words: number, text: number, textLength: number): number;
  /** Removes a document from every later answer; 1 if it was there, else 0. */
  words_remove(words: number, document: number): number;
  /**
   * Ranks by BM25; writes at most k WordHits and returns how many. keep, unless 0: a byte for each document, 0 if it
   * may not be a hit.
   */
  words_search(
    words: number,
    text: number,
    textLength: number,
    k: number,
    keep: number,
    keepLength: number,
    hits: number,
    capacity: number,
  ): number;
  /**
   * Fuses WordHits of a ranking by vectors with those of a ranking by words; the words have the weight given, the
   * vectors the rest; writes all hits and returns how many.
   */
  words_fuse(
    fusion: number,
    fusionLength: number,
    weight: number,
    vectors: number,
    vectorCount: number,
    words: number,
    wordCount: number,
    hits: number,
    capacity: number,
  ): number;
  /** Frees an index of words. */
  words_close(words: number): number;
}

/** Exports of the core and their number of parameters. */
export const FUNCTIONS: { readonly [name in Exclude<keyof CoreExports, "mem">]: number };

// Generated from internal/wasm/abi by `make generate`; do not edit.

/** Version of the ABI. */
export const VERSION = 3;
/** No such handle, or no such section of a pack. */
export const CODE_HANDLE = -2;
/** An address or length outside any allocated buffer. */
export const CODE_ADDRESS = -3;
/** The pieces of a pack's tokenizer. */
export const SECTION_VOCABULARY = 0;
/** A pack's tensors for vectors. */
export const SECTION_TRUNK = 1;
/** A pack's tensors for the vectors of the branch. */
export const SECTION_BRANCH = 2;
/** A pack's tensors for the reader of queries. */
export const SECTION_READER = 3;
/** float32 rows. */
export const ROWS_F32 = 0;
/** int8 rows with a scale each. */
export const ROWS_I8 = 1;
/** The query has a root. */
export const AUTO_ROOT = 1;
/** The root has a text. */
export const AUTO_ROOT_TEXT = 2;
/** The query has a text. */
export const AUTO_TEXT = 4;
/** A strength of the projection is asked for. */
export const AUTO_LAMBDA = 16;
/** Passages have angles, and the encoder gives texts theirs. */
export const AUTO_ANGLES = 32;
/** The encoder has wordings of for and against. */
export const AUTO_SIDES = 64;
/** The ranking may be fused with BM25. */
export const AUTO_WORDS = 128;
/** The query was read: behind its perspective, perspectives has the kind of it. */
export const AUTO_READ = 256;
/** Vectors are compared by their cosine. */
export const SCORE_COSINE = 0;
/** Vectors are compared by their dot product. */
export const SCORE_DOT = 1;
/** Fill the explanation of each hit except its cosine rank. */
export const FLAG_EXPLAIN = 1;
/** Also rank explained hits by the plain cosine. */
export const FLAG_COSINE_RANK = 2;
/** The row of a hit whose document has none in the index. */
export const MISSING_ROW = 4294967295;
/** A row without a value in a column of codes. */
export const MISSING_CODE = 4294967295;
/** low <= value <= high. */
export const FILTER_RANGE = 0;
/** The code is one of a set. */
export const FILTER_CODES = 1;
/** The value is one of a set of numbers. */
export const FILTER_EQUAL = 2;
/** On neither side of the root. */
export const SIDE_NEITHER = 0;
/** For the root. */
export const SIDE_FOR = 1;
/** Against the root. */
export const SIDE_AGAINST = 2;
/** Average over all judged queries. */
export const EVALUATE_COMPLETE = 1;
/** Drop documents without a judgement first. */
export const EVALUATE_JUDGED_ONLY = 2;
/** There is a value for each query. */
export const VALUE_PER_QUERY = 1;
/** The value has an average, or a total. */
export const VALUE_AVERAGED = 2;
/** The value is a text. */
export const VALUE_TEXT = 4;

/** Byte offsets of the fields of TextRef. */
export const TextRef = Object.freeze({
  size: 8,
  pointer: 0, // uint32
  length: 4, // uint32
});

/** Byte offsets of the fields of SplitInfo. */
export const SplitInfo = Object.freeze({
  size: 32,
  root: 0, // uint32
  rootLength: 4, // uint32
  perspective: 8, // uint32
  perspectiveLength: 12, // uint32
  kind: 16, // uint32
  kindLength: 20, // uint32
  side: 24, // uint32
  both: 28, // uint32
});

/** Byte offsets of the fields of AutoRequest. */
export const AutoRequest = Object.freeze({
  size: 20,
  perspectives: 0, // uint32
  perspectiveCount: 4, // uint32
  table: 8, // uint32
  tableCount: 12, // uint32
  flags: 16, // uint32
});

/** Byte offsets of the fields of AutoChoice. */
export const AutoChoice = Object.freeze({
  size: 40,
  kind: 0, // uint32
  kindLength: 4, // uint32
  method: 8, // uint32
  methodLength: 12, // uint32
  lambda: 16, // float64
  strength: 24, // float64
  weight: 32, // float64
});

/** Byte offsets of the fields of EncodeInfo. */
export const EncodeInfo = Object.freeze({
  size: 12,
  tokens: 0, // uint32
  unknown: 4, // uint32
  truncated: 8, // uint32
});

/** Byte offsets of the fields of SearchRequest. */
export const SearchRequest = Object.freeze({
  size: 88,
  method: 0, // uint32
  methodLength: 4, // uint32
  query: 8, // uint32
  root: 12, // uint32
  perspectives: 16, // uint32
  perspectiveCount: 20, // uint32
  k: 24, // uint32
  flags: 28, // uint32
  mmrCandidates: 32, // uint32
  mask: 36, // uint32
  maskLength: 40, // uint32
  cut: 44, // uint32
  angles: 48, // uint32
  angleCount: 52, // uint32
  angleDim: 56, // uint32
  score: 60, // uint32
  lambda: 64, // float64
  strength: 72, // float64
  mmr: 80, // float64
});

/** Byte offsets of the fields of Filter. */
export const Filter = Object.freeze({
  size: 32,
  column: 0, // uint32
  kind: 4, // uint32
  set: 8, // uint32
  setLength: 12, // uint32
  low: 16, // float64
  high: 24, // float64
});

/** Byte offsets of the fields of Hit. */
export const Hit = Object.freeze({
  size: 48,
  row: 0, // uint32
  document: 4, // uint32
  score: 8, // float32
  x: 12, // float32
  y: 16, // float32
  norm: 20, // float32
  numerator: 24, // float32
  denominator: 28, // float32
  cosine: 32, // float32
  cosineRank: 36, // uint32
  topic: 40, // float32
  side: 44, // float32
});

/** Byte offsets of the fields of Calibration. */
export const Calibration = Object.freeze({
  size: 32,
  twoWidth: 0, // float64
  width: 8, // float64
  level: 16, // float64
  subject: 24, // float64
});

/** Byte offsets of the fields of Sides. */
export const Sides = Object.freeze({
  size: 24,
  for: 0, // uint32
  neither: 4, // uint32
  against: 8, // uint32
  forHits: 12, // uint32
  neitherHits: 16, // uint32
  againstHits: 20, // uint32
});

/** Byte offsets of the fields of SideHit. */
export const SideHit = Object.freeze({
  size: 40,
  row: 0, // uint32
  document: 4, // uint32
  score: 8, // float32
  cosine: 12, // float32
  slant: 16, // float32
  for: 20, // float32
  neither: 24, // float32
  against: 28, // float32
  side: 32, // uint32
  onSubject: 36, // uint32
});

/** Byte offsets of the fields of JudgeRequest. */
export const JudgeRequest = Object.freeze({
  size: 44,
  queries: 0, // uint32
  rankings: 4, // uint32
  rankingEnds: 8, // uint32
  gold: 12, // uint32
  goldEnds: 16, // uint32
  roots: 20, // uint32
  perspectives: 24, // uint32
  labels: 28, // uint32
  labelCount: 32, // uint32
  ks: 36, // uint32
  kCount: 40, // uint32
});

/** Byte offsets of the fields of JudgeValues. */
export const JudgeValues = Object.freeze({
  size: 40,
  recall: 0, // float64
  macroRecall: 8, // float64
  pRecall: 16, // float64
  pRecallNotebook: 24, // float64
  pRecallByUniquePerspective: 32, // float64
});

/** Byte offsets of the fields of PortionsRequest. */
export const PortionsRequest = Object.freeze({
  size: 24,
  queries: 0, // uint32
  found: 4, // uint32
  foundEnds: 8, // uint32
  rows: 12, // uint32
  rowCount: 16, // uint32
  labelCount: 20, // uint32
});

/** Byte offsets of the fields of EvaluateRequest. */
export const EvaluateRequest = Object.freeze({
  size: 36,
  qrels: 0, // uint32
  runs: 4, // uint32
  runCount: 8, // uint32
  measures: 12, // uint32
  measuresLength: 16, // uint32
  level: 20, // uint32
  flags: 24, // uint32
  maxRetrieved: 28, // uint32
  collection: 32, // uint32
});

/** Byte offsets of the fields of Evaluation. */
export const Evaluation = Object.freeze({
  size: 60,
  names: 0, // uint32
  namesLength: 4, // uint32
  nameCount: 8, // uint32
  kinds: 12, // uint32
  queries: 16, // uint32
  queriesLength: 20, // uint32
  queryCount: 24, // uint32
  values: 28, // uint32
  averages: 32, // uint32
  count: 36, // uint32
  runID: 40, // uint32
  runIDLength: 44, // uint32
  texts: 48, // uint32
  textsLength: 52, // uint32
  missing: 56, // uint32
});

/** Byte offsets of the fields of MeanInterval. */
export const MeanInterval = Object.freeze({
  size: 24,
  mean: 0, // float64
  low: 8, // float64
  high: 16, // float64
});

/** Byte offsets of the fields of PairTest. */
export const PairTest = Object.freeze({
  size: 56,
  difference: 0, // float64
  low: 8, // float64
  high: 16, // float64
  t: 24, // float64
  ptTest: 32, // float64
  randomization: 40, // float64
  better: 48, // uint32
  worse: 52, // uint32
});

/** Byte offsets of the fields of TokenSum. */
export const TokenSum = Object.freeze({
  size: 48,
  method: 0, // uint32
  methodLength: 4, // uint32
  dim: 8, // uint32
  query: 12, // uint32
  queryLength: 16, // uint32
  root: 20, // uint32
  rootLength: 24, // uint32
  perspectives: 28, // uint32
  perspectiveLengths: 32, // uint32
  perspectiveCount: 36, // uint32
  vectors: 40, // uint32
  gate: 44, // uint32
});

/** Byte offsets of the fields of TokenRequest. */
export const TokenRequest = Object.freeze({
  size: 32,
  vectors: 0, // uint32
  length: 4, // uint32
  gate: 8, // uint32
  k: 12, // uint32
  probes: 16, // uint32
  candidates: 20, // uint32
  allowed: 24, // uint32
  allowedLength: 28, // uint32
});

/** Byte offsets of the fields of WordHit. */
export const WordHit = Object.freeze({
  size: 16,
  score: 0, // float64
  document: 8, // uint32
  reserved: 12, // uint32
});

/** Exports of the core and their number of parameters. */
export const FUNCTIONS = Object.freeze({
  abi_version: 0,
  sequence: 0,
  error_text: 0,
  allocate: 1,
  release: 1,
  memory_in_use: 0,
  query_split: 4,
  query_stance: 2,
  query_auto: 2,
  encoder_open: 6,
  encoder_dim: 1,
  encoder_encode: 5,
  encoder_close: 1,
  model_open: 2,
  model_file: 4,
  model_encode: 6,
  model_tokens: 7,
  model_close: 1,
  index_open: 3,
  index_rows: 1,
  index_load: 4,
  index_add: 2,
  index_load_angles: 4,
  index_add_angle: 4,
  index_remove: 2,
  index_numbers: 5,
  index_codes: 5,
  index_search: 4,
  index_scores: 4,
  index_mask: 5,
  index_documents: 5,
  index_explain: 4,
  index_sides: 6,
  index_side: 6,
  index_sides_of: 5,
  index_vector: 5,
  index_close: 1,
  metrics_judge: 3,
  metrics_portions: 2,
  qrels_open: 6,
  qrels_close: 1,
  run_open: 4,
  run_close: 1,
  run_evaluate: 2,
  runs_compare: 2,
  significance_mean: 5,
  significance_pair: 6,
  significance_holm: 2,
  index_add_at: 3,
  index_gate: 4,
  index_cut: 5,
  index_ahead: 4,
  index_records: 5,
  index_diversify: 6,
  tokens_open: 5,
  tokens_load: 4,
  tokens_sum: 1,
  tokens_search: 4,
  tokens_score: 5,
  tokens_close: 1,
  words_open: 2,
  words_documents: 1,
  words_terms: 3,
  words_load: 3,
  words_add: 3,
  words_remove: 2,
  words_search: 8,
  words_fuse: 9,
  words_close: 1,
});

// Generated from internal/javascript by `make generate`; do not edit.

/** Bytes that any compressed file may unpack to. */
export const UNPACK_FREE = 16777216;
/** Beyond UNPACK_FREE, how many times its compressed length a file may unpack to. */
export const UNPACK_RATIO = 100;
/** Greatest nesting depth of objects and arrays in a JSON text. */
export const JSON_DEPTH = 64;
/** Most values of a JSON text: objects, arrays, strings, numbers, true, false and null; keys do not count. */
export const JSON_VALUES = 1000000;
/** Name of a collection's manifest. */
export const MANIFEST_NAME = 'manifest.json';
/** Value of the manifest's field `format`. */
export const MANIFEST_FORMAT = 'vantage-collection';
/** Version of the collection format. */
export const MANIFEST_VERSION = 1;
/** Most bytes of the manifest itself. */
export const MAX_MANIFEST_BYTES = 67108864;
/** Most bytes of any file, uncompressed or stored. */
export const MAX_FILE_BYTES = 1073741824;
/** Most rows of a collection. */
export const MAX_ROWS = 2147483647;
/** Most components of a vector. */
export const MAX_DIM = 65536;
/** Most centroids of token vectors. */
export const MAX_CENTROIDS = 65536;
/** Most documents of one block. */
export const MAX_BLOCK = 65536;
/** Most lines of a collection's table for auto. */
export const MAX_AUTO_LINES = 64;
/** Most bytes of such a line. */
export const MAX_AUTO_LINE = 256;
/** Most canaries. */
export const MAX_CANARIES = 64;
/** Most fields to filter by. */
export const MAX_FIELDS = 1024;
/** Most distinct values of a string field. */
export const MAX_DICTIONARY = 65536;
/** Most term files. */
export const MAX_TERM_FILES = 65536;
/** Most bytes of a term. */
export const MAX_TERM_BYTES = 128;
/** Most bytes of a file's path. */
export const MAX_PATH_BYTES = 255;
/** Most bytes of a name. */
export const MAX_NAME_BYTES = 4096;
/** Most bytes of a canary's text. */
export const MAX_CANARY_BYTES = 8192;
/** Most payload files of a pack. */
export const MAX_PACK_FILES = 4096;
/** Most bytes of a payload file of a pack. */
export const MAX_PACK_FILE = 1000000;
/** Most bytes of a pack.json. */
export const MAX_PACK_MANIFEST = 4194304;
/** Bytes that the files of any collection may take in memory together. */
export const MEMORY_FREE = 67108864;
/** Beyond MEMORY_FREE, how many times their stored size. */
export const MEMORY_RATIO = 32;
/** Bytes of memory for each byte of a tokenizer. */
export const TOKENIZER_MEMORY = 4;
/** Bytes of memory for each byte of a pack. */
export const PACK_MEMORY = 4;
/** Bytes of memory for each byte of the centroids of token vectors. */
export const CODEBOOK_MEMORY = 4;
/** Bytes of memory for each token vector, beside those of its file. */
export const TOKEN_MEMORY = 8;
/** Bytes of memory for each byte of columns. */
export const COLUMNS_MEMORY = 4;
/** Bytes of memory for each byte of documents' lengths. */
export const LENGTHS_MEMORY = 12;
/** Bytes of memory for each byte of term files. */
export const TERMS_MEMORY = 12;
/** Most bytes of a safetensors file's header. */
export const MAX_HEADER_BYTES = 16777216;
/** Most fields that are taken from documents; a manifest may have more. */
export const MAX_COLUMNS = 256;
/** The default ranking; an encoder's `texts` may have a table of its own for it under this name. */
export const AUTO = 'auto';
/** How AUTO fuses with words. */
export const AUTO_FUSION = 'min-max';
/** Number of hits, unless a query sets it. */
export const DEFAULT_K = 10;
/** Strength of the projection, unless a query sets it. */
export const DEFAULT_LAMBDA = 1;
/** Weight of the words in a fusion, unless a query sets it. */
export const DEFAULT_WEIGHT = 0.5;
/** Fusion, unless a query sets it. */
export const DEFAULT_FUSION = 'rrf';
/** How many of the best of each ranking are fused, unless more are wanted. */
export const FUSION_DEPTH = 100;
/** How far below the level a hit's cosine may lie if it shares words, so that the hit still counts as close. */
export const CLOSE_MARGIN = 0.05;
/** Least number of letters of a word that says something about a subject. */
export const LONG_WORD = 5;
/** Least number of different long words in common at which a document and a text are said to share words. */
export const SHARED_WORDS = 2;
/** Rows among which MMR chooses, unless more are wanted. */
export const MMR_CANDIDATES = 100;
/** Most documents that are encoded again for a query. */
export const MAX_RESCORE = 256;
/** Score of documents that a gate sank, by dot product and by MaxSim, before it is rounded to float32. */
export const SUNK_DOT = -1e+38;
/** Most private contexts of a query. */
export const MAX_CONTEXTS = 64;
/** Weight of the query beside its contexts, unless it sets one. */
export const DEFAULT_CONTEXT_LAMBDA = 0.6;
/** The same by MaxSim. */
export const DEFAULT_CONTEXT_LAMBDA_MAXSIM = 0.55;
/** Constants of the probabilities of sides, unless the encoder's tables have others. */
export const CALIBRATION = /* @__PURE__ */ Object.freeze({
  twoWidth: 0.255,
  width: 0.175,
  level: 0.14,
  subject: 0.4,
});
/** Words by which a root is taken for a claim. */
export const CLAIM_VERBS =
  'am is are was were do does did has have had can cannot could may might must shall should will would ought need ' +
  'needs deserve deserves make makes get gets give gives say says show shows cause causes kill kills help helps lead ' +
  'leads require requires threaten threatens undermine undermines ruin ruins contribute contributes destroy destroys ' +
  "improve improves reduce reduces abolish introduce encourage allow legalise legalize provide remove keep let let's";
/** Most words of a root that is taken for a phrase, not a claim. */
export const PHRASE_WORDS = 8;
/** Strength of the angles on the other side of a root, unless a query sets it. */
export const OTHER_SIDE_STRENGTH = 0.8;
/** The same without a root. */
export const FAR_STRENGTH = 0.5;
/** Greatest strength of projections. */
export const MAX_LAMBDA = 10;
/** Greatest strength of angles. */
export const MAX_STRENGTH = 10;
/** Least cosine of a canary's vector with the one that an encoder gives. */
export const CANARY_COSINE = 0.9999;
/** The same for a model with weights of 8 bits, whose vectors differ between processors. */
export const CANARY_COSINE_INT8 = 0.99;
/** The WebSocket subprotocol of an encode server. */
export const PROTOCOL = 'vantage.v1';
/** Prefix of the additional subprotocol that carries a key. */
export const KEY_PROTOCOL = 'vantage.key.';
/** Version of the frames. */
export const WIRE_VERSION = 1;
/** Offset of the body of a frame. */
export const WIRE_HEADER = 16;
/** The index of a fault that ends a request. */
export const WHOLE_REQUEST = 4294967295;
/** Types of frames. */
export const FRAME = /* @__PURE__ */ Object.freeze({
  hello: 1,
  encode: 2,
  cancel: 3,
  resume: 4,
  ack: 5,
  ping: 6,
  welcome: 129,
  vector: 130,
  fault: 131,
  done: 132,
  pong: 134,
  goodbye: 135,
});
/** Roles of texts. */
export const ROLE = /* @__PURE__ */ Object.freeze({
  none: 0,
  query: 1,
  document: 2,
  root: 3,
  perspective: 4,
});
/** Types of a vector's components. */
export const DTYPE = /* @__PURE__ */ Object.freeze({
  f32: 1,
  f16: 2,
  int8: 3,
});
/** Codes of faults. */
export const CODE = /* @__PURE__ */ Object.freeze({
  protocol: 1,
  too_large: 2,
  bad_request: 3,
  invalid_text: 4,
  overloaded: 5,
  rate_limited: 6,
  deadline: 7,
  unknown_request: 8,
  internal: 9,
  shutting_down: 10,
});
/** The kind of fault that each code stands for. */
export const CODE_KIND = /* @__PURE__ */ Object.freeze({
  protocol: 'internal',
  too_large: 'limit',
  bad_request: 'query',
  invalid_text: 'query',
  overloaded: 'unavailable',
  rate_limited: 'unavailable',
  deadline: 'unavailable',
  unknown_request: 'unavailable',
  internal: 'internal',
  shutting_down: 'unavailable',
});
/** The code that a call of the core returns for each kind of fault. */
export const KIND_CODE = /* @__PURE__ */ Object.freeze({
  input: -4,
  query: -5,
  limit: -6,
  integrity: -8,
  version: -9,
  unsupported: -7,
  unavailable: -10,
  internal: -1,
});
/** How vectors of whole texts may be compared, the default first. */
export const SCORES = ['cosine', 'dot'];
/** How vectors of tokens are compared. */
export const MAXSIM = 'maxsim';
/** The method that ranks by words alone. Searches accept it in addition to METHODS. */
export const WORDS = 'bm25';

/**
 * Every scoring method, in the order of the command's list.
 * @type {readonly import('../lib/index.d.ts').Method[]}
 */
export const METHODS = /* @__PURE__ */ Object.freeze([
  {
    name: 'query_cosine',
    aliases: ['none', 'cosine'],
    summary: 'Plain cosine of the whole query; the perspective counts only as far as the query names it.',
    formula: 'cos(q, c)',
    needs: [],
    lambda: false,
    angles: 0,
    strength: 0,
    sums: true,
  },
  {
    name: 'source_cosine',
    aliases: ['root'],
    summary: 'Plain cosine of the root query, without any perspective.',
    formula: 'cos(r, c)',
    needs: ['root'],
    lambda: false,
    angles: 0,
    strength: 0,
    sums: true,
  },
  {
    name: 'vec_add',
    aliases: ['add'],
    summary: 'Sum of root and perspective.',
    formula: 'cos(r + p, c)',
    needs: ['root', 'perspective'],
    lambda: false,
    angles: 0,
    strength: 0,
    sums: false,
  },
  {
    name: 'add+',
    aliases: ['add-plus'],
    summary:
      "Sum of root and perspective, the perspective added to every entry too (the paper's Table 8 as we read it).",
    formula: 'cos(r + p, c + p)',
    needs: ['root', 'perspective'],
    lambda: false,
    angles: 0,
    strength: 0,
    sums: false,
  },
  {
    name: 'vec_concat',
    aliases: ['concat', 'vec_dual_concat'],
    summary: 'Root and perspective side by side; the entry is compared with the root, and the perspective with itself.',
    formula: 'cos([r; p], [c; p])',
    needs: ['root', 'perspective'],
    lambda: false,
    angles: 0,
    strength: 0,
    sums: false,
  },
  {
    name: 'vec_aug_add',
    aliases: ['aug-add'],
    summary: 'Sum of the whole query and the perspective.',
    formula: 'cos(q + p, c)',
    needs: ['perspective'],
    lambda: false,
    angles: 0,
    strength: 0,
    sums: false,
  },
  {
    name: 'vec_aug_concat',
    aliases: ['aug-concat'],
    summary: 'Whole query and perspective side by side.',
    formula: 'cos([q; p], [c; p])',
    needs: ['perspective'],
    lambda: false,
    angles: 0,
    strength: 0,
    sums: false,
  },
  {
    name: 'vec_cast_single',
    aliases: ['root-cast'],
    summary: 'Root minus perspective.',
    formula: 'cos(r - p, c)',
    needs: ['root', 'perspective'],
    lambda: false,
    angles: 0,
    strength: 0,
    sums: false,
  },
  {
    name: 'vec_cast',
    aliases: ['root-cast+', 'root-cast-plus'],
    summary: 'Root minus perspective, the perspective subtracted from every entry too.',
    formula: 'cos(r - p, c - p)',
    needs: ['root', 'perspective'],
    lambda: false,
    angles: 0,
    strength: 0,
    sums: false,
  },
  {
    name: 'vec_aug_cast_single',
    aliases: ['cast'],
    summary: 'Whole query minus perspective.',
    formula: 'cos(q - p, c)',
    needs: ['perspective'],
    lambda: false,
    angles: 0,
    strength: 0,
    sums: false,
  },
  {
    name: 'vec_aug_cast',
    aliases: ['cast+', 'cast-plus'],
    summary: 'Whole query minus perspective, the perspective subtracted from every entry too.',
    formula: 'cos(q - p, c - p)',
    needs: ['perspective'],
    lambda: false,
    angles: 0,
    strength: 0,
    sums: false,
  },
  {
    name: 'additive',
    aliases: ['dual-sum'],
    summary: "Sum of two scores, the root's and the perspective's.",
    formula: 'cos(r, c) + cos(p, c)',
    needs: ['root', 'perspective'],
    lambda: false,
    angles: 0,
    strength: 0,
    sums: true,
  },
  {
    name: 'additive_aug',
    aliases: ['aug-dual-sum'],
    summary: "Sum of two scores, the whole query's and the perspective's.",
    formula: 'cos(q, c) + cos(p, c)',
    needs: ['perspective'],
    lambda: false,
    angles: 0,
    strength: 0,
    sums: true,
  },
  {
    name: 'additive_tripple',
    aliases: ['tri-sum', 'additive_triple'],
    summary: "Sum of three scores, the root's, the whole query's and the perspective's.",
    formula: 'cos(r, c) + cos(q, c) + cos(p, c)',
    needs: ['root', 'perspective'],
    lambda: false,
    angles: 0,
    strength: 0,
    sums: true,
  },
  {
    name: 'vec_projection',
    aliases: ['pap'],
    summary: 'Perspective-aware projection: what the perspective says is taken out of the query.',
    formula: 'cos(q_λ, c), q_λ = q - λ (q·p / p·p) p',
    needs: ['perspective'],
    lambda: true,
    angles: 0,
    strength: 0,
    sums: false,
  },
  {
    name: 'vec_dual_projection',
    aliases: ['pap+', 'pap-plus'],
    summary: 'Perspective-aware projection of the query and of every entry.',
    formula: 'cos(q_λ, c_λ), v_λ = v - λ (v·p / p·p) p',
    needs: ['perspective'],
    lambda: true,
    angles: 0,
    strength: 0,
    sums: false,
  },
  {
    name: 'vec_projection_rev',
    aliases: ['pap-rev'],
    summary: 'The reverse of pap: what the perspective says counts double in the query (pap with λ = -1).',
    formula: 'cos(q + (q·p / p·p) p, c)',
    needs: ['perspective'],
    lambda: false,
    angles: 0,
    strength: 0,
    sums: false,
  },
  {
    name: 'vec_dual_projection_rev',
    aliases: ['pap+-rev', 'pap-plus-rev'],
    summary: 'The reverse of pap+: what the perspective says counts double in query and entries (pap+ with λ = -1).',
    formula: 'cos(q + (q·p / p·p) p, c + (c·p / p·p) p)',
    needs: ['perspective'],
    lambda: false,
    angles: 0,
    strength: 0,
    sums: false,
  },
  {
    name: 're-ranking',
    aliases: ['rerank'],
    summary: 'The fifth of the corpus nearest to the root, in the order of root plus perspective score.',
    formula: 'cos(r, c) + cos(p, c) where cos(r, c) >= its 80th percentile, else -100',
    needs: ['root', 'perspective'],
    lambda: false,
    angles: 0,
    strength: 0,
    sums: true,
  },
  {
    name: 're-ranking_aug',
    aliases: ['rerank-aug'],
    summary: 'The fifth of the corpus nearest to the whole query, in the order of query plus perspective score.',
    formula: 'cos(q, c) + cos(p, c) where cos(q, c) >= its 80th percentile, else -100',
    needs: ['perspective'],
    lambda: false,
    angles: 0,
    strength: 0,
    sums: true,
  },
  {
    name: 'contrast',
    aliases: [],
    summary:
      "Root score plus slant: how much more an entry's angle is like the side asked for than like the opposite one.",
    formula: 'cos(r, c) + β min(slant, 0.3)',
    needs: ['root'],
    lambda: false,
    angles: 2,
    strength: 0.4,
    sums: false,
  },
  {
    name: 'aspect',
    aliases: [],
    summary: "Query score, plus how much an entry's angle is like that of the query.",
    formula: 'cos(q, c) + γ cos(q_angle, c_angle)',
    needs: [],
    lambda: false,
    angles: 1,
    strength: 0.25,
    sums: false,
  },
]);

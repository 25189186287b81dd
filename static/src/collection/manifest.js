// Reads and checks manifest.json, the only file of a collection with a fixed name. It
// refuses what internal/collection/manifest refuses, so that later steps can rely on its
// numbers, paths and hashes.

import { measure, most } from './bounds.js';
import {
  CODEBOOK_MEMORY,
  COLUMNS_MEMORY,
  LENGTHS_MEMORY,
  MANIFEST_FORMAT,
  MANIFEST_NAME,
  MANIFEST_VERSION,
  MAX_AUTO_LINE,
  MAX_AUTO_LINES,
  MAX_BLOCK,
  MAX_CANARIES,
  MAX_CANARY_BYTES,
  MAX_CENTROIDS,
  MAX_DICTIONARY,
  MAX_DIM,
  MAX_FIELDS,
  MAX_FILE_BYTES,
  MAX_NAME_BYTES,
  MAX_PACK_FILE,
  MAX_PACK_FILES,
  MAX_PACK_MANIFEST,
  MAX_PATH_BYTES,
  MAX_ROWS,
  MAX_TERM_BYTES,
  MAX_TERM_FILES,
  MAXSIM,
  MEMORY_FREE,
  MEMORY_RATIO,
  PACK_MEMORY,
  SCORES,
  TERMS_MEMORY,
  TOKEN_MEMORY,
  TOKENIZER_MEMORY,
  UNPACK_FREE,
  UNPACK_RATIO,
} from '../constants.js';
import { FormatError, VersionError } from '../errors.js';
import { messageOf } from '../thrown.js';

/** @type {{[dtype: string]: number}} */
const ELEMENT_BYTES = { I8: 1, F16: 2, F32: 4 };

/**
 * @typedef {object} Manifest in the field names of the file
 * @property {string} [name]
 * @property {string} [generator]
 * @property {number} documents
 * @property {number} rows
 * @property {number} dim
 * @property {CollectionInfo['dtype']} dtype
 * @property {CollectionInfo['score']} [score]
 * @property {Model} model
 * @property {Canary[]} canaries
 * @property {Model|null} [query_model]
 * @property {Canary[]} [query_canaries]
 * @property {number} [close] cosine of query and document from which a hit is close; 0: not measured
 * @property {{table: string[], chosen_on: number, measured_on: number, before: number, after: number}|null} [auto] the
 *   default ranking that judged queries chose
 * @property {CarriedEncoder|null} [encoder]
 * @property {Shard[]} vectors
 * @property {{dim: number, dtype: CollectionInfo['dtype'], files: Shard[]}|null} [angles] of the rows, by the
 *   encoder's branch
 * @property {TokenFiles|null} [tokens] vectors of the documents' tokens, if and only if the score is "maxsim"
 * @property {Block[]} docs
 * @property {{file: StoredFile, fields: (CollectionInfo['fields'][number] & {tensor: string})[]}|null} [columns]
 * @property {{lengths: StoredFile, files: TermFile[]}|null} [terms]
 */

/**
 * @import { CollectionInfo } from '../../lib/index.d.ts'
 * @import { EncoderFiles } from '../engine/files.js'
 * @typedef {CollectionInfo['model']} Model
 * @typedef {{text: string, vector: number[]}} Canary
 * @typedef {{path: string, sha256: string, bytes: number, stored: number}} StoredFile
 * @typedef {{pack: StoredFile, files: StoredFile[]}} PackFiles its pack.json, and the files of its sections:
 *   vocabulary, trunk, branch
 * @typedef {EncoderFiles<StoredFile>|PackFiles} CarriedEncoder a static encoder, or a pack
 * @typedef {StoredFile & {first_row: number, rows: number}} Shard of the vectors
 * @typedef {StoredFile & {first: number, count: number}} Block of documents
 * @typedef {{bits: number, centroids: number, codebook: StoredFile, files: TokenFile[]}} TokenFiles
 * @typedef {Block & {vectors: number}} TokenFile with how many vectors its documents have
 * @typedef {StoredFile & {first: string, last: string}} TermFile
 * @typedef {Map<string, StoredFile>} Files by path
 * @typedef {any} Unchecked any: what is read here may be of any shape until it is checked
 */

/**
 * Whether a collection's encoder is a pack.
 * @param {CarriedEncoder} encoder
 * @returns {encoder is PackFiles}
 */
export function isPack(encoder) {
  return 'pack' in encoder && !isBlank(encoder.pack);
}

/**
 * @param {Uint8Array} bytes
 * @returns {Manifest}
 */
export function parseManifest(bytes) {
  /** @type {Unchecked} */
  let m;
  try {
    const source = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const { problem } = measure(source);
    if (problem) throw new Error(problem);
    m = JSON.parse(source);
  } catch (cause) {
    throw invalid('manifest', `not JSON (${messageOf(cause)})`);
  }
  if (!isObject(m) || m.format !== MANIFEST_FORMAT) {
    throw new FormatError(
      `not a Vantage collection: manifest.json lacks "format": "${MANIFEST_FORMAT}": make a collection with ` +
        `\`vantage index CORPUS -o DIR\` and give the folder's URL`,
    );
  }
  if (Number.isInteger(m.version) && m.version > MANIFEST_VERSION) {
    throw new VersionError(
      `the collection has format version ${m.version}, this library reads versions up to ${MANIFEST_VERSION}: ` +
        `upgrade the library`,
    );
  }
  count('version', m.version, 1, MANIFEST_VERSION);
  count('documents', m.documents, 0, MAX_ROWS);
  if (m.rows !== m.documents) throw invalid('rows', `${m.rows} rows for ${m.documents} documents, must be equal`);
  count('dim', m.dim, 1, MAX_DIM);
  if (!Object.hasOwn(ELEMENT_BYTES, m.dtype)) throw invalid('dtype', `${show(m.dtype)}, must be "I8", "F16" or "F32"`);
  if (m.score != null && m.score !== '' && ![...SCORES, MAXSIM].includes(m.score)) {
    throw invalid(
      'score',
      `${show(m.score)}, must be "cosine", "dot" or "maxsim": upgrade the library if the collection is newer`,
    );
  }
  text('generator', m.generator ?? '', 0);
  text('name', m.name ?? '', 0);
  m.close ??= 0;
  if (typeof m.close !== 'number' || !(m.close >= 0 && m.close <= 1)) {
    throw invalid('close', `${show(m.close)}, must be a number between 0 and 1`);
  }
  if (m.auto != null) checkAuto(m.auto);
  checkModel(m, 'model');
  checkCanaries(m, 'canaries');
  if (m.query_model != null) checkModel(m, 'query_model');
  checkCanaries(m, 'query_canaries');
  if (m.query_model == null ? m.query_canaries.length > 0 : m.encoder != null) {
    throw invalid('query_model', 'missing, or beside an encoder');
  }
  /** @type {Files} */
  const files = new Map();
  checkEncoder(m, files);
  m.vectors ??= [];
  checkRows('vectors', m.vectors, m.dim, m, files);
  if (m.angles != null) checkAngles(m, files);
  checkTokens(m, files);
  checkDocs(m, files);
  if (m.columns != null) checkColumns(m, files);
  if (m.terms != null) checkTerms(m, files);
  checkMemory(m, files);
  return m;
}

/**
 * The engine checks the words of the lines.
 * @param {Unchecked} auto
 */
function checkAuto(auto) {
  object('auto', auto);
  auto.table ??= [];
  list('auto.table', auto.table, MAX_AUTO_LINES);
  if (auto.table.length === 0) throw invalid('auto.table', 'no lines');
  auto.table.forEach((/** @type {Unchecked} */ line, /** @type {number} */ i) =>
    text(`auto.table[${i}]`, line, 1, MAX_AUTO_LINE),
  );
  for (const name of ['chosen_on', 'measured_on']) count(`auto.${name}`, (auto[name] ??= 0), 0, MAX_ROWS);
  for (const name of ['before', 'after']) {
    const value = (auto[name] ??= 0);
    if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
      throw invalid(`auto.${name}`, `${show(value)}, must be a number between 0 and 1`);
    }
  }
}

/**
 * @param {Unchecked} m the manifest
 * @param {string} name
 */
function checkModel(m, name) {
  const model = m[name];
  object(name, model);
  text(`${name}.id`, model.id, 1);
  text(`${name}.revision`, model.revision ?? '', 0);
  if (!['static', 'pack', 'external'].includes(model.kind)) {
    throw invalid(`${name}.kind`, `${show(model.kind)}, must be "static", "pack" or "external"`);
  }
  if (name === 'query_model' && model.kind === 'pack') {
    throw invalid(`${name}.kind`, '"pack", but the collection carries no pack');
  }
  if (model.dim !== m.dim) throw invalid(`${name}.dim`, `${model.dim}, the collection's rows have ${m.dim}`);
  if (model.max_length !== undefined) count(`${name}.max_length`, model.max_length, 0, Number.MAX_SAFE_INTEGER);
}

/**
 * @param {Unchecked} m the manifest
 * @param {string} name
 */
function checkCanaries(m, name) {
  m[name] ??= [];
  list(name, m[name], MAX_CANARIES);
  m[name].forEach((/** @type {Unchecked} */ canary, /** @type {number} */ i) => {
    object(`${name}[${i}]`, canary);
    text(`${name}[${i}].text`, canary.text, 1, MAX_CANARY_BYTES);
    const field = `${name}[${i}].vector`;
    list(field, canary.vector, MAX_DIM);
    if (canary.vector.length !== m.dim) {
      throw invalid(field, `${canary.vector.length} numbers, the collection's rows have ${m.dim}`);
    }
    canary.vector.forEach((/** @type {Unchecked} */ v, /** @type {number} */ j) => {
      if (!Number.isFinite(Math.fround(v)) || typeof v !== 'number') {
        throw invalid(field, `element ${j} is not a finite number`);
      }
    });
  });
}

/**
 * A model of kind "pack" has a pack, and no other has one.
 * @param {Unchecked} m the manifest
 * @param {Files} files
 */
function checkEncoder({ model, encoder }, files) {
  if (encoder == null) {
    if (model.kind === 'pack') throw invalid('encoder.pack', 'missing, but model.kind is "pack"');
    return;
  }
  object('encoder', encoder);
  const parts = ['tokenizer', 'weights', 'config'];
  if (model.kind !== 'pack') {
    if (!isBlank(encoder.pack) || !isBlank(encoder.files)) {
      throw invalid('encoder.pack', `a pack, but model.kind is ${show(model.kind)}`);
    }
    for (const part of parts) checkFile(`encoder.${part}`, encoder[part], files);
    return;
  }
  if (parts.some((part) => !isBlank(encoder[part]))) {
    throw invalid('encoder', 'the files of a static encoder beside a pack');
  }
  checkFile('encoder.pack', encoder.pack, files);
  count('encoder.pack.bytes', encoder.pack.bytes, 0, MAX_PACK_MANIFEST);
  list('encoder.files', encoder.files, MAX_PACK_FILES);
  if (encoder.files.length === 0) throw invalid('encoder.files', 'none, but a pack has some');
  const data = `${encoder.pack.path.slice(0, encoder.pack.path.lastIndexOf('/') + 1)}data/`;
  encoder.files.forEach((/** @type {Unchecked} */ file, /** @type {number} */ i) => {
    const field = `encoder.files[${i}]`;
    checkFile(field, file, files);
    if (!file.path.startsWith(data)) throw invalid(`${field}.path`, `${show(file.path)}, must be in ${show(data)}`);
    count(`${field}.bytes`, file.bytes, 1, MAX_PACK_FILE);
  });
}

/**
 * @param {Unchecked} m the manifest
 * @param {Files} files
 */
function checkAngles(m, files) {
  const { angles, model, dtype } = m;
  object('angles', angles);
  if (model.kind !== 'pack') {
    throw invalid('angles', `only the branch of a pack makes angles, and model.kind is ${show(model.kind)}`);
  }
  count('angles.dim', angles.dim, 1, MAX_DIM);
  if (angles.dtype !== dtype) {
    throw invalid('angles.dtype', `${show(angles.dtype)}, must be that of the rows, ${show(dtype)}`);
  }
  angles.files ??= [];
  checkRows('angles.files', angles.files, angles.dim, m, files);
}

/**
 * A collection has vectors of tokens if and only if it is compared by them.
 * @param {Unchecked} m the manifest
 * @param {Files} files
 */
function checkTokens(m, files) {
  const { tokens, score, dim, documents } = m;
  if (tokens == null) {
    if (score === MAXSIM) throw invalid('tokens', 'missing, but score is "maxsim"');
    return;
  }
  if (score !== MAXSIM) throw invalid('score', `${show(score)}, but there are vectors of tokens: must be "maxsim"`);
  object('tokens', tokens);
  if (![8, 4, 2].includes(tokens.bits)) throw invalid('tokens.bits', `${show(tokens.bits)}, must be 8, 4 or 2`);
  count('tokens.centroids', tokens.centroids, 1, MAX_CENTROIDS);
  checkFile('tokens.codebook', tokens.codebook, files);
  const least = 2 * tokens.centroids * dim;
  if (tokens.codebook.bytes < least) {
    throw invalid(
      'tokens.codebook.bytes',
      `${tokens.codebook.bytes}, but ${tokens.centroids} centroids of ${dim} dimensions take at least ${least}`,
    );
  }
  tokens.files ??= [];
  list('tokens.files', tokens.files, MAX_ROWS);
  const width = Math.ceil((dim * tokens.bits) / 8) + 4; // of a vector: codes, centroid, scale
  let next = 0;
  tokens.files.forEach((/** @type {Unchecked} */ file, /** @type {number} */ i) => {
    const field = `tokens.files[${i}]`;
    checkFile(field, file, files);
    if (file.first !== next) {
      throw invalid(`${field}.first`, `${file.first}, must be ${next}: the files follow each other without gaps`);
    }
    count(`${field}.count`, file.count, 1, documents - next);
    count(`${field}.vectors`, file.vectors, 0, Math.floor(Math.max(0, file.bytes - 4 * file.count) / width));
    next += file.count;
  });
  if (next !== documents) throw invalid('tokens.files', `${next} documents in all, the collection has ${documents}`);
}

/**
 * Checks a list of files that hold the vectors of all rows.
 * @param {string} name of the list
 * @param {Unchecked} rows
 * @param {number} dim
 * @param {Unchecked} m the manifest
 * @param {Files} files
 */
function checkRows(name, rows, dim, m, files) {
  list(name, rows, MAX_ROWS);
  let next = 0;
  rows.forEach((/** @type {Unchecked} */ file, /** @type {number} */ i) => {
    const field = `${name}[${i}]`;
    checkFile(field, file, files);
    if (file.first_row !== next) {
      throw invalid(
        `${field}.first_row`,
        `${file.first_row}, must be ${next}: the files follow each other without gaps`,
      );
    }
    count(`${field}.rows`, file.rows, 1, m.rows - next);
    const least = file.rows * dim * ELEMENT_BYTES[m.dtype];
    if (file.bytes < least) {
      throw invalid(
        `${field}.bytes`,
        `${file.bytes}, but ${file.rows} rows of ${dim} ${m.dtype} take at least ${least}`,
      );
    }
    next += file.rows;
  });
  if (next !== m.rows) throw invalid(name, `${next} rows in all, the collection has ${m.rows}`);
}

/**
 * @param {Unchecked} m the manifest
 * @param {Files} files
 */
function checkDocs(m, files) {
  m.docs ??= [];
  list('docs', m.docs, MAX_ROWS);
  let next = 0;
  m.docs.forEach((/** @type {Unchecked} */ file, /** @type {number} */ i) => {
    const field = `docs[${i}]`;
    checkFile(field, file, files);
    if (file.first !== next) {
      throw invalid(`${field}.first`, `${file.first}, must be ${next}: the files follow each other without gaps`);
    }
    count(`${field}.count`, file.count, 1, Math.min(MAX_BLOCK, m.documents - next));
    next += file.count;
  });
  if (next !== m.documents) throw invalid('docs', `${next} documents in all, the collection has ${m.documents}`);
}

/**
 * @param {Unchecked} m the manifest
 * @param {Files} files
 */
function checkColumns(m, files) {
  object('columns', m.columns);
  checkFile('columns.file', m.columns.file, files);
  m.columns.fields ??= [];
  list('columns.fields', m.columns.fields, MAX_FIELDS);
  const names = new Set();
  const tensors = new Set();
  m.columns.fields.forEach((/** @type {Unchecked} */ f, /** @type {number} */ i) => {
    const field = `columns.fields[${i}]`;
    object(field, f);
    text(`${field}.name`, f.name, 1);
    text(`${field}.tensor`, f.tensor, 1);
    if (names.has(f.name)) throw invalid(`${field}.name`, `${show(f.name)} occurs twice`);
    if (tensors.has(f.tensor)) throw invalid(`${field}.tensor`, `${show(f.tensor)} occurs twice`);
    names.add(f.name);
    tensors.add(f.tensor);
    if (!['string', 'number', 'bool'].includes(f.type)) {
      throw invalid(`${field}.type`, `${show(f.type)}, must be "string", "number" or "bool"`);
    }
    f.values ??= [];
    list(`${field}.values`, f.values, MAX_DICTIONARY);
    if (f.type !== 'string' && f.values.length > 0) {
      throw invalid(`${field}.values`, 'only a string field has a dictionary');
    }
    if (
      f.values.some((/** @type {unknown} */ v) => typeof v !== 'string') ||
      new Set(f.values).size !== f.values.length
    ) {
      throw invalid(`${field}.values`, 'must be strings that occur once');
    }
    const least = m.rows * (f.type === 'string' ? 4 : 8);
    if (m.columns.file.bytes < least) {
      throw invalid(
        'columns.file.bytes',
        `${m.columns.file.bytes}, but a column of ${m.rows} rows takes at least ${least}`,
      );
    }
  });
}

/**
 * @param {Unchecked} m the manifest
 * @param {Files} files
 */
function checkTerms(m, files) {
  object('terms', m.terms);
  checkFile('terms.lengths', m.terms.lengths, files);
  if (m.terms.lengths.bytes < m.documents) {
    throw invalid(
      'terms.lengths.bytes',
      `${m.terms.lengths.bytes}, but ${m.documents} documents take at least a byte each`,
    );
  }
  m.terms.files ??= [];
  list('terms.files', m.terms.files, MAX_TERM_FILES);
  let before = '';
  m.terms.files.forEach((/** @type {Unchecked} */ file, /** @type {number} */ i) => {
    const field = `terms.files[${i}]`;
    checkFile(field, file, files);
    text(`${field}.first`, file.first, 1, MAX_TERM_BYTES);
    text(`${field}.last`, file.last, 1, MAX_TERM_BYTES);
    if (compareBytes(before, file.first) >= 0) {
      throw invalid(`${field}.first`, `${show(file.first)}, must come after ${show(before)}`);
    }
    if (compareBytes(file.first, file.last) > 0) {
      throw invalid(`${field}.last`, `${show(file.last)}, must not come before ${show(file.first)}`);
    }
    before = file.last;
  });
}

/**
 * A collection that is small on the host must not be large in memory. A file
 * that is named several times is stored once, but read each time; short vectors
 * are padded.
 * @param {Manifest} m
 * @param {Files} files
 */
function checkMemory({ encoder, vectors, angles, tokens, docs, columns, terms, dim, dtype }, files) {
  const stored = [...files.values()].reduce((sum, file) => sum + file.stored, 0);
  const row = (/** @type {number} */ dim) =>
    dtype === 'I8' ? Math.ceil(dim / 16) * 16 + 16 : Math.ceil(dim / 8) * 32 + 16;
  let memory = encoder ? memoryOf(encoder) : 0;
  for (const file of vectors) memory += file.bytes + file.rows * row(dim);
  if (angles) for (const file of angles.files) memory += file.bytes + file.rows * row(angles.dim);
  if (tokens) {
    memory += CODEBOOK_MEMORY * tokens.codebook.bytes;
    for (const { bytes, vectors: n, count: own } of tokens.files) {
      memory += bytes + TOKEN_MEMORY * n + 4 * (tokens.centroids + own);
    }
  }
  if (columns) memory += COLUMNS_MEMORY * columns.file.bytes;
  if (terms) {
    memory += terms.files.reduce((sum, { bytes }) => sum + TERMS_MEMORY * bytes, LENGTHS_MEMORY * terms.lengths.bytes);
  }
  for (const file of docs) memory += file.bytes;
  if (memory > Math.max(MEMORY_FREE, MEMORY_RATIO * stored)) {
    throw invalid(
      'files',
      `${stored} bytes on the host take ${memory} in memory, at most ${MEMORY_FREE >> 20} MB and beyond that ` +
        `${MEMORY_RATIO} times as many are loaded`,
    );
  }
}

/** @param {CarriedEncoder} encoder */
function memoryOf(encoder) {
  if (!isPack(encoder)) {
    return TOKENIZER_MEMORY * encoder.tokenizer.bytes + encoder.weights.bytes + encoder.config.bytes;
  }
  return encoder.files.reduce((sum, { bytes }) => sum + PACK_MEMORY * bytes, PACK_MEMORY * encoder.pack.bytes);
}

/**
 * Compares texts by their UTF-8 bytes. The operator < differs from that beyond the Basic
 * Multilingual Plane.
 * @param {string} a
 * @param {string} b
 */
function compareBytes(a, b) {
  const encoder = new TextEncoder();
  const x = encoder.encode(a);
  const y = encoder.encode(b);
  const length = Math.min(x.length, y.length);
  for (let i = 0; i < length; i++) if (x[i] !== y[i]) return x[i] - y[i];
  return x.length - y.length;
}

/**
 * The number of the file that holds a term; -1: none.
 * @param {TermFile[]} files
 * @param {string} term
 */
export function fileOf(files, term) {
  let low = 0;
  let high = files.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareBytes(files[middle].first, term) > 0) high = middle;
    else low = middle + 1;
  }
  return low > 0 && compareBytes(term, files[low - 1].last) <= 0 ? low - 1 : -1;
}

/**
 * @param {string} field
 * @param {Unchecked} file
 * @param {Files} files
 */
function checkFile(field, file, files) {
  object(field, file);
  checkPath(`${field}.path`, file.path);
  if (typeof file.sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(file.sha256)) {
    throw invalid(`${field}.sha256`, `${show(file.sha256)} is not 64 lower-case hexadecimal digits`);
  }
  count(`${field}.bytes`, file.bytes, 0, MAX_FILE_BYTES);
  count(`${field}.stored`, file.stored, 0, MAX_FILE_BYTES);
  if (file.bytes > most(file.stored)) {
    throw invalid(
      `${field}.bytes`,
      `${file.bytes} in ${file.stored} stored, at most ${most(file.stored)} are unpacked: a file may unpack to ` +
        `${UNPACK_FREE >> 20} MB, and beyond that to ${UNPACK_RATIO} times its stored length`,
    );
  }
  const old = files.get(file.path);
  if (old && (old.sha256 !== file.sha256 || old.bytes !== file.bytes || old.stored !== file.stored)) {
    throw invalid(`${field}.path`, `${show(file.path)} is named twice with different content`);
  }
  files.set(file.path, file);
}

/**
 * Refuses a path that could leave the collection's folder, or mean something
 * else in a URL than on a disk ("%2e%2e", "?", "//host").
 * @param {string} field
 * @param {string} path
 */
function checkPath(field, path) {
  text(field, path, 1, MAX_PATH_BYTES);
  if (path === MANIFEST_NAME) throw invalid(field, `${show(path)} is the manifest itself`);
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/.test(path)) {
    throw invalid(
      field,
      `${show(path)} must be segments of letters, digits, '.', '_' and '-' that do not begin with a dot`,
    );
  }
}

/**
 * @param {string} field
 * @param {unknown} value
 * @param {number} low
 * @param {number} high
 */
function count(field, value, low, high) {
  if (!Number.isInteger(value) || Number(value) < low || Number(value) > high) {
    throw invalid(field, `${show(value)}, must be ${low} to ${high}`);
  }
}

/**
 * @param {string} field
 * @param {unknown} value
 * @param {number} least
 * @param {number} [most]
 */
function text(field, value, least, most = MAX_NAME_BYTES) {
  if (typeof value !== 'string' || value.length < least || new TextEncoder().encode(value).length > most) {
    throw invalid(field, `must be a string of ${least} to ${most} bytes`);
  }
}

/**
 * @param {string} field
 * @param {unknown} value
 * @param {number} most
 */
function list(field, value, most) {
  if (!Array.isArray(value)) throw invalid(field, `${show(value)}, must be a list`);
  if (value.length > most) throw invalid(field, `${value.length} entries, at most ${most}`);
}

/**
 * @param {string} field
 * @param {unknown} value
 */
function object(field, value) {
  if (!isObject(value)) throw invalid(field, `${show(value)}, must be an object`);
}

/**
 * Whether a file, or a list of files, is not there. Go writes and reads an empty
 * description as none.
 * @param {unknown} value
 */
function isBlank(value) {
  if (value == null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.values(Object(value)).every((v) => v == null || v === '' || v === 0);
}

/** @param {unknown} value */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {unknown} value */
function show(value) {
  return String(JSON.stringify(value)).slice(0, 80);
}

/**
 * @param {string} field
 * @param {string} problem
 */
function invalid(field, problem) {
  return new FormatError(
    `manifest.json: ${field}: ${problem}: index the corpus again, or upload the whole folder again`,
    { file: MANIFEST_NAME, field },
  );
}

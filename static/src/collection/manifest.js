// Reads and checks manifest.json, the only file of a collection with a fixed name. It
// refuses what internal/collection/manifest refuses, so that later steps can rely on its
// numbers, paths and hashes. Not refused here are keys that occur twice, of which
// JSON.parse keeps the last, and those that no page reads: in another case, or of a
// model's computation, such as model.normalize, of a wrong type.

import { measure } from './bounds.js';
import {
  MANIFEST_FORMAT,
  MANIFEST_VERSION,
  MAX_AUTO_LINE,
  MAX_AUTO_LINES,
  MAX_DIM,
  MAX_ROWS,
  MAXSIM,
  SCORES,
} from '../constants.js';
import { FormatError, VersionError } from '../errors.js';
import { ELEMENT_BYTES, count, invalid, isObject, list, object, show, text } from './manifest/checks.js';
import { checkCanaries, checkEncoder, checkModel, checkPack } from './manifest/model.js';
import { checkAngles, checkRows, checkTokens } from './manifest/rows.js';
import { checkColumns, checkDocs } from './manifest/documents.js';
import { checkTerms } from './manifest/terms.js';
import { checkMemory } from './manifest/memory.js';
import { messageOf } from '../thrown.js';

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
 * @property {PackFiles|null} [reader] a pack that reads queries, whatever encodes them
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
 *   vocabulary, trunk, branch, reader
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
  if (m.reader != null) checkPack('reader', m.reader, files);
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

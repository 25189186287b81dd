// Checks what manifest.json says about models: that of the collection, that of queries, and the encoder that the
// collection carries.

import {
  MAX_CANARIES,
  MAX_CANARY_BYTES,
  MAX_DIM,
  MAX_PACK_FILE,
  MAX_PACK_FILES,
  MAX_PACK_MANIFEST,
} from '../../constants.js';
import { checkFile, count, invalid, isBlank, list, object, show, text } from './checks.js';

/** @import { Unchecked, Files, CarriedEncoder, PackFiles } from '../manifest.js' */

/**
 * Whether a collection's encoder is a pack.
 * @param {CarriedEncoder} encoder
 * @returns {encoder is PackFiles}
 */
export function isPack(encoder) {
  return 'pack' in encoder && !isBlank(encoder.pack);
}

/**
 * @param {Unchecked} m the manifest
 * @param {string} name
 */
export function checkModel(m, name) {
  const model = m[name];
  object(name, model);
  text(`${name}.id`, model.id, 1);
  text(`${name}.revision`, model.revision ?? '', 0);
  text(`${name}.architecture`, model.architecture ?? '', 0);
  object(`${name}.prompts`, model.prompts ?? {});
  for (const prompt of Object.values(model.prompts ?? {})) {
    if (typeof prompt !== 'string') throw invalid(`${name}.prompts`, `${show(prompt)}, must be a string`);
  }
  if (!['static', 'pack', 'external'].includes(model.kind)) {
    throw invalid(`${name}.kind`, `${show(model.kind)}, must be "static", "pack" or "external"`);
  }
  if (name === 'query_model' && model.kind === 'pack') {
    throw invalid(`${name}.kind`, '"pack", but the collection carries no pack');
  }
  if (model.dim !== m.dim) throw invalid(`${name}.dim`, `${model.dim}, the collection's rows have ${m.dim}`);
  count(`${name}.max_length`, model.max_length ?? 0, 0, Number.MAX_SAFE_INTEGER);
}

/**
 * @param {Unchecked} m the manifest
 * @param {string} name
 */
export function checkCanaries(m, name) {
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
export function checkEncoder({ model, encoder }, files) {
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
  checkPack('encoder', encoder, files);
}

/**
 * @param {string} name
 * @param {Unchecked} pack its files
 * @param {Files} files
 */
export function checkPack(name, pack, files) {
  object(name, pack);
  checkFile(`${name}.pack`, pack.pack, files);
  count(`${name}.pack.bytes`, pack.pack.bytes, 0, MAX_PACK_MANIFEST);
  list(`${name}.files`, pack.files, MAX_PACK_FILES);
  if (pack.files.length === 0) throw invalid(`${name}.files`, 'none, but a pack has some');
  const data = `${pack.pack.path.slice(0, pack.pack.path.lastIndexOf('/') + 1)}data/`;
  pack.files.forEach((/** @type {Unchecked} */ file, /** @type {number} */ i) => {
    const field = `${name}.files[${i}]`;
    checkFile(field, file, files);
    if (!file.path.startsWith(data)) throw invalid(`${field}.path`, `${show(file.path)}, must be in ${show(data)}`);
    count(`${field}.bytes`, file.bytes, 1, MAX_PACK_FILE);
  });
}

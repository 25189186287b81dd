// The checks that the parts of manifest.json share. Errors name the field.

import { most } from '../bounds.js';
import {
  MANIFEST_NAME,
  MAX_FILE_BYTES,
  MAX_NAME_BYTES,
  MAX_PATH_BYTES,
  UNPACK_FREE,
  UNPACK_RATIO,
} from '../../constants.js';
import { FormatError } from '../../errors.js';

/** @import { Unchecked, Files } from '../manifest.js' */

/**
 * Bytes of a component, by the type of vectors.
 * @type {{[dtype: string]: number}}
 */
export const ELEMENT_BYTES = { I8: 1, F16: 2, F32: 4 };

/**
 * @param {string} field
 * @param {Unchecked} file
 * @param {Files} files
 */
export function checkFile(field, file, files) {
  object(field, file);
  checkPath(`${field}.path`, file.path);
  if (typeof file.sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(file.sha256)) {
    throw invalid(`${field}.sha256`, `${show(file.sha256)} is not 64 lower-case hexadecimal digits`);
  }
  count(`${field}.bytes`, (file.bytes ??= 0), 0, MAX_FILE_BYTES);
  count(`${field}.stored`, (file.stored ??= 0), 0, MAX_FILE_BYTES);
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
export function count(field, value, low, high) {
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
export function text(field, value, least, most = MAX_NAME_BYTES) {
  if (typeof value !== 'string' || value.length < least || new TextEncoder().encode(value).length > most) {
    throw invalid(field, `must be a string of ${least} to ${most} bytes`);
  }
}

/**
 * @param {string} field
 * @param {unknown} value
 * @param {number} most
 */
export function list(field, value, most) {
  if (!Array.isArray(value)) throw invalid(field, `${show(value)}, must be a list`);
  if (value.length > most) throw invalid(field, `${value.length} entries, at most ${most}`);
}

/**
 * @param {string} field
 * @param {unknown} value
 */
export function object(field, value) {
  if (!isObject(value)) throw invalid(field, `${show(value)}, must be an object`);
}

/**
 * Whether a file, or a list of files, is not there. Go writes and reads an empty
 * description as none.
 * @param {unknown} value
 */
export function isBlank(value) {
  if (value == null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.values(Object(value)).every((v) => v == null || v === '' || v === 0);
}

/** @param {unknown} value */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {unknown} value */
export function show(value) {
  return String(JSON.stringify(value)).slice(0, 80);
}

/**
 * @param {string} field
 * @param {string} problem
 */
export function invalid(field, problem) {
  return new FormatError(
    `manifest.json: ${field}: ${problem}: index the corpus again, or upload the whole folder again`,
    { file: MANIFEST_NAME, field },
  );
}

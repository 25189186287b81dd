// Reads the file of filter columns. (Vector files are read by the engine.)

import { parseJSON } from './bounds.js';
import { MAX_HEADER_BYTES } from '../constants.js';
import { FormatError } from '../errors.js';
import { messageOf } from '../thrown.js';

/** @type {{[dtype: string]: Float64ArrayConstructor|Uint32ArrayConstructor}} */
const TYPES = { F64: Float64Array, U32: Uint32Array };

/**
 * Returns the one-dimensional F64 and U32 tensors of a safetensors file, by
 * name.
 * @param {Uint8Array} bytes
 * @param {string} file its name, for messages
 * @returns {Map<string, Float64Array|Uint32Array>}
 */
export function readColumns(bytes, file) {
  const wrong = (/** @type {string} */ what) => new FormatError(`${file}: ${what}: index the corpus again`, { file });
  if (bytes.length < 8) throw wrong('too short for a safetensors file');
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true));
  if (length > MAX_HEADER_BYTES || length > bytes.length - 8) {
    throw wrong(`header of ${length} bytes, the file has ${bytes.length}`);
  }
  /** @type {[name: string, tensor: any][]} any: each is checked below */
  let header;
  try {
    header = Object.entries(
      parseJSON(new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(8, 8 + length)), 'header'),
    );
  } catch (cause) {
    throw wrong(`header is not a JSON object (${messageOf(cause)})`);
  }
  const data = bytes.subarray(8 + length);
  /** @type {Map<string, Float64Array|Uint32Array>} */
  const columns = new Map();
  let copied = 0;
  for (const [name, tensor] of header) {
    if (name === '__metadata__') continue;
    const Type = TYPES[tensor?.dtype];
    const begin = tensor?.data_offsets?.[0];
    const end = tensor?.data_offsets?.[1];
    const n = tensor?.shape?.[0];
    if (
      !Type ||
      tensor.shape?.length !== 1 ||
      ![begin, end, n].every((value) => Number.isInteger(value) && value >= 0) ||
      end > data.length ||
      end - begin !== n * Type.BYTES_PER_ELEMENT
    ) {
      throw wrong(`tensor ${JSON.stringify(name)} is not a list of F64 or U32 inside the file`);
    }
    copied += end - begin;
    if (copied > data.length) throw wrong(`tensor ${JSON.stringify(name)} overlaps with others`);
    columns.set(name, new Type(data.slice(begin, end).buffer)); // slice: a copy is aligned
  }
  return columns;
}

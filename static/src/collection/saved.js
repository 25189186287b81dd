// Added documents as bytes: a line of JSON that describes the rest, then the
// documents as JSON lines, then their vectors as little-endian float32, and in
// version 2 their angles in the same form.

import { EncoderMismatchError, FormatError, IntegrityError, VersionError } from '../errors.js';
import { sha256 } from './sha256.js';

/**
 * @import { LocalDocument } from '../../lib/index.d.ts'
 * @typedef {{id: string, revision: string, dim: number}} Model
 * @typedef {{documents: number, text: number, sha256: string, model: Model, angles?: number}} Header the first line;
 *   text: bytes of all documents' lines; angles: components of each angle
 */

const FORMAT = 'vantage-documents';
const VERSION = 2;

/**
 * @param {import('./local.js').Entry[]} entries
 * @param {{id: string, revision?: string, dim: number}} model that encoded them
 * @returns {Promise<Uint8Array>}
 */
export async function pack(entries, { id, revision = '', dim }) {
  const lines = entries.map(({ document: { _id, title, text, metadata }, given }) =>
    JSON.stringify({ id: _id, title, text, metadata, given }),
  );
  const text = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));
  const vectors = entries.map(({ vector }) => /** @type {Float32Array} */ (vector));
  const given = entries.flatMap(({ angle }) => angle ?? []);
  const angles = given.length === entries.length ? (given[0]?.length ?? 0) : 0;
  const body = new Uint8Array(text.length + 4 * (dim + angles) * entries.length);
  body.set(text);
  const view = new DataView(body.buffer, text.length);
  let at = 0;
  for (const vector of angles > 0 ? [...vectors, ...given] : vectors) {
    for (const value of vector) view.setFloat32(4 * at++, value, true);
  }
  const header = {
    format: FORMAT,
    version: angles > 0 ? VERSION : 1,
    ...(angles > 0 && { angles }),
    model: { id, revision, dim },
    documents: entries.length,
    text: text.length,
    sha256: await sha256(body),
  };
  const head = new TextEncoder().encode(`${JSON.stringify(header)}\n`);
  const out = new Uint8Array(head.length + body.length);
  out.set(head);
  out.set(body, head.length);
  return out;
}

/**
 * The documents in the form that `add` takes. If another model encoded them, they
 * come without vectors, so that they are encoded again.
 * @param {Uint8Array} bytes
 * @param {string} name for messages
 * @param {{id: string, revision?: string, dim: number}} model of the collection
 * @param {number} angleDim of the collection
 * @returns {Promise<{documents: LocalDocument[], vectors: (Float32Array|null)[], angles: (Float32Array|null)[]}>}
 */
export async function unpack(bytes, name, model, angleDim) {
  const header = readHeader(bytes, name);
  const body = bytes.subarray(bytes.indexOf(10) + 1);
  const { dim } = header.model;
  const { angles: stored = 0 } = header;
  const expected = header.text + 4 * (dim + stored) * header.documents;
  if (body.length !== expected) {
    throw new IntegrityError(
      `${name}: ${body.length} bytes of documents, expected ${expected}: what was saved is damaged: remove it and ` +
        `add the documents again`,
      { file: name, expected, got: body.length },
    );
  }
  const digest = await sha256(body);
  if (digest !== header.sha256) {
    throw new IntegrityError(
      `${name}: SHA-256 is ${digest}, expected ${header.sha256}: what was saved is damaged: remove it and add the ` +
        `documents again`,
      { file: name, expected: header.sha256, got: digest },
    );
  }
  const lines = new TextDecoder().decode(body.subarray(0, header.text)).split('\n').slice(0, -1);
  const same = header.model.id === model.id && header.model.revision === (model.revision ?? '') && dim === model.dim;
  const view = new DataView(body.buffer, body.byteOffset + header.text);
  /**
   * @param {number} from
   * @param {number} length
   */
  const read = (from, length) => Float32Array.from({ length }, (_, j) => view.getFloat32(4 * (from + j), true));
  /** @type {(Float32Array|null)[]} */
  const vectors = [];
  /** @type {(Float32Array|null)[]} */
  const angles = [];
  const documents = lines.map((line, i) => {
    const { given, ...document } = JSON.parse(line);
    const vector = same ? read(i * dim, dim) : null;
    angles.push(same && stored > 0 && stored === angleDim ? read(dim * header.documents + i * stored, stored) : null);
    if (!same && given) {
      throw new EncoderMismatchError(
        `${name}: document ${JSON.stringify(document.id)} was given with a vector of ${header.model.id}, the ` +
          `collection's are of ${model.id}: add it again with one of those`,
      );
    }
    vectors.push(vector);
    return same && given ? { ...document, vector } : document;
  });
  return { documents, vectors, angles };
}

/**
 * @param {Uint8Array} bytes
 * @param {string} name
 * @returns {Header}
 */
function readHeader(bytes, name) {
  /** @type {any} any: it is checked below */
  let header = null;
  try {
    header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, Math.max(0, bytes.indexOf(10)))));
  } catch {
    // Not our file, or damaged: reported below.
  }
  if (header?.format !== FORMAT) {
    throw new FormatError(`${name}: not documents of Vantage, or damaged: remove it and add the documents again`, {
      file: name,
    });
  }
  if (Number.isInteger(header.version) && header.version > VERSION) {
    throw new VersionError(
      `${name}: saved in version ${header.version}, this library reads versions up to ${VERSION}: upgrade the library`,
      { file: name },
    );
  }
  const whole = (/** @type {unknown} */ value) => Number.isInteger(value) && Number(value) >= 0;
  if (
    !(header.version === 1 ? header.angles === undefined : header.version === VERSION && whole(header.angles)) ||
    !whole(header.documents) ||
    !whole(header.text) ||
    !whole(header.model?.dim) ||
    typeof header.sha256 !== 'string'
  ) {
    throw new FormatError(`${name}: its first line is damaged: remove it and add the documents again`, { file: name });
  }
  return header;
}

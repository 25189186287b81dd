// Reads a file of documents as a stream, within limits.

import { expansion, most } from '../../../src/collection/bounds.js';
import { JSON_VALUES } from '../../../src/constants.js';
import { Columns, CSV } from './csv.js';
import { Fault } from './fault.js';
import { JSONLines } from './jsonlines.js';
import { Lines, LongLine, MAX_RECORD } from './lines.js';
import { UTF8 } from './utf16.js';

/** @typedef {{id: string, title: string, text: string, metadata: {[field: string]: unknown}}} FileDocument */

/** Limits of a page; `values` counts those beyond ORDINARY. The command has none of these limits. */
const LIMITS = { bytes: 256e6, documents: 50_000, values: JSON_VALUES };

/** The first values of each document, which do not count towards the limit. */
const ORDINARY = 64;

const INSTEAD = 'index it with: vantage index FILE -o site --site';

/**
 * @param {File} file
 * @param {{take: (document: FileDocument) => void, onProgress?: (read: number, total: number) => void}} options
 *   onProgress receives bytes as they are stored, over all passes
 */
export async function readFile(file, { take, onProgress }) {
  const { name } = file;
  const kind = /\.(jsonl|json|ndjson|csv|tsv)(\.gz)?$/i.exec(name)?.[1].toLowerCase();
  if (!kind) {
    throw new Fault(
      name,
      0,
      'unknown kind of file',
      'choose JSON lines (.jsonl) or CSV with a header (.csv, .tsv), either also with .gz',
    );
  }
  if (file.size > LIMITS.bytes) {
    throw new Fault(
      name,
      0,
      `it has ${Math.ceil(file.size / 1e6)} MB, at most ${LIMITS.bytes / 1e6} fit into a page`,
      INSTEAD,
    );
  }
  let documents = 0;
  let further = 0;
  /** @type {JSONLines|CSV} */
  let parser;
  /**
   * @param {FileDocument} document
   * @param {number} values
   */
  const counted = (document, values) => {
    further += Math.max(0, values - ORDINARY);
    if (further > LIMITS.values) {
      throw new Fault(
        name,
        parser.at - 1,
        `more than ${LIMITS.values.toLocaleString('en')} values by here, beside ${ORDINARY} a document, which is ` +
          `what fits into a page`,
        INSTEAD,
      );
    }
    if (++documents > LIMITS.documents) {
      throw new Fault(
        name,
        parser.at - 1,
        `more than ${LIMITS.documents.toLocaleString('en')} documents, which is what fits into a page`,
        INSTEAD,
      );
    }
    take(document);
  };
  if (kind !== 'csv' && kind !== 'tsv') {
    parser = new JSONLines(name, counted);
    return read(file, parser, (bytes) => onProgress?.(bytes, file.size));
  }
  const columns = await read(file, new Columns(name), (bytes) => onProgress?.(bytes, 2 * file.size));
  parser = new CSV(name, columns, counted);
  return read(file, parser, (bytes) => onProgress?.(file.size + bytes, 2 * file.size));
}

/**
 * One pass over the file; returns the result of the parser's `end`.
 * @template T
 * @param {File} file
 * @param {{at: number, line: (bytes: Uint8Array, last: boolean) => void, end: () => T}} parser
 * @param {(bytes: number) => void} onBytes
 */
async function read(file, parser, onBytes) {
  const lines = new Lines();
  const text = new UTF8();
  let unpacked = 0;
  /**
   * @param {Uint8Array} bytes
   * @param {boolean} last
   */
  const pass = (bytes, last) => {
    for (const line of lines.push(text.push(bytes, last))) parser.line(line, false);
    if (last) {
      const line = lines.end();
      if (line) parser.line(line, true);
    }
  };
  try {
    const packed = await unpack(file, onBytes);
    const reader = packed.stream.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      unpacked += value?.length ?? 0;
      if (packed.gzip && unpacked > most(packed.read)) throw new Fault(file.name, 0, 'compressed too far', expansion);
      if (unpacked > LIMITS.bytes) {
        throw new Fault(
          file.name,
          parser.at,
          `more than ${LIMITS.bytes / 1e6} MB by here, unpacked, which is what fits into a page`,
          INSTEAD,
        );
      }
      pass(value ?? new Uint8Array(0), done);
      if (done) return parser.end();
    }
  } catch (error) {
    if (error instanceof Fault) throw error;
    if (error instanceof LongLine) {
      throw new Fault(
        file.name,
        parser.at,
        `the line is longer than ${MAX_RECORD >> 20} MB`,
        'put every document on a line of its own, close every quote, and split larger texts into passages',
      );
    }
    throw new Fault(
      file.name,
      0,
      `cannot be read (${Object(error).message})`,
      'the file may have changed or be cut off: choose it again',
    );
  }
}

/**
 * The bytes of a file, unpacked if they begin like gzip, and the number of bytes read from the file so far.
 * @param {File} file
 * @param {(bytes: number) => void} onBytes
 */
async function unpack(file, onBytes) {
  const magic = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const gzip = magic[0] === 0x1f && magic[1] === 0x8b;
  /** @type {TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>} */
  const counting = new TransformStream({
    transform(chunk, out) {
      packed.read += chunk.length;
      onBytes(packed.read);
      out.enqueue(chunk);
    },
  });
  const counted = file.stream().pipeThrough(counting);
  /** @type {ReadableStream<Uint8Array>} */
  const stream = gzip ? counted.pipeThrough(new DecompressionStream('gzip')) : counted;
  const packed = { read: 0, gzip, stream };
  return packed;
}

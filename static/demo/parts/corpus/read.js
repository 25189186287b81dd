// Reads a file of documents as it streams in, within limits.

import { expansion, most } from '../../../src/collection/bounds.js';
import { JSON_VALUES } from '../../../src/constants.js';
import { ColumnTypes, CSV } from './csv.js';
import { Fault } from './fault.js';
import { JSONLines } from './jsonlines.js';
import { Lines, LongLine, MAX_RECORD } from './lines.js';

/** What a page can hold; values are those beyond what is ordinary. The command has none of these limits. */
const LIMITS = { bytes: 256e6, documents: 50_000, values: JSON_VALUES };

/** Values of a document that do not count towards the limit of all. */
const ORDINARY = 64;

const INSTEAD = 'index it with: vantage index FILE -o site --site';

/**
 * @param {File} file
 * @param {{take: (document: object) => void, onProgress?: (read: number, total: number) => void}} options
 *   bytes as the file has them, over all readings
 */
export async function readFile(file, { take, onProgress }) {
  const { name } = file;
  const kind = /\.(jsonl|json|ndjson|csv)(\.gz)?$/i.exec(name)?.[1].toLowerCase();
  if (!kind) {
    throw new Fault(
      name,
      0,
      'unknown kind of file',
      'choose JSON lines (.jsonl) or CSV with a header (.csv), either also with .gz',
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
  let parser;
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
  if (kind !== 'csv') {
    parser = new JSONLines(name, counted);
    return read(file, parser, (bytes) => onProgress?.(bytes, file.size));
  }
  const types = await read(file, new ColumnTypes(name), (bytes) => onProgress?.(bytes, 2 * file.size));
  parser = new CSV(name, types, counted);
  return read(file, parser, (bytes) => onProgress?.(file.size + bytes, 2 * file.size));
}

/** One reading; returns what the parser's end returns. */
async function read(file, parser, onBytes) {
  const lines = new Lines();
  let unpacked = 0;
  const pass = (bytes, last) => {
    for (const line of lines.push(bytes)) parser.line(line, false);
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
      `cannot be read (${error.message})`,
      'the file may have changed or be cut off: choose it again',
    );
  }
}

/** The bytes of a file, unpacked where they begin like gzip, and how many bytes of the file were read for them. */
async function unpack(file, onBytes) {
  const packed = { read: 0 };
  const counting = new TransformStream({
    transform(chunk, out) {
      packed.read += chunk.length;
      onBytes(packed.read);
      out.enqueue(chunk);
    },
  });
  const magic = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const counted = file.stream().pipeThrough(counting);
  packed.gzip = magic[0] === 0x1f && magic[1] === 0x8b;
  packed.stream = packed.gzip ? counted.pipeThrough(new DecompressionStream('gzip')) : counted;
  return packed;
}

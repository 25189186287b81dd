// Encoders turn texts into vectors: an encoder inside the engine, or an object of
// the page, which may use any model.

import { CANARY_COSINE, CANARY_COSINE_INT8 } from '../constants.js';
import { cosine } from '../cosine.js';
import { EncoderMismatchError, FormatError, InputError, QueryError } from '../errors.js';
import { SLICE, turn } from '../turn.js';

/**
 * @import { CollectionInfo, EncodedBy, FileSource, OpenOptions, PageEncoder } from '../../lib/index.d.ts'
 * @import { TextRole, Vantage } from '../../lib/index.d.ts'
 * @import { Checks } from './collection.js'
 * @import { EncoderSources } from './encoder.js'
 * @import { Canary, Model } from './manifest.js'
 * @import { Parts } from '../engine/model.js'
 */

/** Most texts that are encoded at a time. */
const BATCH = 256;

/** The same for the engine, which answers nothing else meanwhile: a transformer may need 0.1 seconds for a text. */
const ENGINE_BATCH = 16;

/** @type {TextRole[]} */
export const ROLES = ['query', 'root', 'perspective', 'document'];

/** Names of a static model's files in its folder, as Model2Vec writes them. */
const FILES = { tokenizer: 'tokenizer.json', weights: 'model.safetensors', config: 'config.json' };

/**
 * @typedef {import('../../lib/index.d.ts').Encoding} Encoded
 * @typedef {Omit<Encoded, 'encodedBy'> & {angle?: Float32Array}} EngineEncoding by the engine
 * @typedef {(texts: string[], role: TextRole, signal?: AbortSignal) => Promise<Encoded[]>} TextEncoding
 */

/**
 * Whether the page's encoder is an object that encodes by itself.
 * @param {unknown} encoder
 * @returns {encoder is PageEncoder|Vantage}
 */
export function isObject(encoder) {
  return typeof Object(encoder).encode === 'function';
}

/**
 * The `encoder` option in the form that is sent to the engine: undefined for
 * the collection's encoder, null for none, or the source of each part.
 * @param {OpenOptions['encoder']|null} encoder
 * @param {string|undefined} base URL that relative ones are resolved against
 * @returns {EncoderSources|null|undefined}
 */
export function engineSources(encoder, base) {
  if (encoder === undefined) return undefined;
  if (encoder === null || isObject(encoder)) return null;
  if (typeof encoder === 'string' || encoder instanceof URL) {
    const folder = new URL(encoder, base);
    if (!folder.pathname.endsWith('/')) folder.pathname += '/';
    const at = (/** @type {string} */ file) => new URL(file, folder).href;
    return { tokenizer: at(FILES.tokenizer), weights: at(FILES.weights), config: at(FILES.config) };
  }
  const part = (/** @type {keyof typeof FILES} */ name) => {
    const source = encoder?.[name];
    if (typeof source === 'string' || source instanceof URL) return new URL(source, base).href;
    if (source instanceof ArrayBuffer || source instanceof Uint8Array) return source;
    throw new InputError(
      "encoder: the address of a model's folder, { tokenizer, weights, config } each an address or bytes, or { id, " +
        'revision, dim, encode(texts, role) } is expected',
    );
  };
  const files = { tokenizer: part('tokenizer'), weights: part('weights'), config: part('config') };
  return { ...files, id: encoder.id, revision: encoder.revision };
}

/**
 * Encodes through the engine.
 * @param {{call: (name: 'encode', args: [string[], TextRole, Parts]) => Promise<EngineEncoding[]>}} engine
 * @param {Parts} [parts]
 * @returns {TextEncoding}
 */
export function byEngine(engine, parts = 'vector') {
  return batched(
    async (texts, role) =>
      (await engine.call('encode', [texts, role, parts])).map((encoded) => ({ ...encoded, encodedBy: 'engine' })),
    ENGINE_BATCH,
    1,
  );
}

/**
 * Encodes through the page's object, and checks its answers.
 * @param {Pick<PageEncoder, 'dim'|'encode'>} encoder
 * @param {boolean} [late] whether it gives the vectors of a text's tokens, one after the other
 * @returns {TextEncoding}
 */
export function byPage(encoder, late = false) {
  const { dim } = encoder;
  if (!Number.isInteger(dim) || dim < 1) {
    throw new InputError(`encoder: dim is ${dim}, must be the number of components of its vectors`);
  }
  return batched(async (texts, role, signal) => {
    /** @type {any} any: it comes from the page and is checked here */
    const vectors = await encoder.encode(texts, role, { signal });
    if (vectors?.length !== texts.length) {
      throw new FormatError(`encoder: ${vectors?.length ?? 'no'} vectors for ${texts.length} texts`);
    }
    return Array.from(vectors, (vector) => {
      if (late ? !(vector?.length % dim === 0) : vector?.length !== dim) {
        throw new EncoderMismatchError(`encoder: a vector of ${vector?.length ?? 'no'} numbers, its dim is ${dim}`);
      }
      const out = Float32Array.from(vector);
      if (!out.every(Number.isFinite)) {
        throw new FormatError('encoder: a vector has a component that is not a finite float32');
      }
      return { vector: out, encodedBy: 'page' };
    });
  });
}

/** For collections without an encoder. @type {TextEncoding} */
export async function byNobody() {
  throw new QueryError(
    'this collection carries no encoder: give vectors in place of texts, or open it with an encoder',
  );
}

/**
 * For collections of the vectors of tokens, whose own encoder or server has one vector for a whole text.
 * @param {string} id of the encoder
 * @returns {TextEncoding}
 */
export function byWhole(id) {
  return async () => {
    throw new QueryError(
      `the collection was made for maxsim, and the encoder ${id} has one vector for a whole text: give vectors in ` +
        'place of texts, or an object that encodes by the ColBERT model that made the collection',
    );
  };
}

/**
 * Encodes a long list in pieces, so that it can be cancelled and other calls
 * are answered in between.
 * @param {TextEncoding} encode
 * @param {number} [most] texts in a piece
 * @param {number} [least] texts in a piece that would take too long
 * @returns {TextEncoding}
 */
export function batched(encode, most = BATCH, least = most) {
  let size = least;
  return async (texts, role, signal) => {
    /** @type {Encoded[]} */
    const out = [];
    while (out.length < texts.length) {
      if (out.length > 0) await turn();
      signal?.throwIfAborted();
      const from = performance.now();
      out.push(...(await encode(texts.slice(out.length, out.length + size), role, signal)));
      size = performance.now() - from < SLICE / 2 ? Math.min(2 * size, most) : Math.max(size / 2, least);
    }
    return out;
  };
}

/**
 * Encodes a collection's canaries: with another encoder than the one that made the
 * vectors, rankings would be wrong without any sign.
 * @param {(texts: string[], role: TextRole) => Promise<{vector: Float32Array}[]>} encode
 * @param {Checks} checks
 * @param {number} dim of the encoder
 * @throws {EncoderMismatchError}
 */
export async function checkCanaries(encode, { role, model, canaries, late }, dim) {
  const named = `${model.id} ${model.revision ?? ''}`.trim();
  if (dim !== model.dim) {
    throw new EncoderMismatchError(
      `the encoder gives ${dim} dimensions, the vectors of ${named} have ${model.dim}: index the corpus again`,
    );
  }
  const encoded = await encode(
    canaries.map(({ text }) => text),
    role,
  );
  const least = model.int8 ? CANARY_COSINE_INT8 : CANARY_COSINE;
  canaries.forEach(({ text, vector }, i) => {
    const own = late ? mean(encoded[i].vector, dim) : encoded[i].vector;
    const similarity = isZero(own) && isZero(vector) ? 1 : cosine(own, vector); // a text without known tokens
    if (!(similarity >= least)) {
      throw new EncoderMismatchError(
        `the encoder does not match the vectors of ${named}: ${JSON.stringify(text.slice(0, 60))} has cosine ` +
          `${similarity.toFixed(4)}, expected at least ${least}: ` +
          'index the corpus again with this encoder',
        { cosine: similarity },
      );
    }
  });
}

/**
 * Encodes by an encoder that is checked when it is first used, and again if it could not be
 * reached.
 * @param {TextEncoding} encode
 * @param {Checks} checks
 * @param {number} dim of the encoder
 * @returns {TextEncoding}
 */
export function checkedOnce(encode, checks, dim) {
  /** @type {Promise<void>|null} */
  let checked = null;
  return async (texts, role, signal) => {
    checked ??= checkCanaries(encode, checks, dim).catch((error) => {
      if (!(error instanceof EncoderMismatchError)) checked = null;
      throw error;
    });
    await checked;
    return encode(texts, role, signal);
  };
}

/**
 * The direction of the mean of vectors that are stored one after the other.
 * @param {Float32Array} vectors
 * @param {number} dim
 */
function mean(vectors, dim) {
  const sum = new Float64Array(dim);
  vectors.forEach((value, i) => {
    sum[i % dim] += value;
  });
  return sum;
}

/** @param {ArrayLike<number>} vector */
function isZero(vector) {
  return Array.prototype.every.call(vector, (component) => component === 0);
}

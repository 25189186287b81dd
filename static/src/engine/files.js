// The files of a static encoder: the collection's, or others that the page names.

import { naming } from './core.js';
import { Encoder } from './encoder.js';
import { concat } from '../collection/gunzip.js';
import { loadBytes } from './modules.js';
import { sha256 } from '../collection/sha256.js';

/**
 * @import { Core } from './core.js'
 * @import { FileSource } from '../../lib/index.d.ts'
 * @import { Model } from '../collection/manifest.js'
 */

/**
 * A value for each file of an encoder.
 * @template T
 * @typedef {{tokenizer: T, weights: T, config: T}} EncoderFiles
 */

/** Most bytes of one file of an encoder that the page names. */
const LIMIT = 2 ** 30;

/**
 * The three files of an encoder, each read from its source.
 * @template S
 * @param {EncoderFiles<S>} sources
 * @param {(source: S, part: string) => Promise<Uint8Array>} read
 * @returns {Promise<EncoderFiles<Uint8Array>>}
 */
export async function readFiles(sources, read) {
  const [tokenizer, weights, config] = await Promise.all([
    read(sources.tokenizer, 'tokenizer'),
    read(sources.weights, 'weights'),
    read(sources.config, 'config'),
  ]);
  return { tokenizer, weights, config };
}

/**
 * Files that the page names.
 * @param {EncoderFiles<FileSource>} sources
 * @param {AbortSignal} [signal]
 */
export function fetchFiles(sources, signal) {
  return readFiles(sources, (source, part) => loadBytes(`encoder's ${part}`, source, LIMIT, signal));
}

/**
 * @param {Core} core
 * @param {EncoderFiles<Uint8Array>} files
 */
export function openEncoder(core, files) {
  return naming('encoder', () => new Encoder(core, files));
}

/**
 * The model that describes the page's encoder. Its revision is a hash of its files unless the page names one.
 * @param {{id?: string, revision?: string}} sources
 * @param {EncoderFiles<Uint8Array>} files
 * @param {number} dim
 * @returns {Promise<Model>}
 */
export async function describe({ id = 'custom', revision }, { tokenizer, weights, config }, dim) {
  revision ??= (
    await sha256(concat([tokenizer, weights, config], tokenizer.length + weights.length + config.length))
  ).slice(0, 16);
  return { id, revision, kind: 'static', dim };
}

// The files of an engine's encoder: those that the collection carries, or
// others that the page names.

import { naming } from './core.js';
import { Encoder } from './encoder.js';
import { concat } from '../collection/gunzip.js';
import { loadBytes } from './modules.js';
import { sha256 } from '../collection/sha256.js';

/** Most bytes of one file of an encoder that the page names. */
const LIMIT = 2 ** 30;

/** The three files of an encoder, each read from its source. */
export async function readFiles(sources, read) {
  const parts = ['tokenizer', 'weights', 'config'];
  const files = await Promise.all(parts.map((part) => read(sources[part], part)));
  return Object.fromEntries(parts.map((part, i) => [part, files[i]]));
}

/** Files that the page names. */
export function fetchFiles(sources, signal) {
  return readFiles(sources, (source, part) => loadBytes(`encoder's ${part}`, source, LIMIT, signal));
}

export function openEncoder(core, files) {
  return naming('encoder', () => new Encoder(core, files));
}

/**
 * What answers call an encoder that the page named.
 * @param {{id?: string, revision?: string}} sources
 * @param {{[part: string]: Uint8Array}} files
 * @param {number} dim
 */
export async function describe({ id = 'custom', revision }, { tokenizer, weights, config }, dim) {
  revision ??= (
    await sha256(concat([tokenizer, weights, config], tokenizer.length + weights.length + config.length))
  ).slice(0, 16);
  return { id, revision, kind: 'static', dim };
}

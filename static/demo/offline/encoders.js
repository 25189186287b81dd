// The payload of packs. The library keeps it for all collections of the origin
// (src/collection/kept.js), so it is not stored a second time here.

import { kept } from '../../src/collection/kept.js';

/**
 * @import { PackManifest } from '../../src/engine/model.js'
 * @import { PackFiles } from '../../src/collection/manifest.js'
 */

/** @param {string} url */
export function isPayload(url) {
  return /\/encoder\/data\/[0-9a-f]{16,64}\.(bin|txt)$/.test(new URL(url).pathname);
}

/**
 * Whether the library keeps what encodes queries, and the bytes of all that it keeps of the
 * pack. It fetches a branch when a query first needs it.
 * @param {PackFiles} encoder
 * @param {PackManifest|undefined} pack undefined: it is not stored
 */
export async function keptOf({ files }, pack) {
  const names = new Set(await kept.storage.names().catch(() => []));
  const needed = pack?.sections.filter(({ name }) => name !== 'branch').flatMap((section) => section.files);
  return {
    whole: needed?.every(({ sha256 }) => names.has(sha256)) ?? false,
    bytes: files.reduce((sum, { sha256, stored }) => sum + (names.has(sha256) ? stored : 0), 0),
  };
}

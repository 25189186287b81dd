// Downloaded bytes by kind of file.

/** The kind of a file by the end of its address; the first match counts. */
/** @type {[kind: string, address: RegExp][]} */
const KINDS = [
  ['Core', /\/core\.wasm(\.gz)?$/],
  ['Kernel', /\/kernel(-relaxed)?\.wasm$/],
  ['Library', /\/lib\/([^/]+\/)?[^/]+\.js$/],
  ['Encoder', /\/encoder\/(data\/)?[^/]+$/],
  ['Vectors', /\/vectors\/[^/]+$/],
  ['Vectors of tokens', /\/tokens\/[^/]+$/],
  ['Angles', /\/angles\/[^/]+$/],
  ['Index of words', /\/terms\/[^/]+$/],
  ['Texts', /\/docs\/[^/]+$/],
  ['Fields and manifest', /\/columns\/[^/]+$|\/manifest\.json$/],
];

/**
 * Bytes by kind, as sent, and how many of all bytes came over the network and not from
 * the browser's cache; null: the browser does not report it.
 * @param {import('../../lib/index.js').Vantage} vantage an opened collection
 * @returns {Promise<{kinds: [string, number][], total: number, network: number|null}>}
 */
export async function downloaded(vantage) {
  const own = /** @type {PerformanceResourceTiming[]} */ (
    performance.getEntries().filter(({ entryType }) => entryType === 'resource' || entryType === 'navigation')
  );
  /** @type {Map<string, {bytes: number, transferred: number|null}>} */
  const files = new Map(
    own.map(({ name, encodedBodySize, transferSize }) => [name, { bytes: encodedBodySize, transferred: transferSize }]),
  );
  for (const { url, bytes, transferred } of await vantage.downloads()) {
    const known = files.get(url) ?? { bytes: 0, transferred: transferred === null ? null : 0 };
    files.set(url, {
      bytes: Math.max(bytes, known.bytes),
      transferred: known.transferred === null ? null : known.transferred + (transferred ?? 0),
    });
  }
  /** @type {Map<string, number>} */
  const kinds = new Map();
  for (const kind of ['Page', ...KINDS.map(([name]) => name)]) kinds.set(kind, 0);
  let total = 0;
  /** @type {number|null} */
  let network = 0;
  for (const [url, { bytes, transferred }] of files) {
    const { pathname } = new URL(url);
    const [kind] = KINDS.find(([, pattern]) => pattern.test(pathname)) ?? ['Page'];
    kinds.set(kind, (kinds.get(kind) ?? 0) + bytes);
    total += bytes;
    network = network === null || transferred === null ? null : network + transferred;
  }
  return { kinds: [...kinds], total, network };
}

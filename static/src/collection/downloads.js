// The files that this page or worker has fetched, with the sizes that the browser
// reports.

/** Most files that are remembered; browsers keep 250 by default. */
const KEPT = 10_000;

performance.setResourceTimingBufferSize?.(KEPT);

/** Bytes that were read here, by address. */
const read = /** @type {Map<string, number>} */ (new Map());

/**
 * Records a file that was read.
 * @param {string} url
 * @param {number} bytes
 */
export function note(url, bytes) {
  if (read.has(url) || read.size < KEPT) read.set(url, bytes);
}

/**
 * Browsers hide the sizes of files from other origins, WebKit hides all sizes in
 * workers, and Node.js does not list the files that it reads.
 * @returns {import('../../lib/index.d.ts').Download[]} first those that the browser lists, in the order in which they
 *   began
 */
export function downloads() {
  const entries = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType('resource'));
  const listed = entries.map(({ name, encodedBodySize, transferSize }) =>
    encodedBodySize > 0
      ? { url: name, bytes: encodedBodySize, transferred: transferSize }
      : { url: name, bytes: read.get(name) ?? 0, transferred: null },
  );
  const urls = new Set(listed.map(({ url }) => url));
  return [
    ...listed,
    ...[...read].filter(([url]) => !urls.has(url)).map(([url, bytes]) => ({ url, bytes, transferred: null })),
  ];
}

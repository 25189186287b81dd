// What this page or worker has fetched, as the browser accounts for it.

/** Files that are remembered; browsers keep 250 by themselves. */
const KEPT = 10_000;

performance.setResourceTimingBufferSize?.(KEPT);

/**
 * @returns {import('./index.d.ts').Download[]} in the order in which they began
 */
export function downloads() {
  return performance.getEntriesByType('resource').map(({ name, encodedBodySize, transferSize }) => ({ url: name, bytes: encodedBodySize, transferred: transferSize }));
}

// Converts metadata to the form of an engine: each field has one type, and the
// number of fields is limited. The page shows no other metadata.

/** Most fields by which an engine filters. */
const MAX_FIELDS = 256;

const scalar = (/** @type {unknown} */ value) => ['string', 'number', 'boolean'].includes(typeof value);

/**
 * Fields of several types become texts. Fields beyond the limit are left out, and so are
 * lists, objects and numbers that do not fit a double.
 * @param {{metadata: {[field: string]: unknown}}[]} documents whose metadata is replaced
 * @returns {number} fields beyond the limit
 */
export function tame(documents) {
  /** @type {Map<string, string>} */
  const types = new Map();
  for (const { metadata } of documents) {
    for (const [name, value] of Object.entries(metadata)) {
      if (!scalar(value)) continue;
      const type = types.get(name) ?? typeof value;
      types.set(name, type === typeof value ? type : 'mixed');
    }
  }
  const kept = new Set([...types.keys()].slice(0, MAX_FIELDS));
  for (const document of documents) {
    const entries = Object.entries(document.metadata).filter(
      ([name, value]) => kept.has(name) && scalar(value) && !(typeof value === 'number' && !Number.isFinite(value)),
    );
    document.metadata = Object.fromEntries(
      entries.map(([name, value]) => [name, types.get(name) === 'mixed' ? String(value) : value]),
    );
  }
  return types.size - kept.size;
}

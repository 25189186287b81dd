// Addresses in the metadata of documents, which come from outside.

/**
 * The address as a URL, resolved against the page, if it is http or https. Otherwise null: other schemes could run
 * scripts.
 * @param {unknown} value
 * @param {string} base
 */
export function webAddress(value, base = document.baseURI) {
  if (typeof value !== 'string' || value === '') return null;
  try {
    const url = new URL(value, base);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
  } catch {
    return null;
  }
}

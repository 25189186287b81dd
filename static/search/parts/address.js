// The addresses of pages.

/**
 * The address of the page that a passage is on: the passage's own, without the fragment.
 * @param {URL} url
 */
export function pageOf({ href, hash }) {
  return hash ? href.slice(0, -hash.length) : href.replace(/#$/, '');
}

/**
 * Where a page is, for people: its host, if that is not this site's, and the parts of its path, without an index.html.
 * @param {URL} url
 */
export function trail({ host, pathname }) {
  const folders = pathname
    .replace(/\/(index\.html?)?$/, '')
    .split('/')
    .filter(Boolean)
    .map(decoded);
  return [...(host === location.host ? [] : [host]), ...folders].join(' › ');
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

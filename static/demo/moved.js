// Before the search page, the lab was at the address of the whole site, and links to its states
// are still around. They have a fragment with q (parts/link.js), or ?collection=URL. The search
// page has its query in ?q=, so no address means both.

/**
 * The address of the lab if that of the page means a state of the lab, else null.
 * @param {string} lab its page, relative to the address
 * @param {{search: string, hash: string}} address
 */
export function moved(lab, { search, hash }) {
  const old = new URLSearchParams(hash.slice(1)).has('q') || new URLSearchParams(search).has('collection');
  return old ? lab + search + hash : null;
}

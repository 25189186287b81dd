// Before there was a search page, the lab was at the address of the site, and links from that
// time are still in use. They have a fragment with q (parts/link.js), or ?collection=URL. The
// search page has its query in ?q=, so no address can mean both.

/**
 * The address of the lab, if the page's address means a state of the lab; otherwise null.
 * @param {string} lab its page, relative to the address
 * @param {{search: string, hash: string}} address
 */
export function moved(lab, { search, hash }) {
  const old = new URLSearchParams(hash.slice(1)).has('q') || new URLSearchParams(search).has('collection');
  return old ? lab + search + hash : null;
}

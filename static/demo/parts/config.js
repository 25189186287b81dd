// The settings of the site's owner, which the page's HTML contains.

/**
 * @typedef {object} Config
 * @property {string} collection address of its folder
 * @property {string} name of the site
 * @property {string} server address of the encode server; '': none
 * @property {string[]} examples queries to try; only the lab has them here
 */

/** @returns {Config} */
export function readConfig() {
  const { collection, name, server, examples } = JSON.parse(
    document.getElementById('vantage-config')?.textContent || '{}',
  );
  return {
    collection: String(collection ?? 'collection/'),
    name: String(name ?? document.title),
    server: String(server ?? ''),
    examples: Array.isArray(examples) ? examples.map(String) : [],
  };
}

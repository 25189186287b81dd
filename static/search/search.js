// The search page: one column of links for the query in the address (?q=).

import { Vantage } from '../lib/index.js';
import { byId, el } from '../demo/parts/dom.js';
import { begin, failed, keep } from '../demo/parts/offline.js';

/** @type {{collection: string, server: string}} */
const config = JSON.parse(String(document.getElementById('vantage-config')?.textContent));

async function main() {
  await begin();
  const query = new URLSearchParams(location.search).get('q') ?? '';
  const input = document.querySelector('input');
  if (input) input.value = query;
  const vantage = await open();
  if (query !== '') {
    const { hits } = await vantage.search({ query });
    const documents = await vantage.documents(hits.map(({ index }) => index));
    byId('hits').replaceChildren(
      ...documents.map(({ title, metadata: { url } }, i) => {
        const name = title || hits[i].id;
        const safe = typeof url === 'string' && /^https?:$/.test(new URL(url, location.href).protocol);
        return el('li', {}, safe ? el('a', { href: url }, name) : name);
      }),
    );
  }
  await vantage.ready;
  keep(config.collection);
}

async function open() {
  if (config.server === '') return Vantage.open(config.collection);
  const { ServerEncoder } = await import('../lib/server.js'); // sites without a server lack this file
  return Vantage.open(config.collection, { encoder: new ServerEncoder(config.server) });
}

main().catch((error) => {
  byId('fault').textContent = Object(error).message;
  byId('fault').hidden = false;
  failed();
});

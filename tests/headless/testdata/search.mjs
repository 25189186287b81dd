// Runs queries with the library under Node.js. Standard input has {library,
// collection, options, queries}; the output has each result as JSON, or its
// error, where the engine ran, and the bytes of the encoder's files.

import { text } from 'node:stream/consumers';

const { library, collection, options, queries } = JSON.parse(await text(process.stdin));
const { Vantage } = await import(library);
const vantage = await Vantage.open(collection, options);
await vantage.ready;
const results = [];
for (const query of queries) {
  try {
    const { method, kind, lambda, score, k, encoder, hybrid, notice, close, hits } = await vantage.search(query);
    results.push(JSON.stringify({ method, kind, lambda, score, k, encoder, hybrid, notice, close, hits }));
  } catch (error) {
    results.push(`${error.code}: ${error.message}`);
  }
}
const downloads = await vantage.downloads();
console.log(JSON.stringify({ results, inWorker: vantage.inWorker, encoder: downloads.filter(({ url }) => url.includes('/encoder/')).reduce((sum, { bytes }) => sum + bytes, 0) }));
vantage.close();

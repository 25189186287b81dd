// Reads and ranks queries with the library under Node.js. Standard input has {library, collection, queries}; the output
// is a JSON array with what `split` and `search` say of each.

import { text } from 'node:stream/consumers';

const { library, collection, queries } = JSON.parse(await text(process.stdin));
const { Vantage } = await import(library);
const vantage = await Vantage.open(collection);
await vantage.ready;
const asked = [];
for (const query of queries) {
  const { kind, side } = (await vantage.split(query)) ?? { kind: '', side: null };
  const result = await vantage.search({ query });
  asked.push({
    read: { kind, side: side ?? '' },
    ranked: { kind: result.kind ?? '', side: result.side ?? '' },
    method: result.method,
    best: result.hits[0].index,
  });
}
console.log(JSON.stringify(asked));
vantage.close();

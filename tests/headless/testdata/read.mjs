// Reads the wording of queries with the library under Node.js. Standard input has
// {library, queries}; the output is a JSON array of what `split` gives for each.

import { text } from 'node:stream/consumers';

const { library, queries } = JSON.parse(await text(process.stdin));
const { Vantage } = await import(library);
const vantage = await Vantage.create({ encoder: null });
const readings = [];
for (const query of queries) readings.push(await vantage.split(query));
console.log(JSON.stringify(readings));
vantage.close();

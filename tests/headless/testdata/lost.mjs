// Ends a thread of the library while it is in use, and prints the outcome of
// searches. The arguments are the library and the collection.

const [library, collection] = process.argv.slice(2);
const threads = [];
process.on('worker', (thread) => threads.push(thread));
const { Vantage } = await import(library);
const vantage = await Vantage.open(collection, { workers: 2 });
await vantage.ready;
const ask = async () => (await vantage.search({ query: 'reasons against: Night trains deserve public subsidy' })).hits.map(({ id }) => id).join(' ');
const before = await ask();
const under = vantage.search({ query: 'night trains' }).then(() => 'answered', (error) => error.code);
await threads[1].terminate();
const lost = await under;
await vantage.ready;
const after = await ask();
vantage.close();
console.log(JSON.stringify({ threads: threads.length, lost, same: after === before && before !== '' }));

// Called in a page of the extension, which asks the engine as a content script does.
async (rounds) => {
  const places = 'the harbour|an old mill|our valley|the northern line|a small island|the market square|that hospital|the coast road';
  const verbs = 'would ruin|could save|has changed|may cost|will help|never served|still feeds|divides';
  const things = 'night trains|school meals|free museums|city tolls|wind farms|home offices|late exams|public baths';
  const more = 'because every household there pays for it twice, once in taxes and once in rent';
  const pick = (list, n) => list.split('|')[n % 8];
  let seen = 0;
  const result = () => {
    const n = seen++;
    const [place, verb, thing] = [pick(places, n), pick(verbs, n >> 3), pick(things, n >> 6)];
    return { title: `${thing} in the year ${1900 + n}`, snippet: `In ${place} it ${verb} ${thing}, ${more} (${n}).` };
  };
  const results = (n) => Array.from({ length: n }, result);
  const started = await chrome.runtime.sendMessage({ to: 'background', type: 'engine' });
  if (started.key) throw new Error(started.detail);
  const port = chrome.runtime.connect({ name: 'vantage-rank' });
  let id = 0;
  const rank = (list, perspective, side) =>
    new Promise((resolve, reject) => {
      const own = ++id;
      const times = {};
      const begun = performance.now();
      const listener = (message) => {
        if (message.id !== own) return;
        if (message.type === 'ranked') {
          times[message.by] = performance.now() - begun;
          const indexes = message.places.map(({ index }) => index).sort((a, b) => a - b);
          if (indexes.length !== list.length || indexes.some((index, i) => index !== i)) reject(new Error('no permutation'));
        }
        if (message.type === 'failed') reject(new Error(`${message.key}: ${message.detail}`));
        if (message.type !== 'done' && message.type !== 'failed') return;
        port.onMessage.removeListener(listener);
        resolve(times);
      };
      port.onMessage.addListener(listener);
      const ask = { root: 'Night trains deserve public subsidy', perspective, side, method: null, strength: null, spread: false };
      port.postMessage({ type: 'rank', id: own, ask, results: list });
    });
  const cold = (await rank(results(30), 'a claim that opposes', 'against')).sides;
  await rank(results(30), 'in Germany', null);
  const times = { 'light 30': [], 'light 100': [], 'sides 30': [], 'again 30': [], 'auto 30': [] };
  const first = results(30);
  const words = first.reduce((sum, { title, snippet }) => sum + `${title} ${snippet}`.split(/\s+/).length, 0) / first.length;
  for (let round = 0; round < rounds; round++) {
    const list = results(30);
    const asked = await rank(list, 'a claim that opposes', 'against');
    times['light 30'].push(asked.light);
    times['sides 30'].push(asked.sides);
    times['again 30'].push((await rank(list, 'a claim that supports', 'for')).sides);
    times['light 100'].push((await rank(results(100), 'in Germany', null)).light);
    times['auto 30'].push((await rank(results(30), 'in Germany', null)).sides);
  }
  // For comparison: what the texts alone cost one engine, without the extension.
  const { Vantage } = await import('/lib/index.js');
  const vantage = await Vantage.open('/collections/sides/', { worker: true });
  await vantage.encode(['one'], 'document', { angle: true });
  times['bare 30'] = [];
  for (let round = 0; round < rounds; round++) {
    const texts = results(30).map(({ title, snippet }) => `${title} ${snippet}`);
    const begun = performance.now();
    await vantage.encode(texts, 'document', { angle: true });
    times['bare 30'].push(performance.now() - begun);
  }
  vantage.close();
  return { cores: navigator.hardwareConcurrency, words, cold, times };
}

// Times whole searches of a page, with one worker and with several that share
// the vectors.

import { Vantage } from '../lib/index.js';

const WARM_UP = 4;

/** @param {number} dim */
function random(dim) {
  return Float32Array.from({ length: dim }, () => Math.random() - 0.5);
}

const QUESTIONS = {
  'pap+': { method: 'pap+', explain: false },
  'pap+, explained': { method: 'pap+', cosineRank: true },
  're-ranking, explained': { method: 're-ranking', cosineRank: true },
  'pap+, diversified, explained': { method: 'pap+', mmr: 0.5, cosineRank: true },
};

/**
 * Milliseconds of each query in each round, by the number of workers. The
 * numbers of workers alternate within a round, so that other load on the
 * machine affects all of them.
 * @param {string} url of a collection
 * @param {number[]} counts numbers of workers
 * @param {number} rounds
 */
async function workers(url, counts, rounds) {
  const { dim } = await (await fetch(new URL('manifest.json', new URL(url, location.href)))).json();
  const fleets = [];
  for (const n of counts) {
    const started = performance.now();
    const vantage = await Vantage.open(url, { workers: n, worker: true });
    await vantage.ready;
    fleets.push({
      vantage,
      ready: performance.now() - started,
      memory: (await vantage.memory()).reserved,
      times: /** @type {{[question: string]: number[]}} */ (
        Object.fromEntries(Object.keys(QUESTIONS).map((name) => [name, []]))
      ),
    });
  }
  for (let round = -WARM_UP; round < rounds; round++) {
    const [query, root, perspective] = [random(dim), random(dim), random(dim)];
    for (const [name, question] of Object.entries(QUESTIONS)) {
      for (const { vantage, times } of fleets) {
        const { timing } = await vantage.search({ query, root, perspectives: [perspective], ...question });
        if (round >= 0) times[name].push(timing.rank); // without the documents, whose time depends on the host
      }
    }
  }
  for (const { vantage } of fleets) vantage.close();
  return fleets.map(({ vantage, ...rest }) => rest);
}

Object.assign(window, { workers });

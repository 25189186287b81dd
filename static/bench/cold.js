// Times what a first visitor waits for: the library, the core, the encoder and
// the vectors arrive, and a query is answered.

import { Vantage } from '../lib/index.js';

const QUERY = 'Find a claim that opposes the argument: Night trains deserve public subsidy';

/**
 * Milliseconds since the navigation began, and the number of rows ranked by
 * then.
 */
const cold = async () => {
  const vantage = await Vantage.open('/collection/');
  const opened = performance.now();
  await vantage.ready;
  const ready = performance.now();
  const { hits, coverage } = await vantage.search({ query: QUERY });
  return { opened, ready, ranked: performance.now(), rows: coverage.rows, hits: hits.length };
};

Object.assign(window, { cold: cold() });

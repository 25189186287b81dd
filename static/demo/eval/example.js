// An example from the site's judged queries: the collection of this site
// answers them by three methods, and their gold judges the answers.

import { Vantage } from '../../lib/index.js';

/** Methods to compare, plain cosine first. */
const METHODS = ['none', 'add', 'pap+'];

/** Documents of a query in a run. */
const DEPTH = 20;

/**
 * @param {import('../parts/judgements.js').Judged[]} judged
 * @param {(text: string, at?: string) => void} onProgress
 * @returns {Promise<{qrels: {name: string, content: Blob}, runs: {name: string, content: Blob}[]}>}
 */
export async function example(judged, onProgress) {
  onProgress('Opening the collection …');
  const vantage = await Vantage.open('collection/');
  try {
    await vantage.ready;
    /** @type {Map<string, string[]>} of each run, by its method */
    const lines = new Map(METHODS.map((method) => [method, []]));
    for (const [i, { id, query, root, perspectives }] of judged.entries()) {
      if (i % 10 === 0) onProgress('Asking the queries …', `${i + 1} of ${judged.length}`);
      if (!root || perspectives.length === 0) continue; // some methods need both
      for (const method of METHODS) {
        const { hits } = await vantage.search({ query, root, perspectives, method, k: DEPTH });
        lines.get(method)?.push(...hits.map((hit) => `${id} Q0 ${hit.id} ${hit.rank} ${hit.score} ${method}\n`));
      }
    }
    const qrels = judged.flatMap(({ id, gold }) => gold.map((document) => `${id} 0 ${document} 1\n`));
    return {
      qrels: { name: 'site.qrels', content: new Blob(qrels) },
      runs: METHODS.map((method) => ({ name: method, content: new Blob(lines.get(method) ?? []) })),
    };
  } finally {
    vantage.close();
  }
}

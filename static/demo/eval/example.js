// The bundled debates as an example: the collection beside this page answers
// their queries by three methods, and their gold judges the answers.

import { QUERIES } from '../debates.js';
import { Vantage } from '../lib/index.js';

/** Methods that are compared, plain cosine first. */
const METHODS = ['none', 'add', 'pap+'];

/** Documents of a query in a run. */
const DEPTH = 20;

/**
 * @param {(text: string) => void} onProgress
 * @returns {Promise<{qrels: {name: string, content: Blob}, runs: {name: string, content: Blob}[]}>}
 */
export async function example(onProgress) {
  onProgress('Opening the collection …');
  const vantage = await Vantage.open('collection/');
  try {
    await vantage.ready;
    const known = new Set(QUERIES.flatMap(({ gold }) => gold));
    const lines = new Map(METHODS.map((method) => [method, []]));
    for (const [i, { id, query, root, perspective }] of QUERIES.entries()) {
      if (i % 10 === 0) onProgress(`Asking query ${i + 1} of ${QUERIES.length} …`);
      for (const method of METHODS) {
        const { hits } = await vantage.search({ query, root, perspectives: [perspective], method, k: DEPTH });
        lines.get(method).push(...hits.map((hit) => `${id} Q0 ${hit.id} ${hit.rank} ${hit.score} ${method}\n`));
        if (i === 0 && !hits.some((hit) => known.has(hit.id))) throw new Error('The collection beside this page is not the bundled one, whose queries these are: choose files instead.');
      }
    }
    const qrels = QUERIES.flatMap(({ id, gold }) => gold.map((document) => `${id} 0 ${document} 1\n`));
    return {
      qrels: { name: 'debates.qrels', content: new Blob(qrels) },
      runs: METHODS.map((method) => ({ name: method, content: new Blob(lines.get(method)) })),
    };
  } finally {
    vantage.close();
  }
}

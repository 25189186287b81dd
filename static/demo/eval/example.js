// An example from the site's judged queries: the collection of this site
// answers them by three methods, and their gold judges the answers.

import { Vantage } from '../../lib/index.js';

/** Methods to compare, plain cosine first, if the queries have what they need: a root and a perspective. */
const METHODS = ['none', 'add', 'pap+'];

/** Documents of a query in a run. */
const DEPTH = 20;

/**
 * An id as a field of a line, which ends at white space.
 * @param {string} id
 */
const field = (id) => id.replace(/[\s%]/g, encodeURIComponent);

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
    const whole = judged.filter(({ root, perspectives }) => root && perspectives.length > 0);
    const { encodes, score, words } = vantage.info;
    const fit = encodes && score !== 'maxsim' && whole.length > 0;
    const asked = fit ? whole : judged;
    const methods = fit ? METHODS : [...(encodes || !words ? ['none'] : []), ...(words ? ['bm25'] : [])];
    /** @type {Map<string, string[]>} of each run, by its method */
    const lines = new Map(methods.map((method) => [method, []]));
    for (const [i, { id, query, root, perspectives }] of asked.entries()) {
      if (i % 10 === 0) onProgress('Asking the queries …', `${i + 1} of ${asked.length}`);
      for (const method of methods) {
        const { hits } = await vantage.search({ query, root, perspectives, method, k: DEPTH });
        lines
          .get(method)
          ?.push(...hits.map((hit) => `${field(id)} Q0 ${field(hit.id)} ${hit.rank} ${hit.score} ${method}\n`));
      }
    }
    const qrels = asked.flatMap(({ id, gold }) => gold.map((document) => `${field(id)} 0 ${field(document)} 1\n`));
    return {
      qrels: { name: 'site.qrels', content: new Blob(qrels) },
      runs: methods.map((method) => ({ name: method, content: new Blob(lines.get(method) ?? []) })),
    };
  } finally {
    vantage.close();
  }
}

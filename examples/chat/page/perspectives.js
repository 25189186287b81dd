// Asks a query from the perspectives of a domain, and searches by each question as it arrives.

import { Vantage } from './lib/index.js';
import { ServerEncoder, mergePerspectives } from './lib/server.js';

const at = (id) => document.getElementById(id);
const add = (list, text) => at(list).append(Object.assign(document.createElement('li'), { textContent: text }));
const k = 10;
const encoder = new ServerEncoder('./');
const vantage = await Vantage.open('./collection/', { encoder });
const [domain] = await encoder.domains();

at('ask').addEventListener('click', async () => {
  at('ask').disabled = true;
  for (const list of ['vector', 'asked', 'found']) at(list).replaceChildren();
  at('said').textContent = 'The chat model is asked …';
  const [views, rankings] = [[], []];
  try {
    await vantage.ready; // until then, a search ranks the vectors that have arrived
    for await (const event of encoder.perspectives(at('query').value, { domain })) {
      if (event.type === 'vector') {
        for (const { name, score, weight } of event.perspectives) {
          add('vector', `${name}: ${score}${weight > 0 ? '' : ', not enough'}`);
        }
      }
      if (event.type !== 'query') continue;
      add('asked', event.query);
      const { hits } = await vantage.search({ query: event.vector, method: 'none', score: 'cosine', k });
      views.push(event);
      rankings.push(hits);
      const titles = new Map(rankings.flat().map(({ index, title, text }) => [index, title || text]));
      at('found').replaceChildren();
      for (const { index, rel } of mergePerspectives(views, rankings, k))
        add('found', `${titles.get(index)} (${rel.toFixed(3)})`);
    }
    at('said').textContent = 'Done.';
  } catch (error) {
    at('said').textContent = error.message;
  }
  at('ask').disabled = false;
});
at('ask').disabled = false;

// <vantage-search> as a page's script uses it, and what must not compile.

import type { Vantage } from '../lib/index.js';
import { VantageSearch } from '../lib/vantage-search.js';
import type { Messages } from '../lib/vantage-search.js';

const element = document.createElement('vantage-search');
const same: VantageSearch = element;
const vantage: Promise<Vantage> | null = element.vantage;
element.value = 'cars';
element.messages = { none: (query) => `nothing for ${query}`, found: (query, count) => `${count} for ${query}` };
const messages: Messages = element.messages;
await element.search();
element.addEventListener('vantage-ready', ({ detail }) => detail.info.documents);
element.addEventListener('vantage-results', ({ detail }) => detail.hits[0].score);
element.addEventListener('vantage-sides', ({ detail }) => detail.against.count);
element.messages = { sides: (pro, against) => `${pro}:${against}`, stance: ({ side }) => side };
element.addEventListener('vantage-error', ({ detail }) => detail.message);
element.addEventListener('vantage-select', (event) => {
  const { url } = event.detail.metadata;
  if (typeof url !== 'string') event.preventDefault();
});
element.hybrid = true;
element.hybrid = 'min-max 0.3';
element.hybrid = null;
const hybrid: string | null = element.hybrid;
element.highlight = true;
element.messages = { close: 'Zu' };
element.showModal();
element.close();
export const all = [
  hybrid,
  element.highlight,
  same,
  vantage,
  messages.partly(1, 2),
  messages.fault(new Error('x')),
  messages.label,
];

// @ts-expect-error: it is read-only
element.vantage = null;
// @ts-expect-error: there is no such text
element.messages = { title: 'Search' };
// @ts-expect-error: the count comes second
element.messages = { found: (query: string, count: string) => query + count };
// @ts-expect-error: the results are in `hits`
element.addEventListener('vantage-results', ({ detail }) => detail.results);
// @ts-expect-error: the weight is written behind the fusion
element.hybrid = 0.3;
// @ts-expect-error: it is there or not
element.highlight = 'yes';
// @ts-expect-error: a key is an attribute
element.showModal('mod+k');

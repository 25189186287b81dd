// Words as a page uses it, and what must not compile.

import { Words } from '../lib/words.js';
import type { WordsHit, WordsQuery } from '../lib/words.js';

const { signal } = new AbortController();
const words = await Words.open(new URL('https://example.org/collection/'), { signal });
const query: WordsQuery = { query: 'night trains', k: 5, filter: { year: { min: 2000 } }, signal };
const { hits } = await words.search(query);
const hit: WordsHit = hits[0];
const ranked: number[] = (await words.rank({ query: 'night' })).map(({ document, score }) => document + score);
const names: string[] = [words.info.name, hit.id, hit.title, hit.text, ...Words.terms('Night trains')];
export const told = [
  ranked,
  names,
  words.info.documents,
  words.info.encodes,
  words.info.fields,
  hit.rank,
  hit.score,
  hit.metadata.url,
];

// @ts-expect-error: Words.open makes it
new Words();
// @ts-expect-error: a text is needed
await words.search({ k: 5 });
// @ts-expect-error: words do not encode
await words.search({ query: 'a', method: 'pap' });

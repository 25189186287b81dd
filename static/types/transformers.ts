// TransformersEncoder as a page uses it, and what must not compile.

import { Vantage } from '../lib/index.js';
import { TransformersEncoder } from '../lib/transformers.js';
import type { Extractor, TransformersOptions } from '../lib/transformers.js';

declare const extractor: Extractor;
declare const transformers: () => Promise<{
  pipeline: (task: 'feature-extraction', model: string) => Promise<Extractor>;
}>;

const options: TransformersOptions = {
  id: 'model',
  revision: '1',
  dim: 384,
  pooling: 'cls',
  normalize: false,
  prompts: { query: 'query: ', document: 'passage: ' },
  batch: 8,
};
const encoder = new TransformersEncoder(extractor, options);
await TransformersEncoder.load('model', { transformers, pipeline: { revision: 'main', dtype: 'q8' }, batch: 4 });
await Vantage.open('collection/', { encoder });
const vectors: Float32Array[] = await encoder.encode(['a'], 'root', { signal: new AbortController().signal });
const told: string = encoder.id + encoder.revision;
const dim: number = encoder.dim;
export const all = [vectors, told, dim];

// @ts-expect-error: the page must provide the package
await TransformersEncoder.load('model', {});
// @ts-expect-error: a pipeline is needed
new TransformersEncoder();
// @ts-expect-error: there is no such pooling
new TransformersEncoder(extractor, { pooling: 'max' });
// @ts-expect-error: there is no such role
new TransformersEncoder(extractor, { prompts: { title: '' } });
// @ts-expect-error: it is read-only
encoder.dim = 2;

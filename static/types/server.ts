// ServerEncoder as a page uses it, and what must not compile.

import { EncoderMismatchError, Vantage, VantageError } from '../lib/index.js';
import {
  BusyError,
  RefusedError,
  ServerEncoder,
  WireError,
  mergePerspectives,
  perspectiveShares,
  readerPrompt,
} from '../lib/server.js';
import type {
  PerspectiveFound,
  PerspectiveHit,
  PerspectiveView,
  PerspectivesDone,
  PerspectivesEvent,
  PerspectivesOptions,
  ServerModel,
  ServerOptions,
  ServerState,
} from '../lib/server.js';

const options: ServerOptions = { key: 'k', dtype: 'f16', deadline: 1000, patience: 500 };
const encoder = new ServerEncoder('https://encode.example/', options);
new ServerEncoder(new URL('https://encode.example/'));
await Vantage.open('collection/', { encoder });
await Vantage.create({ encoder });

const url: string = encoder.url;
const state: ServerState = encoder.state;
const error: VantageError | null = encoder.error;
const model: ServerModel | null = encoder.model;
const revision: string = encoder.id + encoder.revision;
const milliseconds: number = encoder.roundTrip + encoder.dim;
await encoder.ready;
const vectors: Float32Array[] = await encoder.encode(new Set(['a']), 'none', { signal: new AbortController().signal });
await encoder.encode(['a']);
encoder.addEventListener('state', () => encoder.state === 'down');
const [domain]: string[] = await encoder.domains({ signal: new AbortController().signal });
const asking: PerspectivesOptions = { domain, threshold: 0.5, signal: new AbortController().signal };
const views: PerspectiveView[] = [];
const rankings: (readonly PerspectiveHit[])[] = [];
const vantage = await Vantage.open('collection/', { encoder });
let usage: PerspectivesDone['usage'] | undefined;
for await (const event of encoder.perspectives('night trains', asking)) {
  if (event.type === 'query') {
    views.push(event);
    rankings.push((await vantage.search({ query: event.vector, method: 'none' })).hits);
  } else if (event.type === 'done') ({ usage } = event);
}
const found: PerspectiveFound[] = mergePerspectives(views, rankings, 100);
const shares: number[] = perspectiveShares([{ weight: 1 }], 100);
const texts = (await vantage.documents(found.map(({ index }) => index))).map(({ text }) => text);
export const prompt: string = readerPrompt('night trains', texts);
const all: AsyncIterable<PerspectivesEvent> = encoder.perspectives('night trains');
export const asked = [usage?.requests, usage?.promptTokens, usage?.replyTokens, shares, all];
encoder.close();
export const told = [url, state, error, model, revision, milliseconds, vectors];

const status: number | undefined = new RefusedError('refused').status;
const wait: number | null = new BusyError('busy').retryAfter;
const base: VantageError = new WireError(`a frame ${status} ${wait}`);
export const known = base instanceof EncoderMismatchError;

// @ts-expect-error: an address is needed
new ServerEncoder();
// @ts-expect-error: there is no such type of components
new ServerEncoder('/', { dtype: 'f64' });
// @ts-expect-error: a list of texts
await encoder.encode(1);
// @ts-expect-error: there is no such role
await encoder.encode(['a'], 'title');
// @ts-expect-error: it is read-only
encoder.state = 'open';
// @ts-expect-error: there is no such state
encoder.state === 'lost';
// @ts-expect-error: a query is needed
encoder.perspectives();
// @ts-expect-error: a view has a weight
mergePerspectives([{ perspective: 0 }], [], 10);

// ServerEncoder as a page uses it, and what must not compile.

import { EncoderMismatchError, Vantage, VantageError } from '../lib/index.js';
import { RefusedError, ServerEncoder, WireError } from '../lib/server.js';
import type { ServerModel, ServerOptions, ServerState } from '../lib/server.js';

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
encoder.close();
export const told = [url, state, error, model, revision, milliseconds, vectors];

const status: number | undefined = new RefusedError('refused').status;
const base: VantageError = new WireError(`a frame ${status}`);
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

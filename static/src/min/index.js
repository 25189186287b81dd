// The library in one file, vantage.min.js, which is also the script of its worker.

import { started } from './start.js';
import { listen } from '../worker/listen.js';

export * from '../index.js';

if (started) listen();

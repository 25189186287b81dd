// The script of a worker. A page may start this file itself, or import it from a worker of its
// own, and hand the worker to Vantage.open.

import { listen } from './worker/listen.js';

listen();

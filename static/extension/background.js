// The service worker of Chrome. Listeners are registered at the top level, because each event may start it anew.

import { listen } from './background/listen.js';
import * as offscreen from './background/offscreen.js';

listen(offscreen);

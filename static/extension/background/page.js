// The event page of Firefox, in which the engine runs too.

import { serve } from '../engine/serve.js';
import { listen } from './listen.js';

listen(null);
serve();

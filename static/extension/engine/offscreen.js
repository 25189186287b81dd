// The offscreen document of Chrome.

import { serve } from './serve.js';

serve();

// What an engine can measure. Loaded where it is first asked for: pages that
// do not evaluate pay nothing for it.

import { judge } from './judge.js';

/** Tasks by name: (core, input, signal) => result. */
export const tasks = { judge };

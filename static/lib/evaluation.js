// What an engine can measure. Loaded where it is first asked for: pages that
// do not evaluate pay nothing for it.

import { judge } from './judge.js';
import { compare, evaluate } from './trec.js';

/** Tasks by name: (core, input, signal) => result, or a promise of it. */
export const tasks = { judge, evaluate, compare };

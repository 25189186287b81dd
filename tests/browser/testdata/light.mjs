// Calls a function of light.js under Node.js. Standard input has [library, name, argument]; the output is the JSON of
// the answer.

import { text } from 'node:stream/consumers';
import * as light from './light.js';

const [library, name, argument] = JSON.parse(await text(process.stdin));
console.log(JSON.stringify(await light[name](await import(library), argument)));

// The rules that come with the extension.

import file from './bundled.json' with { type: 'json' };

/** @typedef {import('../types.d.ts').Rule} Rule */

export const BUNDLED = /** @type {Rule[]} */ (file.rules);

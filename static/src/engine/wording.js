// What the wording of a query asks for.

import * as abi from './abi.js';

/**
 * @import { Reading } from '../../lib/index.d.ts'
 * @import { Core } from './core.js'
 */

/**
 * The sides that a query may ask for, as the core numbers them.
 * @type {Reading['side'][]}
 */
const SIDES = [null, 'for', 'against'];

export class Wording {
  /**
   * @param {Core} core
   * @param {{reading: number, mend: () => void}} encoder whose model helps, if it has one that reads queries
   */
  constructor(core, encoder) {
    this.core = core;
    this.encoder = encoder;
  }

  /**
   * What a query's wording asks for, or null. While the encoder loads, the grammar alone reads.
   * @param {string} text
   * @returns {Reading|null}
   */
  split(text) {
    this.encoder.mend();
    return this.core.scoped((scope) => {
      const found = scope.reserve(abi.SplitInfo.size);
      if (this.core.checked('query_split', this.encoder.reading, ...scope.text(text), found) === 0) return null;
      const field = abi.SplitInfo;
      const view = this.core.view(found, field.size);
      /**
       * @param {number} at
       * @param {number} length
       */
      const read = (at, length) => this.core.text(view.getUint32(at, true), view.getUint32(length, true));
      return {
        root: read(field.root, field.rootLength),
        perspective: read(field.perspective, field.perspectiveLength),
        kind: read(field.kind, field.kindLength),
        side: SIDES[view.getUint32(field.side, true)],
        both: view.getUint32(field.both, true) === 1,
      };
    });
  }

  /**
   * Which side a perspective asks for: 1 to support, -1 to oppose, 0 neither.
   * @param {string} text
   */
  stance(text) {
    return this.core.scoped((scope) => [0, 1, -1][this.core.checked('query_stance', ...scope.text(text))]);
  }
}

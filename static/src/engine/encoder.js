// A static text encoder inside the engine. (session.js chooses between the engine's
// encoder and one of the page; model.js is a transformer.)

import * as abi from './abi.js';

export class Encoder {
  /**
   * @param {import('./core.js').Core} core
   * @param {import('./files.js').EncoderFiles<Uint8Array>} files
   */
  constructor(core, { tokenizer, weights, config }) {
    this.core = core;
    this.handle = core.scoped((scope) => {
      const table = scope.copy(weights);
      const handle = core.checked(
        'encoder_open',
        scope.copy(tokenizer),
        tokenizer.length,
        table,
        weights.length,
        scope.copy(config),
        config.length,
      );
      scope.disown(table);
      return handle;
    });
    this.dim = core.checked('encoder_dim', this.handle);
  }

  /**
   * @param {string} text
   * @param {unknown} [_role] it has no prompts
   * @returns {{vector: Float32Array, tokens: number, unknown: number, truncated: boolean}}
   *   tokens includes unknown ones; the vector is zero if all are unknown
   */
  encode(text, _role) {
    return this.core.scoped((scope) => {
      const vector = scope.reserve(4 * this.dim);
      const info = scope.reserve(abi.EncodeInfo.size);
      this.core.checked('encoder_encode', this.handle, ...scope.text(text), vector, info);
      const out = this.core.view(info, abi.EncodeInfo.size);
      return {
        vector: this.core.floats(vector, this.dim).slice(),
        tokens: out.getUint32(abi.EncodeInfo.tokens, true),
        unknown: out.getUint32(abi.EncodeInfo.unknown, true),
        truncated: out.getUint32(abi.EncodeInfo.truncated, true) !== 0,
      };
    });
  }

  close() {
    if (!this.core.lost) this.core.checked('encoder_close', this.handle);
  }
}

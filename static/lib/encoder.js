// The static text encoder that a collection carries, inside the engine.

import * as abi from './abi.js';
import { EncoderMismatchError } from './errors.js';

/** Least cosine between a canary's vector and the one computed here. */
const CANARY_COSINE = 0.9999;

export class Encoder {
  /**
   * @param {import('./core.js').Core} core
   * @param {{tokenizer: Uint8Array, weights: Uint8Array, config: Uint8Array}} files
   */
  constructor(core, { tokenizer, weights, config }) {
    this.core = core;
    this.handle = core.scoped((scope) => {
      const table = scope.copy(weights);
      const handle = core.checked('encoder_open', scope.copy(tokenizer), tokenizer.length, table, weights.length, scope.copy(config), config.length);
      scope.disown(table);
      return handle;
    });
    this.dim = core.checked('encoder_dim', this.handle);
  }

  /**
   * @param {string} text
   * @returns {{vector: Float32Array, tokens: number, unknown: number, truncated: boolean}}
   *   tokens counts the unknown ones too; the vector is zero where all are
   */
  encode(text) {
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

  /**
   * Encodes the collection's canaries: an encoder other than the one that made
   * the vectors would rank silently wrong.
   * @param {{text: string, vector: number[]}[]} canaries
   * @param {{id: string, revision: string}} model
   * @throws {EncoderMismatchError}
   */
  check(canaries, model) {
    const named = `${model.id} ${model.revision}`.trim();
    for (const { text, vector } of canaries) {
      if (vector.length !== this.dim) {
        throw new EncoderMismatchError(`the encoder gives ${this.dim} dimensions, the vectors of ${named} have ${vector.length}: index the corpus again`);
      }
      const similarity = cosine(this.encode(text).vector, vector);
      if (!(similarity >= CANARY_COSINE)) {
        throw new EncoderMismatchError(`the encoder does not match the vectors of ${named}: ${JSON.stringify(text.slice(0, 60))} has cosine ${similarity.toFixed(4)}, expected at least ${CANARY_COSINE}: index the corpus again with the encoder that it carries`, { cosine: similarity });
      }
    }
  }

  close() {
    if (!this.core.lost) this.core.checked('encoder_close', this.handle);
  }
}

/** Cosine of two vectors; 1 for two zero ones, 0 for one. */
function cosine(a, b) {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    dot += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  if (aa === 0 && bb === 0) return 1;
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
}

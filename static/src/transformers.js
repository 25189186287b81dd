// A model that runs in the page under transformers.js, as an encoder:
//
//   import { TransformersEncoder } from './lib/transformers.js';
//   const encoder = await TransformersEncoder.load('onnx-community/all-MiniLM-L6-v2-ONNX', {
//     transformers: () => import('@huggingface/transformers'),
//   });
//   const vantage = await Vantage.open('collection/', { encoder });
//
// The page provides the package; this module imports nothing of it. Types: transformers.d.ts.

import { byPage, checkedOnce } from './collection/encoding.js';
import { checkPrompt } from './collection/prompt.js';
import { FormatError, InputError } from './errors.js';

/**
 * @import { Opened } from './collection/collection.js'
 * @import { TextRole } from '../lib/index.d.ts'
 * @import { TransformersEncoder as Declared, TransformersOptions } from '../lib/transformers.d.ts'
 */

/** Number of texts in a batch. */
const BATCH = 32;

/** @implements {Declared} */
export class TransformersEncoder {
  /** @type {typeof Declared.load} */
  static async load(model, { transformers, pipeline: settings, ...options }) {
    const { pipeline } = await transformers();
    return new TransformersEncoder(await pipeline('feature-extraction', model, settings), {
      id: model,
      revision: settings?.revision,
      ...options,
    });
  }

  /** @type {true} texts stay in the page */
  local = true;
  #extractor;
  /** @type {Promise<unknown>} one call of the model after the other */
  #turn = Promise.resolve();

  /**
   * @param {any} extractor a pipeline for feature extraction; any: it comes from the page and is
   *   checked here
   * @param {TransformersOptions} [options]
   */
  constructor(
    extractor,
    {
      id = 'transformers.js',
      revision = '',
      dim = extractor?.model?.config?.hidden_size,
      pooling = 'mean',
      normalize = true,
      prompts = {},
      batch = BATCH,
    } = {},
  ) {
    if (typeof extractor !== 'function') {
      throw new InputError(
        "TransformersEncoder takes a pipeline of transformers.js: await pipeline('feature-extraction', MODEL)",
      );
    }
    if (!Number.isInteger(dim) || dim < 1) {
      throw new InputError(`dim is ${dim}, must be the number of components of the model's vectors`);
    }
    if (!Number.isInteger(batch) || batch < 1) {
      throw new InputError(`batch is ${batch}, must be a whole number from 1`);
    }
    this.#extractor = extractor;
    this.id = id;
    this.revision = revision;
    this.dim = dim;
    this.pooling = pooling;
    this.normalize = normalize;
    this.prompts = prompts;
    this.batch = batch;
  }

  /** @type {Declared['encode']} */
  async encode(texts, role = 'query', { signal } = {}) {
    const prompt = this.#prompt(role);
    const prompted = Array.from(texts, (text) => prompt + text);
    /** @type {Float32Array[]} */
    const vectors = [];
    for (let at = 0; at < prompted.length; at += this.batch) {
      const turn = this.#turn.then(() => {
        signal?.throwIfAborted();
        return this.#run(prompted.slice(at, at + this.batch));
      });
      this.#turn = turn.catch(() => {});
      vectors.push(...(await turn));
    }
    return vectors;
  }

  /**
   * Makes this the encoder of a collection, once it is checked: the canaries tell the prompt of documents alone.
   * @param {Pick<Opened, 'checks'>} opened of an engine
   */
  async join({ checks }) {
    const { model } = checks;
    const remedy = `load it with prompts: ${JSON.stringify(model.prompts ?? {})}`;
    checkPrompt(`the encoder ${this.id}`, this.prompts, model, remedy);
    const encode = checkedOnce(byPage(this), checks, this.dim);
    await encode([], 'query');
    return encode;
  }

  /**
   * The prompt of a role. Root and perspective use the prompt of queries unless they
   * have their own.
   * @param {TextRole} role
   */
  #prompt(role) {
    const { prompts } = this;
    return prompts[role] ?? (role === 'root' || role === 'perspective' ? prompts.query : undefined) ?? '';
  }

  /** @param {string[]} texts */
  async #run(texts) {
    const { dim } = this;
    /** @type {any} any: it comes from the page's library and is checked here */
    const tensor = await this.#extractor(texts, { pooling: this.pooling, normalize: this.normalize });
    const { type, dims, data } = tensor ?? {};
    if (
      type !== 'float32' ||
      dims?.length !== 2 ||
      dims[0] !== texts.length ||
      dims[1] !== dim ||
      data?.length !== texts.length * dim
    ) {
      throw new FormatError(
        `the model gives a tensor of ${type} [${dims}] for ${texts.length} texts, expected float32 ` +
          `[${texts.length},${dim}]: see dim and pooling`,
      );
    }
    const vectors = texts.map((_, i) => Float32Array.from(data.subarray(i * dim, (i + 1) * dim)));
    tensor.dispose?.();
    return vectors;
  }
}

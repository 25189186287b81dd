// Types of transformers.js: a model that runs under transformers.js as an encoder.
import type { PageEncoder, TextRole } from './index.js';

/** A pipeline for feature extraction, as `pipeline('feature-extraction', …)` of transformers.js makes it. */
export interface Extractor {
  (
    texts: string[],
    options: { pooling: any; normalize: boolean },
  ): Promise<{ type: string; dims: readonly number[]; data: unknown }>;
}

export interface TransformersOptions {
  /** Id of the model in answers; default: its name. */
  id?: string;
  revision?: string;
  /** Components of a vector; default: `hidden_size` of the model's settings. */
  dim?: number;
  /** How the vectors of a text's tokens are pooled; default "mean". */
  pooling?: 'mean' | 'cls' | 'first_token' | 'eos' | 'last_token';
  /** Whether vectors are normalised to length 1; default true. */
  normalize?: boolean;
  /**
   * Prompts that are prepended to texts, by their role; "root" and "perspective" default to that of "query". A collection
   * that was made with another prompt for queries or documents refuses the encoder.
   */
  prompts?: { [role in TextRole]?: string };
  /** Number of texts in a batch; default 32. */
  batch?: number;
}

export interface LoadOptions extends TransformersOptions {
  /** Loads the package: `() => import('@huggingface/transformers')`. */
  transformers: () => Promise<{ pipeline: (task: 'feature-extraction', model: string, options?: any) => Promise<any> }>;
  /** Options of `pipeline`, such as `dtype` and `device`. */
  pipeline?: { revision?: string; [option: string]: unknown };
}

/** Encodes texts in the page with a model under transformers.js, one batch after the other. */
export class TransformersEncoder implements PageEncoder {
  /** Loads a model by the name under which transformers.js knows it. */
  static load(model: string, options: LoadOptions): Promise<TransformersEncoder>;
  constructor(extractor: Extractor, options?: TransformersOptions);
  readonly id: string;
  readonly revision: string;
  readonly dim: number;
  readonly local: true;
  encode(texts: Iterable<string>, role?: TextRole, options?: { signal?: AbortSignal }): Promise<Float32Array[]>;
}

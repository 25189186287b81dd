// Times other encoders in the same page: ONNX Runtime Web and transformers.js with the
// same weights, each on one thread of WebAssembly.

/** @typedef {{[peer: string]: (text: string) => Promise<ArrayLike<number>>}} Peers text to vector */

const RUNTIME = new URL('/onnxruntime/', location.href).href;
const TRANSFORMERS = new URL('/transformers/transformers.min.js', location.href).href;

/**
 * Sessions of ONNX Runtime Web. They take token ids. All words of a text are the same and their
 * id is given, so that the times lack those of a real tokenizer.
 * @param {string} models URL of the folder with the graphs
 * @param {(text: string) => number[]} tokenize
 */
async function onnxRuntime(models, tokenize) {
  const ort = await import(`${RUNTIME}ort.wasm.min.mjs`);
  Object.assign(ort.env.wasm, { wasmPaths: RUNTIME, numThreads: 1 });
  /** @type {{[name: string]: any}} */
  const sessions = {
    'ONNX Runtime Web, float32': await ort.InferenceSession.create(`${models}onnx/model.onnx`),
    'ONNX Runtime Web, int8': await ort.InferenceSession.create(`${models}onnx/model_quantized.onnx`),
  };
  return Object.fromEntries(
    Object.entries(sessions).map(([name, session]) => [
      name,
      async (/** @type {string} */ text) => {
        const ids = tokenize(text);
        const tensor = (/** @type {number[]} */ values) =>
          new ort.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
        const { last_hidden_state: states } = await session.run({
          input_ids: tensor(ids),
          attention_mask: tensor(ids.map(() => 1)),
        });
        return states.data;
      },
    ]),
  );
}

/**
 * Pipelines of transformers.js, from a text to its vector.
 * @param {string} models URL of the folder with the models
 * @param {string} name of the model's folder
 */
async function transformers(models, name) {
  const { env, pipeline } = await import(TRANSFORMERS);
  Object.assign(env, {
    allowRemoteModels: false,
    allowLocalModels: true,
    localModelPath: models,
    useBrowserCache: false,
  });
  Object.assign(env.backends.onnx.wasm, { wasmPaths: RUNTIME, numThreads: 1 });
  /** @type {Peers} */
  const peers = {};
  for (const [label, dtype] of [
    ['float32', 'fp32'],
    ['int8', 'q8'],
  ]) {
    const extractor = await pipeline('feature-extraction', name, { dtype, device: 'wasm' });
    peers[`transformers.js, ${label}`] = async (text) =>
      (await extractor(text, { pooling: 'mean', normalize: true })).data;
  }
  return peers;
}

/**
 * Milliseconds of each encoder for texts of so many tokens, in turns, and the least cosine
 * of each peer's vectors with ours.
 * @param {(text: string) => Float32Array} ours
 * @param {{word: string, ids: number[], lengths: number[], rounds: number}} work ids of
 *   the special token that opens a text, the word, and the one that closes it
 */
export async function race(ours, { word, ids: [opening, id, closing], lengths, rounds }) {
  const text = (/** @type {number} */ tokens) =>
    Array(tokens - 2)
      .fill(word)
      .join(' ');
  const tokenize = (/** @type {string} */ text) => [opening, ...text.split(' ').map(() => id), closing];
  /** @type {Peers} */
  const all = {
    Vantage: async (text) => ours(text),
    ...(await onnxRuntime('/models/model/', tokenize)),
    ...(await transformers('/models/', 'model')),
  };
  /** @type {{[name: string]: {times: {[tokens: number]: number[]}, cosine: number}}} */
  const result = {};
  for (const [name, encode] of Object.entries(all)) {
    result[name] = { times: Object.fromEntries(lengths.map((tokens) => [tokens, []])), cosine: 1 };
    for (const tokens of lengths) {
      const vector = Float32Array.from(ours(text(tokens)));
      result[name].cosine = Math.min(
        result[name].cosine,
        cosine(vector, mean(await encode(text(tokens)), vector.length)),
      );
    }
  }
  for (let round = -2; round < rounds; round++) {
    for (const tokens of lengths) {
      for (const [name, encode] of Object.entries(all)) {
        const from = performance.now();
        await encode(text(tokens));
        if (round >= 0) result[name].times[tokens].push(performance.now() - from);
      }
    }
  }
  return result;
}

/**
 * The sum of the vectors that follow each other in states: it has the direction of their mean.
 * @param {ArrayLike<number>} states
 * @param {number} dim
 */
function mean(states, dim) {
  const sum = new Float64Array(dim);
  for (let i = 0; i < states.length; i++) sum[i % dim] += states[i];
  return sum;
}

/**
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 */
function cosine(a, b) {
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    ab += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return ab / Math.sqrt(aa * bb);
}

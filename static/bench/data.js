// Random rows as vector files, and an encoder of the same dimension.

/** Rows of one file: 4 MB at most, as collections have them. */
const FILE_BYTES = 4_000_000;

/**
 * Mulberry32: the same rows on every run.
 * @param {number} seed
 */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
}

/**
 * A safetensors file; tensors are [name, dtype, shape, bytes].
 * @param {[name: string, dtype: string, shape: number[], bytes: Uint8Array][]} tensors
 * @returns {{file: Uint8Array, offsets: {[name: string]: number}}}
 */
function safetensors(tensors) {
  /** @type {{[name: string]: {dtype: string, shape: number[], data_offsets: number[]}}} */
  const header = {};
  let at = 0;
  for (const [name, dtype, shape, bytes] of tensors) {
    header[name] = { dtype, shape, data_offsets: [at, at + bytes.length] };
    at += bytes.length;
  }
  let text = JSON.stringify(header);
  text += ' '.repeat(-(text.length + 8) & 63); // data begins at a multiple of 64
  const file = new Uint8Array(8 + text.length + at);
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
  file.set(new TextEncoder().encode(text), 8);
  /** @type {{[name: string]: number}} */
  const offsets = {};
  for (const [name, , , bytes] of tensors) {
    offsets[name] = 8 + text.length + header[name].data_offsets[0];
    file.set(bytes, offsets[name]);
  }
  return { file, offsets };
}

const raw = (/** @type {ArrayBufferView} */ array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/**
 * A source of the components of random rows whose cosines are spread as those of real texts: with a standard
 * deviation of 0.1, as among vectors of a hundred components, since the others are small. Components are within ±1.
 * @param {() => number} next
 * @param {number} d
 * @returns {(j: number) => number} component j of the next row
 */
function components(next, d) {
  const large = Math.min(100, d);
  return (j) => ((next() | 0) / 2 ** 31) * (j < large ? 1 : 0.1);
}

/**
 * Vector files with n random rows of d dimensions together.
 * @param {'F32'|'I8'} dtype
 * @param {number} n
 * @param {number} d
 * @param {Float32Array} [near] a unit vector; of a thousand rows, one has a cosine of about 0.55 to it
 * @yields {{first: number, rows: number, file: Uint8Array, offset: number, scales: number}}
 *   offset: of the vectors in the file; scales: of their scales
 */
export function* vectorFiles(dtype, n, d, near) {
  const next = random(dtype === 'I8' ? 1 : 2);
  const component = components(next, d);
  const rowBytes = d * (dtype === 'I8' ? 1 : 4);
  const most = Math.floor(FILE_BYTES / rowBytes);
  for (let first = 0; first < n; first += most) {
    const rows = Math.min(most, n - first);
    const vectors = dtype === 'I8' ? new Int8Array(rows * d) : new Float32Array(rows * d);
    const unit = dtype === 'I8' ? 127 : 0.1;
    for (let i = 0; i < rows; i++) {
      const mixed = near && (first + i) % 1000 === 500;
      for (let j = 0; j < d; j++) {
        let v = component(j);
        // A row is about √(100 / 3) = 5.8 long, so the part of near is 0.55 of the length.
        if (mixed) v = Math.max(-1, Math.min(1, 0.83 * v + 0.55 * 5.8 * near[j]));
        vectors[i * d + j] = v * unit;
      }
    }
    /** @type {Parameters<typeof safetensors>[0]} */
    const tensors = [['vectors', dtype, [rows, d], raw(vectors)]];
    if (dtype === 'I8') {
      const scales = new Float32Array(rows).map(() => 0.0005 + (next() / 2 ** 32) * 0.0005);
      tensors.push(['scales', 'F32', [rows], raw(scales)]);
    }
    const { file, offsets } = safetensors(tensors);
    yield { first, rows, file, offset: offsets.vectors, scales: offsets.scales };
  }
}

/**
 * The files of a static encoder with random vectors for this tokenizer.
 * @param {Uint8Array} tokenizer
 * @param {number} d
 */
export function encoderFiles(tokenizer, d) {
  const tokens = Object.keys(JSON.parse(new TextDecoder().decode(tokenizer)).model.vocab).length;
  const component = components(random(3), d);
  const embeddings = new Int8Array(tokens * d).map((_, i) => component(i % d) * 127);
  const scales = new Float32Array(tokens).fill(0.001);
  const { file } = safetensors([
    ['embeddings', 'I8', [tokens, d], raw(embeddings)],
    ['scales', 'F32', [tokens], raw(scales)],
  ]);
  const config = new TextEncoder().encode(
    JSON.stringify({
      model_type: 'model2vec',
      architectures: ['StaticModel'],
      normalize: true,
      hidden_dim: d,
      vocab_size: tokens,
      seq_length: 512,
      unk_token: '[UNK]',
      drop_unk: true,
      add_special_tokens: false,
      embedding_dtype: 'float32',
    }),
  );
  return { tokenizer, weights: file, config };
}

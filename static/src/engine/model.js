// A transformer inside the engine. It is read from a pack, file by file; the comment
// of internal/wasm/pack describes packs.

import * as abi from './abi.js';

/**
 * @import { TextRole } from '../../lib/index.d.ts'
 * @typedef {'vocabulary'|'trunk'|'branch'|'reader'} SectionName
 * @typedef {{path: string, bytes: number, sha256: string}} PackFile its path starts from the pack's folder
 * @typedef {{name: string, shape: number[], encoding: 'q4'|'q8'|'f16'|'f32', offset: number}} Tensor
 * @typedef {{name: SectionName, files: PackFile[], tensors?: Tensor[]}} Section
 */

/**
 * The part of a pack.json that is used here.
 * @typedef {object} PackManifest
 * @property {string} id
 * @property {string} revision
 * @property {PackConfig} config
 * @property {{[role: string]: string}} [prompts]
 * @property {{[name: string]: number[]}} [numbers]
 * @property {{[name: string]: string[]}} [texts]
 * @property {Section[]} sections
 */

/**
 * tokens: of a ColBERT, whose texts have a vector for each token.
 * @typedef {object} PackConfig
 * @property {number} hidden
 * @property {number} vocabulary
 * @property {{out: number}[]} [dense]
 * @property {{dimension: number}|null} [branch]
 * @property {{dimension: number, query_length: number, document_length: number}|null} [tokens]
 */

/** @typedef {'vector'|'both'|'angle'} Parts of a text's encoding: without its angle, with it, or the angle alone */

const SECTIONS = {
  vocabulary: abi.SECTION_VOCABULARY,
  trunk: abi.SECTION_TRUNK,
  branch: abi.SECTION_BRANCH,
  reader: abi.SECTION_READER,
};

/** Names that models give to the prompt of documents, in the order of internal/encoder. */
const DOCUMENT_PROMPTS = ['document', 'passage', 'corpus', 'context'];

/** Bytes of memory for a piece of the vocabulary beside its text. */
const PIECE_MEMORY = 96;

export class Model {
  /**
   * @param {import('./core.js').Core} core
   * @param {Uint8Array} json content of pack.json
   */
  constructor(core, json) {
    this.core = core;
    this.handle = core.scoped((scope) => core.checked('model_open', scope.copy(json), json.length));
    // The core has checked it as a whole, so its numbers can be relied on.
    /** @type {PackManifest} */
    this.pack = JSON.parse(new TextDecoder().decode(json));
    const { hidden, dense, branch, tokens } = this.pack.config;
    /** Of a ColBERT: it gives each token of a text a vector, and none to the whole. */
    this.tokens = tokens ?? null;
    /** Components of a vector. */
    this.dim = tokens?.dimension ?? dense?.at(-1)?.out ?? hidden;
    /** Components of a branch's vector; 0: the model has no branch. */
    this.angleDim = branch?.dimension ?? 0;
  }

  /**
   * The files of a section, in the order in which they must be read.
   * @param {SectionName} name
   * @returns {PackFile[]}
   */
  files(name) {
    return this.section(name)?.files ?? [];
  }

  /** @param {SectionName} name */
  section(name) {
    return this.pack.sections.find((section) => section.name === name);
  }

  /**
   * For each file of a section, the last file that must be here before the engine reads it.
   * The engine makes room for a tensor when the first of its bytes come, and a pack.json may
   * announce hundreds of megabytes that no file has. So a file waits for the last file of
   * each tensor that begins in it. A vocabulary is read as a whole.
   * @param {SectionName} name
   * @returns {number[]} indexes of files
   */
  companions(name) {
    const { files = [], tensors } = this.section(name) ?? {};
    if (!tensors?.length) return files.map(() => files.length - 1);
    const ends = [...tensors.slice(1).map(({ offset }) => offset), Infinity];
    let at = 0;
    const borders = files.map(({ bytes }) => (at += bytes));
    let tensor = 0;
    let last = 0;
    return borders.map((border, i) => {
      for (; tensor < tensors.length && tensors[tensor].offset < border; tensor++) {
        while (last < files.length - 1 && borders[last] < ends[tensor]) last++;
      }
      return Math.max(i, last);
    });
  }

  /**
   * Bytes of the engine's memory that a section takes once it is read: Manifest.Memory
   * of internal/wasm/pack.
   * @param {SectionName} name
   */
  memory(name) {
    const { files = [], tensors = [] } = this.section(name) ?? {};
    if (name === 'vocabulary') {
      return files.reduce((sum, { bytes }) => sum + 2 * bytes, PIECE_MEMORY * this.pack.config.vocabulary);
    }
    return tensors.reduce((sum, { shape, encoding }) => {
      const values = shape.reduce((product, n) => product * n, 1);
      return sum + (encoding === 'q4' || encoding === 'q8' ? values + 4 * shape[0] : 4 * values);
    }, 0);
  }

  /**
   * Reads the next file of a section. The model encodes after the last files of
   * vocabulary and trunk, and has its branch and its reader after the last files of these.
   * @param {SectionName} section
   * @param {Uint8Array} content whose hash has been compared
   */
  read(section, content) {
    this.core.scoped((scope) =>
      this.core.checked('model_file', this.handle, SECTIONS[section], scope.copy(content), content.length),
    );
  }

  /**
   * @param {string} text
   * @param {TextRole} role
   * @param {Parts} [parts] what is not asked for is empty, and not computed
   * @returns {{vector: Float32Array, angle?: Float32Array, tokens: number, unknown: number, truncated: boolean}}
   *   vector: of a ColBERT, those of the text's tokens, one after the other; tokens includes unknown ones, but not the
   *   special ones
   */
  encode(text, role, parts = 'vector') {
    if (this.tokens) return this.encodeTokens(text, role, this.tokens);
    return this.core.scoped((scope) => {
      const [dim, angleDim] = [parts === 'angle' ? 0 : this.dim, parts === 'vector' ? 0 : this.angleDim];
      const vector = dim && scope.reserve(4 * dim);
      const branch = angleDim && scope.reserve(4 * angleDim);
      const info = scope.reserve(abi.EncodeInfo.size);
      this.core.checked('model_encode', this.handle, ...scope.text(this.prompt(role) + text), vector, branch, info);
      return {
        vector: this.core.floats(vector, dim).slice(),
        ...(angleDim && { angle: this.core.floats(branch, angleDim).slice() }),
        ...this.facts(info),
      };
    });
  }

  /**
   * @param {string} text
   * @param {TextRole} role roots and perspectives are queries
   * @param {{query_length: number, document_length: number}} lengths
   */
  encodeTokens(text, role, { query_length, document_length }) {
    const document = role === 'document';
    const room = (document ? document_length : query_length) * this.dim;
    return this.core.scoped((scope) => {
      const vectors = scope.reserve(4 * room);
      const info = scope.reserve(abi.EncodeInfo.size);
      const as = document ? 1 : 0;
      const rows = this.core.checked('model_tokens', this.handle, ...scope.text(text), as, vectors, room, info);
      return { vector: this.core.floats(vectors, rows * this.dim).slice(), ...this.facts(info) };
    });
  }

  /** @param {number} info address of an EncodeInfo */
  facts(info) {
    const out = this.core.view(info, abi.EncodeInfo.size);
    return {
      tokens: out.getUint32(abi.EncodeInfo.tokens, true),
      unknown: out.getUint32(abi.EncodeInfo.unknown, true),
      truncated: out.getUint32(abi.EncodeInfo.truncated, true) !== 0,
    };
  }

  /**
   * What goes before texts of a role. Roots and perspectives have the prompt of queries, as in internal/search. The
   * encode server differs if the model has prompts of their own for them: it takes these.
   * @param {TextRole} role
   */
  prompt(role) {
    const { prompts = {} } = this.pack;
    const names = role === 'document' ? DOCUMENT_PROMPTS : ['query'];
    const name = names.find((name) => Object.hasOwn(prompts, name));
    return name === undefined ? '' : prompts[name];
  }

  close() {
    if (!this.core.lost) this.core.checked('model_close', this.handle);
  }
}

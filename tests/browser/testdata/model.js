// Encodes texts with the model of a pack, in a core of its own.

import * as abi from '/static/src/engine/abi.js';
import { Core } from '/static/src/engine/core.js';
import { loadModules } from '/static/src/engine/modules.js';
import { base64, bytes } from './base64.js';

/**
 * Returns each text's vector and that of the branch.
 * @param {string} manifest in base64
 * @param {{section: number, content: string}[]} files in base64
 * @param {{vector: number, branch: number}} dims
 * @param {string[]} texts
 */
export async function encode(manifest, files, dims, texts) {
  const core = await Core.boot(await loadModules());
  const json = bytes(manifest);
  const model = core.scoped((scope) => core.checked('model_open', scope.copy(json), json.length));
  for (const { section, content } of files) {
    const file = bytes(content);
    core.scoped((scope) => core.checked('model_file', model, section, scope.copy(file), file.length));
  }
  return texts.map((text) =>
    core.scoped((scope) => {
      const vector = scope.reserve(4 * dims.vector);
      const branch = dims.branch ? scope.reserve(4 * dims.branch) : 0;
      core.checked('model_encode', model, ...scope.text(text), vector, branch, scope.reserve(abi.EncodeInfo.size));
      return [base64(core.floats(vector, dims.vector)), base64(core.floats(branch, dims.branch))];
    }),
  );
}

// Encodes texts with the model of a pack, in a core of its own.

import { Core } from '/static/src/engine/core.js';
import { Model } from '/static/src/engine/model.js';
import { loadModules } from '/static/src/engine/modules.js';
import { base64, bytes } from './base64.js';

/**
 * Returns each text's vector and that of the branch, and the bytes of memory that each
 * section is said to take.
 * @param {string} manifest in base64
 * @param {{section: 'vocabulary'|'trunk'|'branch', content: string}[]} files in base64
 * @param {string[]} texts
 * @param {string} [kernel] address of the kernel; by default, the browser's own choice
 */
export async function encode(manifest, files, texts, kernel) {
  const core = await Core.boot(await loadModules({ kernel }));
  const model = new Model(core, bytes(manifest));
  for (const { section, content } of files) model.read(section, bytes(content));
  const vectors = texts.map((text) => {
    const { vector, angle } = model.encode(text, 'query', true);
    return [base64(vector), base64(angle)];
  });
  const memory = Object.fromEntries(model.pack.sections.map(({ name }) => [name, model.memory(name)]));
  model.close();
  return { vectors, memory };
}

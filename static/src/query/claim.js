import { CLAIM_VERBS, PHRASE_WORDS } from '../constants.js';

const VERBS = /* @__PURE__ */ new Set(CLAIM_VERBS.split(' '));

/**
 * The query whose angle tells texts for a root, or against it: the encoder's wording, and the root as a claim. The
 * same in Go: internal/claim.
 * @param {Record<string, string[]>} texts the encoder's tables of texts
 * @param {'for'|'against'} side
 * @param {string} root
 */
export const asking = (texts, side, root) => texts[side][0] + claimOf(texts, root);

/**
 * A root as a claim. Models that tell sides apart learn them from claims, so a root of a few words without a verb
 * ("school uniforms") is put after the encoder's wording for phrases, if it has one.
 * @param {Record<string, string[]>} texts
 * @param {string} root
 */
function claimOf(texts, root) {
  const words = root.replaceAll('’', "'").match(/[A-Za-z']+/g) ?? [];
  const verb = (/** @type {string} */ word) => VERBS.has(word.toLowerCase()) || /(?:n't|'re|'ve|'ll)$/i.test(word);
  const claims = words.length > PHRASE_WORDS || words.some(verb);
  return texts.phrase?.length && !claims ? texts.phrase[0] + root : root;
}

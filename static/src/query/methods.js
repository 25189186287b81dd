// The scoring methods, for menus and help: any name or alias goes into
// `method` of a search. Mirrors perspective, where they are computed; a
// test holds the two together.

import { QueryError } from '../errors.js';

/** The method that ranks by words alone, which searches take beside METHODS. */
export const WORDS = 'bm25';

/** @type {readonly import('../../lib/index.d.ts').Method[]} */
export const METHODS = Object.freeze([
  {
    name: 'query_cosine',
    aliases: ['none', 'cosine'],
    summary: 'Plain cosine of the whole query; the perspective counts only as far as the query names it.',
    formula: 'cos(q, c)',
    needs: [],
    lambda: false,
  },
  {
    name: 'source_cosine',
    aliases: ['root'],
    summary: 'Plain cosine of the root query, without any perspective.',
    formula: 'cos(r, c)',
    needs: ['root'],
    lambda: false,
  },
  {
    name: 'vec_add',
    aliases: ['add'],
    summary: 'Sum of root and perspective.',
    formula: 'cos(r + p, c)',
    needs: ['root', 'perspective'],
    lambda: false,
  },
  {
    name: 'add+',
    aliases: ['add-plus'],
    summary:
      "Sum of root and perspective, the perspective added to every entry too (the paper's Table 8 as we read it).",
    formula: 'cos(r + p, c + p)',
    needs: ['root', 'perspective'],
    lambda: false,
  },
  {
    name: 'vec_concat',
    aliases: ['concat', 'vec_dual_concat'],
    summary: 'Root and perspective side by side; the entry is compared with the root, and the perspective with itself.',
    formula: 'cos([r; p], [c; p])',
    needs: ['root', 'perspective'],
    lambda: false,
  },
  {
    name: 'vec_aug_add',
    aliases: ['aug-add'],
    summary: 'Sum of the whole query and the perspective.',
    formula: 'cos(q + p, c)',
    needs: ['perspective'],
    lambda: false,
  },
  {
    name: 'vec_aug_concat',
    aliases: ['aug-concat'],
    summary: 'Whole query and perspective side by side.',
    formula: 'cos([q; p], [c; p])',
    needs: ['perspective'],
    lambda: false,
  },
  {
    name: 'vec_cast_single',
    aliases: ['root-cast'],
    summary: 'Root minus perspective.',
    formula: 'cos(r - p, c)',
    needs: ['root', 'perspective'],
    lambda: false,
  },
  {
    name: 'vec_cast',
    aliases: ['root-cast+', 'root-cast-plus'],
    summary: 'Root minus perspective, the perspective subtracted from every entry too.',
    formula: 'cos(r - p, c - p)',
    needs: ['root', 'perspective'],
    lambda: false,
  },
  {
    name: 'vec_aug_cast_single',
    aliases: ['cast'],
    summary: 'Whole query minus perspective.',
    formula: 'cos(q - p, c)',
    needs: ['perspective'],
    lambda: false,
  },
  {
    name: 'vec_aug_cast',
    aliases: ['cast+', 'cast-plus'],
    summary: 'Whole query minus perspective, the perspective subtracted from every entry too.',
    formula: 'cos(q - p, c - p)',
    needs: ['perspective'],
    lambda: false,
  },
  {
    name: 'additive',
    aliases: ['dual-sum'],
    summary: "Sum of two scores, the root's and the perspective's.",
    formula: 'cos(r, c) + cos(p, c)',
    needs: ['root', 'perspective'],
    lambda: false,
  },
  {
    name: 'additive_aug',
    aliases: ['aug-dual-sum'],
    summary: "Sum of two scores, the whole query's and the perspective's.",
    formula: 'cos(q, c) + cos(p, c)',
    needs: ['perspective'],
    lambda: false,
  },
  {
    name: 'additive_tripple',
    aliases: ['tri-sum', 'additive_triple'],
    summary: "Sum of three scores, the root's, the whole query's and the perspective's.",
    formula: 'cos(r, c) + cos(q, c) + cos(p, c)',
    needs: ['root', 'perspective'],
    lambda: false,
  },
  {
    name: 'vec_projection',
    aliases: ['pap'],
    summary: 'Perspective-aware projection: what the perspective says is taken out of the query.',
    formula: 'cos(q_λ, c), q_λ = q - λ (q·p / p·p) p',
    needs: ['perspective'],
    lambda: true,
  },
  {
    name: 'vec_dual_projection',
    aliases: ['pap+', 'pap-plus'],
    summary: 'Perspective-aware projection of the query and of every entry.',
    formula: 'cos(q_λ, c_λ), v_λ = v - λ (v·p / p·p) p',
    needs: ['perspective'],
    lambda: true,
  },
  {
    name: 'vec_projection_rev',
    aliases: ['pap-rev'],
    summary: 'The reverse of pap: what the perspective says counts double in the query (pap with λ = -1).',
    formula: 'cos(q + (q·p / p·p) p, c)',
    needs: ['perspective'],
    lambda: false,
  },
  {
    name: 'vec_dual_projection_rev',
    aliases: ['pap+-rev', 'pap-plus-rev'],
    summary: 'The reverse of pap+: what the perspective says counts double in query and entries (pap+ with λ = -1).',
    formula: 'cos(q + (q·p / p·p) p, c + (c·p / p·p) p)',
    needs: ['perspective'],
    lambda: false,
  },
  {
    name: 're-ranking',
    aliases: ['rerank'],
    summary: 'The fifth of the corpus nearest to the root, in the order of root plus perspective score.',
    formula: 'cos(r, c) + cos(p, c) where cos(r, c) >= its 80th percentile, else -100',
    needs: ['root', 'perspective'],
    lambda: false,
  },
  {
    name: 're-ranking_aug',
    aliases: ['rerank-aug'],
    summary: 'The fifth of the corpus nearest to the whole query, in the order of query plus perspective score.',
    formula: 'cos(q, c) + cos(p, c) where cos(q, c) >= its 80th percentile, else -100',
    needs: ['perspective'],
    lambda: false,
  },
]);

/** Refuses the name of a method that a search does not take; the rules are those of internal/search/methods.go. */
export function checkMethod(name) {
  const key = (text) => text.toLowerCase().replaceAll('_', '-');
  if (
    name === WORDS ||
    METHODS.some((method) => [method.name, ...method.aliases].some((known) => key(known) === key(name)))
  ) {
    return;
  }
  throw new QueryError(
    `unknown method ${JSON.stringify(name.slice(0, 64))}: use one of ` +
      `${[...METHODS.map((method) => method.aliases[0] ?? method.name), WORDS].join(', ')}`,
  );
}

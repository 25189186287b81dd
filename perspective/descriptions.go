package perspective

import "slices"

// description says in words what a method does. Only callers' pages and help texts show it, so it stands beside the table,
// and the core, which never shows it, does not contain it.
type description struct{ name, summary, formula string }

// descriptions are those of the methods, in the order of the table.
var descriptions = []description{
	{
		"query_cosine",
		"Plain cosine of the whole query; the perspective counts only as far as the query names it.",
		"cos(q, c)",
	},
	{
		"source_cosine",
		"Plain cosine of the root query, without any perspective.",
		"cos(r, c)",
	},
	{
		"vec_add",
		"Sum of root and perspective.",
		"cos(r + p, c)",
	},
	{
		"add+",
		"Sum of root and perspective, the perspective added to every entry too (the paper's Table 8 as we read it).",
		"cos(r + p, c + p)",
	},
	{
		"vec_concat",
		"Root and perspective side by side; the entry is compared with the root, and the perspective with itself.",
		"cos([r; p], [c; p])",
	},
	{
		"vec_aug_add",
		"Sum of the whole query and the perspective.",
		"cos(q + p, c)",
	},
	{
		"vec_aug_concat",
		"Whole query and perspective side by side.",
		"cos([q; p], [c; p])",
	},
	{
		"vec_cast_single",
		"Root minus perspective.",
		"cos(r - p, c)",
	},
	{
		"vec_cast",
		"Root minus perspective, the perspective subtracted from every entry too.",
		"cos(r - p, c - p)",
	},
	{
		"vec_aug_cast_single",
		"Whole query minus perspective.",
		"cos(q - p, c)",
	},
	{
		"vec_aug_cast",
		"Whole query minus perspective, the perspective subtracted from every entry too.",
		"cos(q - p, c - p)",
	},
	{
		"additive",
		"Sum of two scores, the root's and the perspective's.",
		"cos(r, c) + cos(p, c)",
	},
	{
		"additive_aug",
		"Sum of two scores, the whole query's and the perspective's.",
		"cos(q, c) + cos(p, c)",
	},
	{
		"additive_tripple",
		"Sum of three scores, the root's, the whole query's and the perspective's.",
		"cos(r, c) + cos(q, c) + cos(p, c)",
	},
	{
		"vec_projection",
		"Perspective-aware projection: what the perspective says is taken out of the query.",
		"cos(q_λ, c), q_λ = q - λ (q·p / p·p) p",
	},
	{
		"vec_dual_projection",
		"Perspective-aware projection of the query and of every entry.",
		"cos(q_λ, c_λ), v_λ = v - λ (v·p / p·p) p",
	},
	{
		"vec_projection_rev",
		"The reverse of pap: what the perspective says counts double in the query (pap with λ = -1).",
		"cos(q + (q·p / p·p) p, c)",
	},
	{
		"vec_dual_projection_rev",
		"The reverse of pap+: what the perspective says counts double in query and entries (pap+ with λ = -1).",
		"cos(q + (q·p / p·p) p, c + (c·p / p·p) p)",
	},
	{
		"re-ranking",
		"The fifth of the corpus nearest to the root, in the order of root plus perspective score.",
		"cos(r, c) + cos(p, c) where cos(r, c) >= its 80th percentile, else -100",
	},
	{
		"re-ranking_aug",
		"The fifth of the corpus nearest to the whole query, in the order of query plus perspective score.",
		"cos(q, c) + cos(p, c) where cos(q, c) >= its 80th percentile, else -100",
	},
	{
		"contrast",
		"Root score plus slant: how much more an entry's angle is like the side asked for than like the opposite one.",
		"cos(r, c) + β min(slant, 0.3)",
	},
	{
		"aspect",
		"Query score, plus how much an entry's angle is like that of the query.",
		"cos(q, c) + γ cos(q_angle, c_angle)",
	},
}

// described is a method with its summary and formula. The caller may change it.
func (m *Method) described() Method {
	found := *m
	found.Aliases = slices.Clone(m.Aliases)
	for _, d := range descriptions {
		if d.name == m.Name {
			found.Summary, found.Formula = d.summary, d.formula
		}
	}
	return found
}

package perspective

// table holds the methods: the modes of the paper's notebook in its order, with add+, which only the paper has, and at
// the end those of this project.
//
// A name that ends in + has an alias in -plus, for places in which + has another
// meaning (in a URL it is a space).
var table = []Method{
	{
		Name: "query_cosine", Aliases: []string{"none", "cosine"},
		Summary: "Plain cosine of the whole query; the perspective counts only as far as the query names it.",
		Formula: "cos(q, c)", NeedsQuery: true,
		compile: func(o *operands) (Plan, error) { return o.compare(o.q), nil },
	},
	{
		Name: "source_cosine", Aliases: []string{"root"},
		Summary: "Plain cosine of the root query, without any perspective.",
		Formula: "cos(r, c)", NeedsRoot: true,
		compile: func(o *operands) (Plan, error) { return o.compare(o.r), nil },
	},
	{
		Name: "vec_add", Aliases: []string{"add"},
		Summary: "Sum of root and perspective.",
		Formula: "cos(r + p, c)", NeedsRoot: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return combined(o, o.r, +1) },
	},
	{
		Name: "add+", Aliases: []string{"add-plus"},
		Summary: "Sum of root and perspective, the perspective added to every entry too (the paper's Table 8 as we read it).",
		Formula: "cos(r + p, c + p)", NeedsRoot: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return shifted(o, o.r, +1) },
	},
	{
		Name: "vec_concat", Aliases: []string{"concat", "vec_dual_concat"},
		Summary: "Root and perspective side by side; the entry is compared with the root, and the perspective with itself.",
		Formula: "cos([r; p], [c; p])", NeedsRoot: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return concatenated(o, o.r), nil },
	},
	{
		Name: "vec_aug_add", Aliases: []string{"aug-add"},
		Summary: "Sum of the whole query and the perspective.",
		Formula: "cos(q + p, c)", NeedsQuery: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return combined(o, o.q, +1) },
	},
	{
		Name: "vec_aug_concat", Aliases: []string{"aug-concat"},
		Summary: "Whole query and perspective side by side.",
		Formula: "cos([q; p], [c; p])", NeedsQuery: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return concatenated(o, o.q), nil },
	},
	{
		Name: "vec_cast_single", Aliases: []string{"root-cast"},
		Summary: "Root minus perspective.",
		Formula: "cos(r - p, c)", NeedsRoot: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return combined(o, o.r, -1) },
	},
	{
		Name: "vec_cast", Aliases: []string{"root-cast+", "root-cast-plus"},
		Summary: "Root minus perspective, the perspective subtracted from every entry too.",
		Formula: "cos(r - p, c - p)", NeedsRoot: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return shifted(o, o.r, -1) },
	},
	{
		Name: "vec_aug_cast_single", Aliases: []string{"cast"},
		Summary: "Whole query minus perspective.",
		Formula: "cos(q - p, c)", NeedsQuery: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return combined(o, o.q, -1) },
	},
	{
		Name: "vec_aug_cast", Aliases: []string{"cast+", "cast-plus"},
		Summary: "Whole query minus perspective, the perspective subtracted from every entry too.",
		Formula: "cos(q - p, c - p)", NeedsQuery: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return shifted(o, o.q, -1) },
	},
	{
		Name: "additive", Aliases: []string{"dual-sum"},
		Summary: "Sum of two scores, the root's and the perspective's.",
		Formula: "cos(r, c) + cos(p, c)", NeedsRoot: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return summed(o, o.r) },
	},
	{
		Name: "additive_aug", Aliases: []string{"aug-dual-sum"},
		Summary: "Sum of two scores, the whole query's and the perspective's.",
		Formula: "cos(q, c) + cos(p, c)", NeedsQuery: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return summed(o, o.q) },
	},
	{
		Name: "additive_tripple", Aliases: []string{"tri-sum", "additive_triple"},
		Summary: "Sum of three scores, the root's, the whole query's and the perspective's.",
		Formula: "cos(r, c) + cos(q, c) + cos(p, c)", NeedsQuery: true, NeedsRoot: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return summed(o, o.r, o.q) },
	},
	{
		Name: "vec_projection", Aliases: []string{"pap"},
		Summary: "Perspective-aware projection: what the perspective says is taken out of the query.",
		Formula: "cos(q_λ, c), q_λ = q - λ (q·p / p·p) p", NeedsQuery: true, NeedsPerspective: true,
		Lambda: true, Subspace: true,
		compile: func(o *operands) (Plan, error) { return projected(o, o.lambda, false) },
	},
	{
		Name: "vec_dual_projection", Aliases: []string{"pap+", "pap-plus"},
		Summary: "Perspective-aware projection of the query and of every entry.",
		Formula: "cos(q_λ, c_λ), v_λ = v - λ (v·p / p·p) p", NeedsQuery: true, NeedsPerspective: true,
		Lambda: true, Subspace: true,
		compile: func(o *operands) (Plan, error) { return projected(o, o.lambda, true) },
	},
	{
		Name: "vec_projection_rev", Aliases: []string{"pap-rev"},
		Summary: "The reverse of pap: what the perspective says counts double in the query (pap with λ = -1).",
		Formula: "cos(q + (q·p / p·p) p, c)", NeedsQuery: true, NeedsPerspective: true, Subspace: true,
		compile: func(o *operands) (Plan, error) { return projected(o, -1, false) },
	},
	{
		Name: "vec_dual_projection_rev", Aliases: []string{"pap+-rev", "pap-plus-rev"},
		Summary: "The reverse of pap+: what the perspective says counts double in query and entries (pap+ with λ = -1).",
		Formula: "cos(q + (q·p / p·p) p, c + (c·p / p·p) p)", NeedsQuery: true, NeedsPerspective: true, Subspace: true,
		compile: func(o *operands) (Plan, error) { return projected(o, -1, true) },
	},
	{
		Name: "re-ranking", Aliases: []string{"rerank"},
		Summary:   "The fifth of the corpus nearest to the root, in the order of root plus perspective score.",
		Formula:   "cos(r, c) + cos(p, c) where cos(r, c) >= its 80th percentile, else -100",
		NeedsRoot: true, NeedsPerspective: true, Gated: true,
		compile: func(o *operands) (Plan, error) { return gated(o, o.r), nil },
	},
	{
		Name: "re-ranking_aug", Aliases: []string{"rerank-aug"},
		Summary:    "The fifth of the corpus nearest to the whole query, in the order of query plus perspective score.",
		Formula:    "cos(q, c) + cos(p, c) where cos(q, c) >= its 80th percentile, else -100",
		NeedsQuery: true, NeedsPerspective: true, Gated: true,
		compile: func(o *operands) (Plan, error) { return gated(o, o.q), nil },
	},
	{
		Name:      "contrast",
		Summary:   "Root score, plus how much more an entry's angle is like the side asked for than like the opposite one.",
		Formula:   "cos(r, c) + β (u - v)·c_angle",
		NeedsRoot: true, Angles: 2, Strength: 0.4,
		compile: func(o *operands) (Plan, error) { return contrasted(o), nil },
	},
	{
		Name:       "aspect",
		Summary:    "Query score, plus how much an entry's angle is like that of the query.",
		Formula:    "cos(q, c) + γ cos(q_angle, c_angle)",
		NeedsQuery: true, Angles: 1, Strength: 0.25,
		compile: func(o *operands) (Plan, error) { return aspected(o), nil },
	},
}

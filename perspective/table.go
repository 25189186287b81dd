package perspective

// table holds the methods: the modes of the paper's notebook in its order, with add+, which only the paper has, and at
// the end those of this project.
//
// A name that ends in + has an alias in -plus, for places in which + has another
// meaning (in a URL it is a space).
var table = []Method{
	{
		Name: "query_cosine", Aliases: []string{"none", "cosine"},
		NeedsQuery: true,
		compile:    func(o *operands) (Plan, error) { return o.compare(o.q), nil },
	},
	{
		Name: "source_cosine", Aliases: []string{"root"},
		NeedsRoot: true,
		compile:   func(o *operands) (Plan, error) { return o.compare(o.r), nil },
	},
	{
		Name: "vec_add", Aliases: []string{"add"},
		NeedsRoot: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return combined(o, o.r, +1) },
	},
	{
		Name: "add+", Aliases: []string{"add-plus"},
		NeedsRoot: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return shifted(o, o.r, +1) },
	},
	{
		Name: "vec_concat", Aliases: []string{"concat", "vec_dual_concat"},
		NeedsRoot: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return concatenated(o, o.r), nil },
	},
	{
		Name: "vec_aug_add", Aliases: []string{"aug-add"},
		NeedsQuery: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return combined(o, o.q, +1) },
	},
	{
		Name: "vec_aug_concat", Aliases: []string{"aug-concat"},
		NeedsQuery: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return concatenated(o, o.q), nil },
	},
	{
		Name: "vec_cast_single", Aliases: []string{"root-cast"},
		NeedsRoot: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return combined(o, o.r, -1) },
	},
	{
		Name: "vec_cast", Aliases: []string{"root-cast+", "root-cast-plus"},
		NeedsRoot: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return shifted(o, o.r, -1) },
	},
	{
		Name: "vec_aug_cast_single", Aliases: []string{"cast"},
		NeedsQuery: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return combined(o, o.q, -1) },
	},
	{
		Name: "vec_aug_cast", Aliases: []string{"cast+", "cast-plus"},
		NeedsQuery: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return shifted(o, o.q, -1) },
	},
	{
		Name: "additive", Aliases: []string{"dual-sum"},
		NeedsRoot: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return summed(o, o.r) },
	},
	{
		Name: "additive_aug", Aliases: []string{"aug-dual-sum"},
		NeedsQuery: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return summed(o, o.q) },
	},
	{
		Name: "additive_tripple", Aliases: []string{"tri-sum", "additive_triple"},
		NeedsQuery: true, NeedsRoot: true, NeedsPerspective: true,
		compile: func(o *operands) (Plan, error) { return summed(o, o.r, o.q) },
	},
	{
		Name: "vec_projection", Aliases: []string{"pap"},
		NeedsQuery: true, NeedsPerspective: true,
		Lambda: true, Subspace: true,
		compile: func(o *operands) (Plan, error) { return projected(o, o.lambda, false) },
	},
	{
		Name: "vec_dual_projection", Aliases: []string{"pap+", "pap-plus"},
		NeedsQuery: true, NeedsPerspective: true,
		Lambda: true, Subspace: true,
		compile: func(o *operands) (Plan, error) { return projected(o, o.lambda, true) },
	},
	{
		Name: "vec_projection_rev", Aliases: []string{"pap-rev"},
		NeedsQuery: true, NeedsPerspective: true, Subspace: true,
		compile: func(o *operands) (Plan, error) { return projected(o, -1, false) },
	},
	{
		Name: "vec_dual_projection_rev", Aliases: []string{"pap+-rev", "pap-plus-rev"},
		NeedsQuery: true, NeedsPerspective: true, Subspace: true,
		compile: func(o *operands) (Plan, error) { return projected(o, -1, true) },
	},
	{
		Name: "re-ranking", Aliases: []string{"rerank"},
		NeedsRoot: true, NeedsPerspective: true, Gated: true,
		compile: func(o *operands) (Plan, error) { return gated(o, o.r), nil },
	},
	{
		Name: "re-ranking_aug", Aliases: []string{"rerank-aug"},
		NeedsQuery: true, NeedsPerspective: true, Gated: true,
		compile: func(o *operands) (Plan, error) { return gated(o, o.q), nil },
	},
	{
		Name:      "contrast",
		NeedsRoot: true, Angles: 2, Strength: 0.4,
		compile: func(o *operands) (Plan, error) { return contrasted(o), nil },
	},
	{
		Name:       "aspect",
		NeedsQuery: true, Angles: 1, Strength: 0.25,
		compile: func(o *operands) (Plan, error) { return aspected(o), nil },
	},
}

package metrics

// PRecall is p-Recall@k, Eq. 1 of the paper:
//
//	p-Recall@k = 1/|Q_r| · Σ_{r ∈ Q_r} E_{p ∈ P_q} [ success(φ, p, q, C, k) ],  q = p + r
//
// This is the mean over root queries of the mean success over the root's queries. Root
// queries are the distinct texts of Root. All queries of a root have the same weight,
// even if two have the same perspective.
func PRecall(queries []Judgement, k int) float64 {
	return meanOverRoots(queries, func(root []Judgement) float64 { return Recall(root, k) })
}

// PRecallNotebook is p-Recall@k as the paper's notebook computes it: a root with a
// single query counts 0, even if that query succeeds.
func PRecallNotebook(queries []Judgement, k int) float64 {
	return meanOverRoots(queries, func(root []Judgement) float64 {
		if len(root) == 1 {
			return 0
		}
		return Recall(root, k)
	})
}

// PRecallByUniquePerspective is p-Recall@k with the expectation of Eq. 1 over distinct perspectives: within a root, the
// mean over its perspective texts of the mean success over the queries with that text. It can differ from PRecall if a
// root has more queries with one perspective than with another.
func PRecallByUniquePerspective(queries []Judgement, k int) float64 {
	return meanOverRoots(queries, func(root []Judgement) float64 {
		var m mean
		for _, p := range group(root, func(j *Judgement) string { return j.Perspective }) {
			m.add(Recall(p.members, k))
		}
		return m.value()
	})
}

func meanOverRoots(queries []Judgement, value func(root []Judgement) float64) float64 {
	var m mean
	for _, root := range group(queries, func(j *Judgement) string { return j.Root }) {
		m.add(value(root.members))
	}
	return m.value()
}

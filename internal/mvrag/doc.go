// Package mvrag retrieves from several professional perspectives at once (MVRAG; Chen,
// Yu and Sha 2024). A chat model gives each perspective of a [Domain] a weight for the
// query ([Model.Weigh], Eq. 1) and rewrites the query for those with one ([Model.Rewrite],
// Eq. 2). Each rewritten query retrieves the more documents the higher its weight
// ([Share], Eq. 3), and all are ranked together by cosine times weight ([Merge], Eq. 4).
// Its best documents go into the prompt of a reader ([Prompt], Eq. 5; [Model.Answer]).
//
// Without a chat model, [Static] stands in: all perspectives weigh the same, and the
// query is joined with their descriptions.
package mvrag

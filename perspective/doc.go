// Package perspective turns a query, its root query and its perspectives into a plan. A
// plan is a few numbers and vectors, with which one kernel scores every corpus entry
// for any method.
//
// Every scoring method of "Beyond Relevance: Evaluate and Improve Retrievers on Perspective Awareness" (Zhao et al.,
// 2024; §3.1, Tables 4 and 8) and of its notebook, but not BM25, is an instance of one formula, or for re-ranking of two.
// With one perspective, a corpus entry c costs at most two dot products, x = a·c and y = p·c, and its squared norm n²:
//
//	score(c) = A · (x + x0) / sqrt(n² + d1·y + d2·y² + d0)
//
//	cos(v, c)                 a = v          A = 1/‖v‖                                          none, root, add, cast, PAP
//	cos([v;p], [c;p])         a = v          A = 1/√(v·v+p·p)  x0 = p·p    d0 = p·p              concat
//	cos(v, c+p), v = r+p      a = v          A = 1/‖v‖         x0 = v·p    d0 = p·p  d1 = +2     add+
//	cos(v, c−p), v = q−p      a = v          A = 1/‖v‖         x0 = −v·p   d0 = p·p  d1 = −2     cast+
//	sum of cosines            a = Σ v/‖v‖    A = 1                                              dual-sum, tri-sum
//	cos(q_λ, c_λ)             a = q_μ        A = 1/‖q_λ‖                   d2 = −μ/p·p            PAP+
//
// with v_λ = v − λ(v·p/p·p)p and μ = 2λ−λ². Projecting the corpus, which the paper calls expensive,
// thus costs one dot product per entry and needs no second copy of the corpus.
//
// Methods of this project add a second part. An encoder that tells sides apart gives each entry two vectors, its topic c and
// its angle (audience, time, evidence, and for or against), and the plan has a vector for the angle, too:
//
//	score(c) + min(Angle·c_angle / ‖c_angle‖, AngleCap)
//
//	cos(r, c) + β min((û − v̂)·ĉ_angle, 0.3)   Angle = β (û − v̂), AngleCap = 0.3 |β|   contrast
//	cos(q, c) + γ cos(q_angle, c_angle)       Angle = γ q̂_angle, no cap               aspect
//
// u and v are the angles of the root asked for each of two sides that exclude each other; û is u / ‖u‖, and so on.
//
// With Query.Score Dot, every cosine above is a dot product, the lengths of vectors count, and score(c) = A · x:
//
//	v·c                       a = v          v as above                                         none, root, add, cast, PAP
//	sum of dot products       a = Σ v                                                           dual-sum, tri-sum
//	[v;p]·[c;p] = v·c + p·p   a = v                                                             concat is root
//	v·(c ± p) = v·c ± v·p     a = v                                                             add+ is add, cast+ is cast
//	q_λ·c_λ = q_μ·c           a = q_μ        μ = 2λ−λ², so that q_μ = q_λ if λ = 1              PAP+ is PAP
//
// Numbers that every row gets alike, such as p·p, are left out: they change no ranking. Angles are still compared by their
// directions, so that β and γ weigh numbers from −1 to 1 against dot products of any size.
//
// These conventions hold for every method:
//
//   - Coefficients are float64. Vectors are computed in float64 and rounded to float32
//     once. Coefficients that depend on a vector (its norm, its product with another)
//     are computed from the rounded vector, because the rounded one is multiplied with
//     the corpus.
//   - A plan's vector whose norm lies outside [2^-32, 2^32] is multiplied by a power of
//     two, and the coefficients are adjusted accordingly. Products with corpus rows of
//     norms between 1e-18 and 1e18 then neither overflow nor vanish.
//   - A zero perspective has no effect: PAP, cast, add and concat become the cosine of
//     the remaining vector. It is a *DegenerateError if the method uses a query or root
//     that is zero, or if a combination of vectors vanishes: its norm is at most 1e-6
//     of the sum of the norms of its terms.
//   - An angle that is zero, or whose opposite is the same, has no effect either.
//   - With several perspectives, the projection methods project off the subspace that
//     the perspectives span. In every other method p is the mean of the perspectives,
//     so that many perspectives do not outweigh the query.
package perspective

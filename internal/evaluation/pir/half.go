package pir

import "github.com/vantage-search/vantage/internal/wasm/fault"

// Names of parts of a task's roots. Odd has the first root, the third and so on, in the order of
// the queries. Even has the others.
const (
	AllRoots  = "all"
	OddRoots  = "odd"
	EvenRoots = "even"
)

// OfRoots returns the task with the queries of all roots or of a half, and the whole corpus. So
// methods can be chosen on one half, and measured on the other.
func (t *Task) OfRoots(which string) (Task, error) {
	if which == AllRoots || which == "" {
		return *t, nil
	}
	if which != OddRoots && which != EvenRoots {
		return Task{}, fault.Errorf(fault.Query, "roots %q: they are %s, %s or %s", which, AllRoots, OddRoots, EvenRoots)
	}
	half := *t
	half.Queries, half.Roots, half.Perspectives, half.Labels, half.Gold = nil, nil, nil, nil, nil
	half.Desired, half.QueryIDs = nil, nil
	number := map[string]int{}
	for i, root := range t.Roots {
		n, known := number[root]
		if !known {
			n = len(number) + 1
			number[root] = n
		}
		if (n%2 == 1) != (which == OddRoots) {
			continue
		}
		half.Queries, half.Roots, half.Perspectives = append(half.Queries, t.Queries[i]), append(half.Roots, root), append(half.Perspectives, t.Perspectives[i])
		half.Labels, half.Gold = append(half.Labels, t.Labels[i]), append(half.Gold, t.Gold[i])
		if t.Desired != nil {
			half.Desired = append(half.Desired, t.Desired[i])
		}
		half.QueryIDs = append(half.QueryIDs, t.QueryID(i))
	}
	if len(half.Queries) == 0 {
		return half, fault.Errorf(fault.Input, "task %s has a single root: it has no %s half", t.Name, which)
	}
	return half, nil
}

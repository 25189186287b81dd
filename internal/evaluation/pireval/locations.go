package pireval

import (
	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/metrics"
)

// Locations is the location bias of Figures 3, 5 and 6. It covers the first
// LocationDepth texts, if their location is known.
type Locations struct {
	K         int              `json:"k"`
	Documents int              `json:"documents"` // texts of the corpus with a known location
	Root      Ordered[int]     `json:"root"`      // number of texts that root queries retrieved from each location (Figure 5)
	Desired   Ordered[Desired] `json:"desired"`   // by the location that queries ask for (Figures 3 and 6)
}

// Desired says what the queries for one location retrieved.
type Desired struct {
	N         int              `json:"n"`         // queries
	Documents int              `json:"documents"` // retrieved texts with a known location
	Portions  Ordered[float64] `json:"portions"`  // shares of these texts by location; locations without texts are left out
}

// LocationDepth is the cut-off of the paper's figures.
const LocationDepth = 5

// locationsOf is nil for a task without locations.
func locationsOf(task *pir.Task, rankings, rootRankings [][]int) *Locations {
	if task.Locations == nil {
		return nil
	}
	l := &Locations{K: LocationDepth}
	for _, location := range task.Locations {
		if location != "" {
			l.Documents++
		}
	}
	for _, ranking := range rootRankings {
		for _, location := range found(task, ranking) {
			if n := l.Root.Get(location); n != nil {
				*n++
			} else {
				l.Root = append(l.Root, Member[int]{location, 1})
			}
		}
	}
	var located []metrics.Located
	queries := map[string]int{}
	for i, ranking := range rankings {
		if task.Desired[i] != "" {
			located = append(located, metrics.Located{Desired: task.Desired[i], Found: found(task, ranking)})
			queries[task.Desired[i]]++
		}
	}
	m := metrics.NewHeatMap(located)
	for row, location := range m.Locations {
		if queries[location] == 0 {
			continue
		}
		d := Desired{N: queries[location], Documents: m.Documents[row]}
		for column, portion := range m.Portions[row] {
			if portion > 0 {
				d.Portions = append(d.Portions, Member[float64]{m.Locations[column], portion})
			}
		}
		l.Desired = append(l.Desired, Member[Desired]{location, d})
	}
	return l
}

// found are the known locations of a ranking's first LocationDepth texts.
func found(task *pir.Task, ranking []int) []string {
	var locations []string
	for _, text := range ranking[:min(LocationDepth, len(ranking))] {
		if location := task.Locations[text]; location != "" {
			locations = append(locations, location)
		}
	}
	return locations
}

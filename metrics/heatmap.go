package metrics

// Located says what one query for a location retrieved.
type Located struct {
	Desired string   // the location that the query asks for
	Found   []string // locations of its first k documents, without unknown ones
}

// HeatMap is the analysis of the paper's Figures 3 and 6: Portions[i][j] is the share, among the documents that queries
// for Locations[i] retrieved, of those from Locations[j]. Only documents with a known location count. A row without
// such documents is all zeros.
type HeatMap struct {
	Locations []string
	Portions  [][]float64
	Documents []int // number of documents in each row
}

// NewHeatMap counts the documents. Desired locations come first; locations are in the
// order in which they first appear.
func NewHeatMap(queries []Located) HeatMap {
	var m HeatMap
	at := make(map[string]int)
	place := func(location string) int {
		i, known := at[location]
		if !known {
			i = len(m.Locations)
			at[location] = i
			m.Locations = append(m.Locations, location)
		}
		return i
	}
	for _, q := range queries {
		place(q.Desired)
	}
	for _, q := range queries {
		for _, location := range q.Found {
			place(location)
		}
	}
	n := len(m.Locations)
	m.Portions, m.Documents = make([][]float64, n), make([]int, n)
	for i := range m.Portions {
		m.Portions[i] = make([]float64, n)
	}
	for _, q := range queries {
		row := place(q.Desired)
		m.Documents[row] += len(q.Found)
		for _, location := range q.Found {
			m.Portions[row][place(location)]++
		}
	}
	for i, row := range m.Portions {
		for j := range row {
			if m.Documents[i] > 0 {
				row[j] /= float64(m.Documents[i])
			}
		}
	}
	return m
}

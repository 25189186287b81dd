package metrics

// Located is what one query for a location retrieved.
type Located struct {
	Desired string   // the location that the query asks for
	Found   []string // the locations of its first k documents, as far as they are known
}

// HeatMap is the analysis of the paper's Figures 3 and 6: Portions[i][j] is the share, among the documents that queries for
// Locations[i] retrieved, of those from Locations[j]. Only documents with a known location count; a row of which there are
// none is 0 throughout.
type HeatMap struct {
	Locations []string
	Portions  [][]float64
	Documents []int // that each row is over
}

// NewHeatMap counts the documents; locations stand in the order in which they first appear, those desired first.
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

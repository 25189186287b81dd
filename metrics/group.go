package metrics

// grouped are the judgements with the same key.
type grouped struct {
	key     string
	members []Judgement
}

// group groups judgements by key, in the order in which the keys first appear.
func group(queries []Judgement, key func(*Judgement) string) []grouped {
	var groups []grouped
	at := make(map[string]int)
	for i := range queries {
		k := key(&queries[i])
		g, found := at[k]
		if !found {
			g = len(groups)
			at[k] = g
			groups = append(groups, grouped{key: k})
		}
		groups[g].members = append(groups[g].members, queries[i])
	}
	return groups
}

// mean is a running mean. It is 0 without values.
type mean struct {
	sum   float64
	count int
}

func (m *mean) add(x float64) {
	m.sum += x
	m.count++
}

func (m *mean) value() float64 {
	if m.count == 0 {
		return 0
	}
	return m.sum / float64(m.count)
}

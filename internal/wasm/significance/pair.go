package significance

// Confidence is the confidence level of the intervals of Pair and Mean.
const Confidence = .95

// Pair is the comparison of systems a and b over the same queries.
type Pair struct {
	TTest                  // t-test of b − a
	Randomization float64  // two-sided p of Fisher's randomisation test
	Interval      Interval // bootstrap interval of the mean difference
	Better, Worse int      // number of queries for which b has the greater and the lesser value
}

// ComparePair tests b against a. Errors are those of PairedTTest, Randomization and Bootstrap.
func ComparePair(a, b []float64, rounds int, seed uint64) (p Pair, err error) {
	if p.TTest, err = PairedTTest(b, a); err != nil {
		return p, err
	}
	if p.Randomization, err = Randomization(b, a, rounds, seed); err != nil {
		return p, err
	}
	differences := make([]float64, len(a))
	for i := range a {
		differences[i] = b[i] - a[i]
		switch {
		case b[i] > a[i]:
			p.Better++
		case b[i] < a[i]:
			p.Worse++
		}
	}
	p.Interval, err = Bootstrap(differences, Confidence, rounds, seed)
	return p, err
}

// Mean is the mean of values and its bootstrap interval. Errors are those of Bootstrap.
func Mean(values []float64, rounds int, seed uint64) (float64, Interval, error) {
	interval, err := Bootstrap(values, Confidence, rounds, seed)
	if err != nil {
		return 0, interval, err
	}
	return mean(values), interval, nil
}

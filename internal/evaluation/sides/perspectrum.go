package sides

import "github.com/vantage-search/vantage/internal/evaluation/berds"

// fromPerspectrum returns a split of Perspectrum: the claims that have perspectives on both
// sides, and these perspectives.
func fromPerspectrum(p *berds.Perspectrum, split, name string) (*Set, error) {
	b := newBuilder()
	for _, c := range p.Split(split) {
		if !c.TwoSided() {
			continue
		}
		root := b.root(c.Text)
		for side, documents := range c.Documents {
			for _, d := range documents {
				if err := b.add(root, p.Pool[d], perspectrumSides[side]); err != nil {
					return nil, err
				}
			}
		}
	}
	return b.built(name, "a claim of the "+split+" split needs perspectives on both sides")
}

var perspectrumSides = [berds.Perspectives]Side{berds.Support: For, berds.Oppose: Against}

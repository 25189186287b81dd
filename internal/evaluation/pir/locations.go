package pir

import "strings"

// locationPhrase stands before the place in the perspectives that ask for one.
const locationPhrase = "happened in "

// locate fills in Desired from perspectives that name a place ("a news article
// happened in Canada"), and Locations from the gold of their queries: nothing else
// in the data says where a text belongs. Texts that are repeated in the corpus,
// as AGNews's are, share what is known.
func (t *Task) locate() {
	known := map[string]string{} // by text
	desired := make([]string, len(t.Queries))
	for i, perspective := range t.Perspectives {
		_, place, found := strings.Cut(perspective, locationPhrase)
		if desired[i] = strings.TrimSpace(place); !found || desired[i] == "" {
			continue
		}
		for _, g := range t.Gold[i] {
			if known[t.Corpus[g]] == "" {
				known[t.Corpus[g]] = desired[i]
			}
		}
	}
	if len(known) == 0 {
		return
	}
	t.Desired, t.Locations = desired, make([]string, len(t.Corpus))
	for i, text := range t.Corpus {
		t.Locations[i] = known[text]
	}
}

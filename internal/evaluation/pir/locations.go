package pir

import "strings"

// locationPhrase precedes the place in perspectives that ask for one.
const locationPhrase = "happened in "

// locate fills in Desired from perspectives that name a place ("a news article happened
// in Canada"), and Locations from the gold texts of their queries, because nothing else
// in the data gives a text's location. If a text is repeated in the corpus, as in
// AGNews, its copies share the location.
func (t *Task) locate() {
	known := map[string]string{} // location of each text
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

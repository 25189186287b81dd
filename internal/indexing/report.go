package indexing

import (
	"fmt"

	"github.com/vantage-search/vantage/internal/human"
)

// Choice reports what the judged queries say about the default ranking. One half of them
// chooses, for each kind of perspective, between the default and other rankings. The other
// half measures what the choices achieve.
type Choice struct {
	Measure string       `json:"measure"`
	Kinds   []KindChoice `json:"kinds"`
	Held    int          `json:"held_out"` // number of queries in the half that measures
	Before  float64      `json:"before"`   // mean over these queries with the default ranking
	After   float64      `json:"after"`    // and with the chosen rankings
}

// KindChoice compares the candidates for a kind of perspective with the default.
type KindChoice struct {
	Kind       string      `json:"kind"`    // "none" if the queries have no perspective
	Queries    int         `json:"queries"` // number in the half that chooses
	Default    float64     `json:"default"` // mean with the default ranking
	Candidates []Candidate `json:"candidates"`
	P          float64     `json:"p"`      // of the best candidate against the default, multiplied by the number of candidates; 1 if none is better
	Chosen     string      `json:"chosen"` // a line of the table "auto"; "" if the default stays
}

// Changed is the number of kinds for which another ranking than the default was chosen.
func (c *Choice) Changed() (n int) {
	for _, k := range c.Kinds {
		if k.Chosen != "" {
			n++
		}
	}
	return n
}

// String is the report in a sentence. A nil Choice means that there was nothing to choose.
func (c *Choice) String() string {
	switch {
	case c == nil:
		return "the default ranking stays, because there is no encoder here to answer them, or documents have vectors of tokens"
	case len(c.Kinds) == 0:
		return fmt.Sprintf("the default ranking stays, because a choice needs %d judged queries of a kind in the half that chooses%s", leastJudged, c.held())
	case c.Changed() == 0:
		return "the default ranking stays, because on one half of them no other was significantly better" + c.held()
	}
	text := ""
	for _, k := range c.Kinds {
		if k.Chosen != "" {
			text += fmt.Sprintf("chosen on %s: %s (p %.4f); ", human.Count(k.Queries, "judged query"), k.Chosen, k.P)
		}
	}
	return text + fmt.Sprintf("on the other half, %s over %s: %.3f, before %.3f", c.Measure, human.Count(c.Held, "query"), c.After, c.Before)
}

// held says what the default ranking achieves on the other half, or "" if no query is in it.
func (c *Choice) held() string {
	if c.Held == 0 {
		return ""
	}
	return fmt.Sprintf("; on the other half, its %s over %s is %.3f", c.Measure, human.Count(c.Held, "query"), c.Before)
}

package indexing

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/human"
)

// manyUnknown is the least share of unknown documents at which the encoder is
// probably wrong for the corpus.
const manyUnknown = 0.05

// maxListed bounds the fields that warnings name one by one.
const maxListed = 10

// Warn writes to the console what a user should know about a run.
func (j *Job) Warn(r *Report) {
	warn := j.Console.Warnf
	if encoded := r.Encoded + r.Resumed; r.MostlyUnknown > 0 && float64(r.MostlyUnknown) >= manyUnknown*float64(encoded) {
		warn("%d of %s mostly unknown to the encoder %s (%s): searches will often miss them; learn a model from the corpus with: vantage fit %s%s -o MODELDIR, and index with --model MODELDIR",
			r.MostlyUnknown, human.Count(encoded, "document")+" encoded are", r.Model.ID, manifest.LanguageText(r.Model.Language), human.Argument(j.Corpus), j.Fields.Flags())
	}
	if r.Truncated > 0 {
		warn("%s longer than the %d tokens that the model reads: the rest of them is not searched by vectors", human.Count(r.Truncated, "document")+" encoded "+human.Are(r.Truncated), r.Model.MaxLength)
	}
	if r.Empty > 0 {
		found := "no query matches such documents, but searches by vectors may list them, with score 0, before documents with a negative one: give them a text, or leave them out"
		if j.Vectors != "" {
			found = "only searches by vectors find such documents"
		}
		warn("%s with neither title nor text: %s", human.Count(r.Empty, "document"), found)
	}
	j.tellReading(r.skipped, r.note, r.PagesLeftOut)
	if parts := r.PartsLeftOut; parts != nil {
		j.Console.Printf("vantage: left out within %s: %s\n", human.Count(parts.Pages, "page"), partsText(parts))
	}
	for i, field := range slices.Sorted(maps.Keys(r.LeftOut)) {
		if i == maxListed {
			warn("and %d more fields cannot be filtered by: --json lists them", len(r.LeftOut)-i)
			break
		}
		warn("field %q cannot be filtered by: %s", field, r.LeftOut[field])
	}
	r.judged.Warn(j.Queries, j.Qrels, j.Console)
	for _, note := range r.Notes {
		warn("%s", note)
	}
}

// tellReading writes how the corpus was read, and what was not, which also says why nothing may be left of it.
func (j *Job) tellReading(skipped int, note string, leftOut map[string]int) {
	if skipped > 0 {
		j.Console.Warnf("%s of the folder passed over: hidden ones and symbolic links are not read", human.Count(skipped, "entry"))
	}
	if note != "" {
		j.Console.Printf("vantage: %s: %s\n", human.Escape(j.Corpus), human.Escape(note))
	}
	for _, reason := range slices.Sorted(maps.Keys(leftOut)) {
		j.Console.Printf("vantage: %s left out: %s\n", human.Count(leftOut[reason], "page"), reason)
	}
}

// shownColumns bounds how much of a line is shown.
const shownColumns = 60

// partsText lists what was left out within pages, with an example of what may be missed.
func partsText(p *corpus.Parts) string {
	var list []string
	if p.Repeated > 0 {
		list = append(list, fmt.Sprintf("%s that most pages have, such as \"%s\"", human.Count(p.Repeated, "line"), human.Cut(human.OneLine(p.Longest), shownColumns)))
	}
	if p.Links > 0 {
		list = append(list, human.Count(p.Links, "line")+" with nothing but links to other pages or headings")
	}
	if p.Teasers > 0 {
		list = append(list, human.Count(p.Teasers, "section")+" about other pages")
	}
	return strings.Join(list, ", ")
}

package indexing

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/vantage-search/vantage/internal/evaluation/judgements"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/static"
)

// Bounds of the examples that the pages offer, and of the search page's template.
const (
	maxExamples     = 12
	maxExampleRunes = 200
	maxTemplate     = 1 << 20 // bytes
)

// SiteFlags adds the flags of a site.
func (j *Job) SiteFlags(f *pflag.FlagSet) {
	f.BoolVar(&j.Site, "site", false, "write pages that search the collection, too")
	f.StringVar(&j.Server, "server", "", "`URL` of an encode server that the pages ask, or ./ if their own host is one")
	f.StringVar(&j.Queries, "queries", "", "JSON lines `FILE` of judged queries for the lab to measure itself on: _id, text, root, perspective")
	f.StringVar(&j.Qrels, "qrels", "", "`FILE` of their judgements: BEIR's (query-id, corpus-id, score between tabs) or TREC's; may be gzipped")
	f.StringVar(&j.Examples, "examples", "", "`FILE` of queries that the pages offer, one a line (default a few of --queries)")
	f.StringVar(&j.Template, "template", "", "`FILE` of the whole search page, a template of Go's html/template")
	f.BoolVar(&j.NoCredit, "no-credit", false, "leave out the line that says who made the search page")
	f.BoolVar(&j.Force, "force", false, "overwrite pages that were changed by hand")
}

// CheckSite refuses combinations of these flags that make no sense. changed reports whether
// the user gave a flag.
func (j *Job) CheckSite(changed func(flag string) bool) error {
	if changed("queries") != changed("qrels") {
		return fault.Errorf(fault.Query, "--queries and --qrels belong together: the queries, and which documents answer them")
	}
	for _, flag := range []string{"queries", "server", "examples", "template", "no-credit", "force"} {
		if changed(flag) && !j.Site {
			return fault.Errorf(fault.Query, "--%s is for the pages of a site: give --site, too", flag)
		}
	}
	if changed("server") {
		if err := static.CheckServer(j.Server); err != nil {
			return fault.Errorf(fault.Query, "--server %s: %w", j.Server, err)
		}
	}
	return nil
}

// page returns what the flags say about the site's pages.
func (r *run) page(ctx context.Context) (static.Page, error) {
	p := static.Page{Server: r.Server, Name: r.Name, NoCredit: r.NoCredit}
	var err error
	switch {
	case r.Examples != "":
		p.Examples, err = inputs.Read(ctx, r.Examples, readExamples)
	case r.judged != nil:
		p.Examples = r.judged.Examples(judgements.ShortExample)
		p.Judged = r.judged.Examples(maxExampleRunes)
	}
	if err == nil && r.Template != "" {
		p.TemplateName = r.Template
		p.Template, err = inputs.Read(ctx, r.Template, readTemplate)
	}
	if err == nil {
		err = p.Check()
	}
	return p, err
}

// readExamples reads queries, one per line. It skips empty lines.
func readExamples(r io.Reader, name string) (examples []string, err error) {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		control := strings.IndexFunc(text, unicode.IsControl)
		switch {
		case text == "":
			continue
		case !utf8.ValidString(text):
			return nil, fault.Errorf(fault.Input, "%s:%d: the line is not text in UTF-8: a query is needed", name, n)
		case control >= 0:
			return nil, fault.Errorf(fault.Input, "%s:%d: the line has a control character in it (%U): a query is plain text", name, n, []rune(text[control:])[0])
		case utf8.RuneCountInString(text) > maxExampleRunes:
			return nil, fault.Errorf(fault.Input, "%s:%d: the query has more than %d characters: shorten it", name, n, maxExampleRunes)
		case len(examples) == maxExamples:
			return nil, fault.Errorf(fault.Input, "%s:%d: the page offers at most %d queries: give fewer", name, n, maxExamples)
		}
		examples = append(examples, text)
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fault.Errorf(fault.Input, "%s: a line has more than %d characters: give one query a line", name, maxExampleRunes)
	} else if err != nil {
		return nil, fault.At(name, err)
	}
	if len(examples) == 0 {
		return nil, fault.Errorf(fault.Input, "%s has no query: write one a line", name)
	}
	return examples, nil
}

func readTemplate(r io.Reader, name string) (string, error) {
	content, err := io.ReadAll(io.LimitReader(r, maxTemplate+1))
	switch {
	case err != nil:
		return "", fault.At(name, err)
	case len(content) > maxTemplate:
		return "", fault.Errorf(fault.Input, "%s has more than %d bytes: keep styles and images in files of their own", name, maxTemplate)
	case !utf8.Valid(content) || len(strings.TrimSpace(string(content))) == 0:
		return "", fault.Errorf(fault.Input, "%s is empty or not text in UTF-8: it must be the whole search page", name)
	}
	return string(content), nil
}

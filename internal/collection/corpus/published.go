package corpus

import (
	"strings"

	"golang.org/x/net/html"
)

// Why a page is left out: its author or its generator does not publish it, or asks search
// engines not to list it.
const (
	reasonDraft    = "draft"
	reasonUnlisted = "noindex or unlisted"
	reasonFuture   = "dated in the future, or expired"
	reasonRedirect = "only redirects to another page"
	reasonMissing  = "named by the sitemap, but not in the folder"
	reasonPart     = "not a page of its own for the generator"
	reasonEmpty    = "without text, headings and a title"
	reasonIgnored  = "its main part has data-vantage-ignore or data-pagefind-ignore"
	reasonBare     = "without front matter, which Jekyll needs: begin the page with two lines of ---"
	reasonList     = "only lists other pages"
	reasonLost     = "shown for addresses that do not exist"
	reasonUnmarked = "without data-pagefind-body, which other pages have"
)

// unpublished says why a page's front matter keeps it out of a collection, or "". Hugo, Docusaurus and Astro know draft,
// Jekyll published, Docusaurus unlisted; noindex and robots are plugins' names for the robots meta of HTML.
func unpublished(metadata map[string]any) string {
	is := func(name string, value bool) bool {
		is, ok := truth(metadata[name])
		return ok && is == value
	}
	switch {
	case is("draft", true), is("published", false), is("permalink", false):
		return reasonDraft
	case is("noindex", true), is("unlisted", true):
		return reasonUnlisted
	}
	switch robots := metadata["robots"].(type) {
	case string:
		if forbidsIndex(robots) {
			return reasonUnlisted
		}
	case []any:
		for _, word := range robots {
			if s, ok := word.(string); ok && forbidsIndex(s) {
				return reasonUnlisted
			}
		}
	}
	return ""
}

// truth returns whether a value means true, and whether it means true or false. Older YAML, which Jekyll, MkDocs and Hugo read, has
// yes, no, on and off, too; they are texts here.
func truth(value any) (is, ok bool) {
	switch v := value.(type) {
	case bool:
		return v, true
	case string:
		switch strings.ToLower(v) {
		case "true", "yes", "on":
			return true, true
		case "false", "no", "off":
			return false, true
		}
	}
	return false, false
}

// forbidsIndex reads the content of a robots meta, such as "noindex, follow".
func forbidsIndex(content string) bool {
	for word := range strings.SplitSeq(content, ",") {
		if word = strings.TrimSpace(word); strings.EqualFold(word, "noindex") || strings.EqualFold(word, "none") {
			return true
		}
	}
	return false
}

// unlistedHTML says why a <meta> keeps its page out of a collection, or "". Generators write a page that refreshes to
// another one at once for an alias.
func unlistedHTML(meta *html.Node) string {
	content := attribute(meta, "content")
	switch {
	case strings.EqualFold(attribute(meta, "name"), "robots") && forbidsIndex(content):
		return reasonUnlisted
	case strings.EqualFold(attribute(meta, "http-equiv"), "refresh"):
		wait, to, _ := strings.Cut(content, ";")
		if strings.Trim(wait, "0. ") == "" && strings.Contains(strings.ToLower(to), "url") {
			return reasonRedirect
		}
	}
	return ""
}

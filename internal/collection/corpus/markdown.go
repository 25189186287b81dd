package corpus

import (
	"errors"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown renders GitHub's dialect. HTML inside passes through, because only the text of the result is read.
var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()),
	goldmark.WithParserOptions(parser.WithParagraphTransformers(util.Prioritized(emphasisBound{}, 1000)))) // after those of links and tables

// markdownPage converts a page to HTML first, so that entities, escapes, tables and
// embedded HTML are read in one place. Headings get anchors in the way of GitHub and
// most site generators, by the slug of their text, unless the generator has another way; it may be nil.
func markdownPage(content []byte, site *generator) (*page, *InputError) {
	metadata, body, problem := site.frontMatter(content)
	if problem != nil {
		return nil, problem
	}
	body = plainMarkdown(body, dialectOf(site))
	if problem := checkMarks(body); problem != nil {
		return nil, problem
	}
	context := parser.NewContext()
	parsed := markdown.Parser().Parse(text.NewReader(body), parser.WithContext(context))
	if problem := checkEmphasis(context); problem != nil {
		return nil, problem
	}
	if problem := checkDestinations(parsed); problem != nil {
		return nil, problem
	}
	var rendered boundedBuffer
	if err := markdown.Renderer().Render(&rendered, body, parsed); err != nil {
		if errors.Is(err, errRendered) {
			return nil, tooLongRendered()
		}
		return nil, &InputError{Problem: err.Error(), Remedy: "simplify the page, or move it out of the folder", Err: err}
	}
	p, problem := htmlPage(rendered.Bytes())
	if problem != nil {
		return nil, problem
	}
	if site == nil {
		site = &generator{}
	}
	anchor := githubAnchors()
	if site.anchors != nil {
		anchor = site.anchors()
	}
	for i := range p.sections {
		s := &p.sections[i]
		if s.level == 0 || s.anchor != "" {
			continue
		}
		if own := ownAnchor.FindStringSubmatchIndex(s.heading); own != nil && site.ownAnchors {
			s.heading, s.anchor = s.heading[:own[0]], s.heading[own[2]:own[3]]
		} else {
			s.anchor = anchor(s.spaced)
		}
		if s.level == 1 && site.bareTitles {
			s.anchor = ""
		}
	}
	p.give(metadata)
	p.leftOut = "" // a page about metas may show one
	return p, nil
}

// ownAnchor is the anchor that an author has put after a heading: {#name}, or for MkDocs {: #name .class }.
var ownAnchor = regexp.MustCompile(`\s*\{:?\s*#([^{}\s]+)(?:\s[^{}]*)?\}$`)

// githubAnchors returns a function that makes the anchors of a page's headings, in their order.
func githubAnchors() func(heading string) string {
	taken := names{}
	return func(heading string) string { return taken.take(slugOf(heading)) }
}

// give sets the page's metadata, and its title if the metadata has one.
func (p *page) give(metadata map[string]any) {
	if title := textField(metadata, "title"); title != "" {
		delete(metadata, "title")
		if title = strings.TrimSpace(title); title != "" {
			p.title = short(title)
		}
	}
	p.metadata = metadata
}

package corpus

import (
	"net/url"
	"path"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// leastImage is the least width and height of an image that may stand for its page: icons
// and badges are smaller.
const leastImage = 64

// maxImages is the number of images of a page that are looked at. The first ones are often those that all pages share.
const maxImages = 16

// imageMeta returns the image that a <meta> names for the page, or "".
func imageMeta(meta *html.Node) string {
	if strings.EqualFold(attribute(meta, "property"), "og:image") || strings.EqualFold(attribute(meta, "name"), "og:image") {
		return attribute(meta, "content")
	}
	return ""
}

// shownImage returns the source of an image if it may stand for its page, or "".
func shownImage(img *html.Node) string {
	src := strings.TrimSpace(attribute(img, "src"))
	if _, ok := webAddress(src); !ok || isSmall(attribute(img, "width")) || isSmall(attribute(img, "height")) {
		return ""
	}
	return src
}

func isSmall(size string) bool {
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(size), "px"))
	return err == nil && n < leastImage
}

// imageOf returns the address of a page's image: that of its front matter, else the one that the page
// names for previews, else the first that it shows. The last two count only if most pages do not share
// them, and all only if their address is relative or on the web. address is the page's address, name
// its file.
func (c *Corpus) imageOf(p *page, name, address string, shared map[string]bool) (string, bool) {
	usable := func(source any) (string, bool) {
		src, ok := webAddress(source)
		return src, ok && !(c.site != nil && c.site.movesImages && isRelative(src)) // the generator moves it elsewhere
	}
	for _, field := range []string{"image", "cover"} {
		if src, ok := usable(p.metadata[field]); ok {
			return imageAddress(src, address), true
		}
	}
	for _, source := range append([]string{p.preview}, p.images...) {
		if src, ok := usable(source); ok && !shared[imageAddress(src, escaped(name))] {
			return imageAddress(src, address), true
		}
	}
	return "", false
}

// isRelative reports whether an address depends on the page that it is in.
func isRelative(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "" && u.Host == "" && !path.IsAbs(u.Path)
}

// imageAddress is the address of an image in a page at the address, which may itself be
// relative to the site.
func imageAddress(src, address string) string {
	const site = "vantage://site/" // makes a relative address absolute for a moment
	u, err := url.Parse(src)
	if err != nil || !isRelative(src) && (u.Host != "" || u.Scheme != "" || !strings.Contains(address, "://")) {
		return src
	}
	base, err := url.Parse(address)
	if err != nil {
		return src
	}
	base.Fragment, base.RawQuery = "", ""
	if base.Host != "" || path.IsAbs(base.Path) {
		return base.ResolveReference(u).String()
	}
	root, err := url.Parse(site)
	if err != nil {
		return src
	}
	return strings.TrimPrefix(root.ResolveReference(base).ResolveReference(u).String(), site)
}

package corpus

import (
	"maps"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/cputime"
)

// Sites as their generators' manuals describe them, with the address of each page that is not left out.
var siteFixtures = map[string]struct {
	files   map[string]string
	want    map[string]string
	leftOut map[string]int
}{
	"Hugo": {
		map[string]string{
			"hugo.toml":                "baseURL = 'https://example.org/blog/'\n[permalinks]\nnews = '/:year/:month/:slug/'\n[permalinks.page]\ndocs = '/manual/:sections/:contentbasename.html'\n",
			"content/_index.md":        "home",
			"content/about.md":         "text",
			"content/My Page_1.md":     "text",
			"content/C++ & C#.md":      "text",
			"content/R & D/_index.md":  "text",
			"content/news/nodate.md":   "---\ntitle: Nodate\n---\ntext",
			"content/posts/_index.md":  "list",
			"content/posts/a.md":       "---\nslug: Other Name\n---\ntext {{< figure src=x >}}",
			"content/posts/b/index.md": "+++\ndate = 2020-01-02\n+++\n{{% note %}}bundle{{% /note %}}",
			"content/posts/b/part.md":  "resource",
			"content/posts/c.md":       "---\nurl: /own/place\naliases: [/old/]\n---\ntext\n\n## Head\n\nmore",
			"content/posts/d.html":     "---\ntitle: D\n---\n<p>text",
			"content/posts/draft.md":   "---\ndraft: true\n---\ntext",
			"content/posts/future.md":  "---\ndate: 2999-01-01\n---\ntext",
			"content/posts/past.md":    "---\nexpiryDate: 2019-01-01T00:00:00Z\n---\ntext",
			"content/news/x.md":        "---\ntitle: A title, with Ü\ndate: 2024-05-06T07:08:09+02:00\n---\ntext",
			"content/docs/sub/y.md":    "text", "content/docs/deep/_index.md": "text", "content/docs/deep/flat/z.md": "text",
			"layouts/index.html": "no", "public/index.html": "no", "README.md": "no", "themes/x/content/z.md": "no",
		},
		map[string]string{
			"content/_index.md": "/blog/", "content/about.md": "/blog/about/", "content/My Page_1.md": "/blog/my-page_1/", "content/posts/_index.md": "/blog/posts/",
			"content/C++ & C#.md": "/blog/c++--c%23/", "content/R & D/_index.md": "/blog/r--d/", "content/news/nodate.md": "/blog/1/01/nodate/",
			"content/posts/a.md": "/blog/posts/other-name/", "content/posts/b/index.md": "/blog/posts/b/", "content/posts/c.md": "/blog/own/place/", "content/posts/c.md#head": "/blog/own/place/#head",
			"content/posts/d.html": "/blog/posts/d/", "content/news/x.md": "/blog/2024/05/a-title-with-%C3%BC/", "content/docs/sub/y.md": "/blog/manual/docs/y.html", "content/docs/deep/_index.md": "/blog/docs/deep/", "content/docs/deep/flat/z.md": "/blog/manual/docs/deep/z.html",
		},
		map[string]int{reasonDraft: 1, reasonFuture: 2, reasonPart: 1},
	},
	"Hugo with patterns in front matter": {
		map[string]string{
			"hugo.toml":               "baseURL = 'https://example.org/b/'\n",
			"content/a.md":            "---\nurl: /:year/w/\ndate: 2024-05-05\n---\ntext",
			"content/docs/b/index.md": "---\ntitle: A & B/C\nurl: \":section/:title/:contentbasename.html\"\n---\ntext",
			"content/docs/c.md":       "---\nurl: /x/:secret/a:b\n---\ntext",
			"content/docs/d.md":       "---\nurl: https://example.com/:year/\n---\ntext",
			"content/docs/e.md":       "---\nurl: javascript:alert(1)\n---\ntext",
		},
		map[string]string{"content/a.md": "/b/2024/w/", "content/docs/b/index.md": "/b/docs/a-b-c/b.html", "content/docs/c.md": "/b/x/:secret/a:b/", "content/docs/d.md": "https://example.com/:year/", "content/docs/e.md": "/b/docs/e/"},
		nil,
	},
	"Hugo with patterns for lists and the root": {
		map[string]string{
			"hugo.toml":                   "[permalinks.section]\nnews = '/archive/:sections/'\n'/' = '/no/'\n[permalinks.page]\n' / ' = '/top/:slug/'\n'news/' = '/n/:slug/'\n",
			"content/_index.md":           "home",
			"content/about.md":            "---\ntitle: About us\n---\ntext",
			"content/news/_index.md":      "list",
			"content/news/2024/_index.md": "list",
			"content/news/2024/a.md":      "---\nslug: b\n---\ntext",
			"content/posts/_index.md":     "list",
		},
		map[string]string{"content/_index.md": "/", "content/about.md": "/top/about-us/", "content/news/_index.md": "/archive/news/", "content/news/2024/_index.md": "/archive/news/2024/",
			"content/news/2024/a.md": "/n/b/", "content/posts/_index.md": "/posts/"},
		nil,
	},
	"Hugo with languages": {
		map[string]string{
			"config.yaml":          "languages:\n  en: {}\n  de: {}\ndefaultContentLanguage: en\nuglyURLs: true\n",
			"content/a.md":         "text",
			"content/a.de.md":      "text",
			"content/v1.2.md":      "text",
			"content/_index.de.md": "text",
		},
		map[string]string{"content/a.md": "/a.html", "content/a.de.md": "/de/a.html", "content/v1.2.md": "/v1.2.html", "content/_index.de.md": "/de/"},
		nil,
	},
	"Hugo with a folder of configuration": {
		map[string]string{
			"config/_default/hugo.json":         `{"baseURL": "https://example.org/", "defaultContentLanguage": "en", "uglyURLs": true}`,
			"config/_default/permalinks.toml":   "posts = '/:year/:month/:slug/'\n",
			"config/_default/languages.yaml":    "en: {languageName: English}\nDE: {languageName: Deutsch}\n",
			"config/_default/languages.de.toml": "contentDir = 'deutsch'\n",
			"config/_default/taxonomies.yml":    "topic: topics\n",
			"config/_default/params.toml":       "permalinks = 3 is no TOML",
			"config/production/config.toml":     "uglyurls = false\nDisableKinds = ['taxonomy']\n",
			"config/staging/hugo.toml":          "baseURL = 'https://example.org/staging/'\n",
			"content/posts/hello.md":            "---\ntitle: Hello\ndate: 2024-03-04\n---\ntext", "deutsch/posts/hello.md": "---\ntitle: Hallo\ndate: 2024-03-04\n---\ntext",
			"content/about.md": "text", "content/topics/_index.md": "text", "content/tags/_index.md": "text",
		},
		map[string]string{"content/posts/hello.md": "/2024/03/hello/", "deutsch/posts/hello.md": "/de/2024/03/hallo/", "content/about.md": "/about/", "content/tags/_index.md": "/tags/"},
		map[string]int{reasonPart: 1},
	},
	"Hugo with a file beside its folder of configuration": {
		map[string]string{
			"config.yml": "baseURL: https://example.org/a/\npermalinks: {posts: '/no/:slug/', news: '/n/:slug/'}\n", "config/_default/permalinks.yaml": "posts: /p/:slug/\n",
			"content/posts/a.md": "---\nslug: a\n---\ntext", "content/news/b.md": "---\nslug: b\n---\ntext",
		},
		map[string]string{"content/posts/a.md": "/a/p/a/", "content/news/b.md": "/a/n/b/"},
		nil,
	},
	"Jekyll": {
		map[string]string{
			"_config.yml":                          "baseurl: /project\npermalink: /:categories/:year/:month/:day/:title:output_ext\ncollections:\n  recipes:\n    output: true\n  private:\n    output: false\nexclude: [tools]\n",
			"index.md":                             "---\n---\nhome",
			"about.md":                             "---\ntitle: About\n---\ntext",
			"team/people.html":                     "---\n---\n<p>{% for p in x %}{{ p }}{% endfor %}text",
			"plain.html":                           "<p>text",
			"own.md":                               "---\npermalink: /special/\n---\ntext",
			"README.md":                            "no front matter",
			"_posts/2024-05-06-A-Post.md":          "---\ncategories: Big News\n---\ntext",
			"_posts/2024-05-06-Some Über title.md": "---\ncategories: [C++]\n---\ntext",
			"food/_posts/2024-05-06-bread.md":      "---\ncategory: Rye Bread\ndate: 2023-01-02 03:04:05 +0000\nslug: loaf\n---\ntext",
			"_posts/2024-05-07-p.md":               "---\npermalink: /p/:year/:title\n---\ntext",
			"_posts/2999-01-01-later.md":           "---\n---\ntext",
			"_posts/undated.md":                    "---\n---\ntext",
			"_drafts/idea.md":                      "---\n---\ntext",
			"_posts/2024-05-08-hidden.md":          "---\npublished: false\n---\ntext",
			"_recipes/soup/pea.md":                 "---\n---\ntext",
			"_private/x.md":                        "---\n---\ntext", "_layouts/default.html": "no", "_includes/x.html": "no", "tools/x.md": "---\n---\nno", "node_modules/x/README.md": "---\n---\nno",
		},
		map[string]string{
			"index.md": "/project/", "about.md": "/project/about.html", "team/people.html": "/project/team/people.html", "plain.html": "/project/plain.html", "own.md": "/project/special/",
			"_posts/2024-05-06-Some Über title.md": "/project/c++/2024/05/06/Some-%C3%9Cber-title.html",
			"_posts/2024-05-06-A-Post.md":          "/project/big/news/2024/05/06/A-Post.html", "food/_posts/2024-05-06-bread.md": "/project/food/rye%20bread/2023/01/02/loaf.html",
			"_posts/2024-05-07-p.md": "/project/p/2024/p", "_recipes/soup/pea.md": "/project/recipes/soup/pea.html",
		},
		map[string]int{reasonDraft: 2, reasonFuture: 1, reasonPart: 1, reasonBare: 1},
	},
	"Jekyll, pretty": {
		map[string]string{"_config.yml": "permalink: pretty\n", "a/b.md": "---\n---\ntext", "_posts/2024-05-06-x.md": "---\n---\ntext"},
		map[string]string{"a/b.md": "/a/b/", "_posts/2024-05-06-x.md": "/2024/05/06/x/"},
		nil,
	},
	"Jekyll with slugs of categories": {
		map[string]string{
			"_config.yml":                         "permalink: /:slugified_categories/:w_year/:title/\n",
			"_posts/2024/2021-01-02-a.md":         "---\ncategories: [Web Dev, web-dev, C++]\n---\ntext",
			"news/_posts/2024/01/2024-12-31-b.md": "---\n---\ntext",
			"_posts/2024/2024-01-02-c.md":         "---\npermalink: date\n---\ntext",
		},
		map[string]string{
			"_posts/2024/2021-01-02-a.md": "/web-dev/c/2020/a/", "news/_posts/2024/01/2024-12-31-b.md": "/news/2025/b/", "_posts/2024/2024-01-02-c.md": "/2024/01/02/c.html",
		},
		nil,
	},
	"Docusaurus": {
		map[string]string{
			"docusaurus.config.js":             "// baseUrl: '/wrong/'\nexport default {\n  url: 'https://example.org',\n  baseUrl: '/guide/',\n  presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]],\n};\n",
			"docs/intro.md":                    "---\nsidebar_position: 1\n---\ntext",
			"docs/01-start/02-install.mdx":     "import Tabs from '@theme/Tabs';\n\n# Install\n\n<Tabs>text</Tabs>\n\n{/* no */}\n",
			"docs/01-start/index.md":           "text",
			"docs/api/api.md":                  "text",
			"docs/api/2021-11-notes.md":        "---\nid: notes\n---\ntext",
			"docs/api/abs.md":                  "---\nslug: /top\n---\ntext",
			"docs/api/rel.md":                  "---\nslug: other\n---\ntext",
			"docs/home.md":                     "---\nslug: /\n---\ntext",
			"docs/draft.md":                    "---\ndraft: true\n---\ntext",
			"docs/own.md":                      "# Own {#mine}\n\ntext\n\n## Sub {#other-one}\n\ntext",
			"docs/unlisted.md":                 "---\nunlisted: true\n---\ntext",
			"docs/_partial.md":                 "no",
			"blog/2021-08-26-welcome/index.md": "text",
			"blog/2021-08-27-x.md":             "---\nslug: my-x\n---\ntext",
			"blog/2021-08-28-y.md":             "text",
			"blog/2021/05-28-ee.md":            "text", "blog/category/2021/05-28-gg.md": "text", "blog/hh/2021-05-28-ii.md": "text", "blog/2021-05-28-jj.md": "---\ndate: 2023-01-09\n---\ntext",
			"src/pages/help.md": "text",
			"README.md":         "no", "node_modules/a/README.md": "no",
		},
		map[string]string{
			"docs/intro.md": "/guide/docs/intro", "docs/01-start/02-install.mdx#install": "/guide/docs/start/install", "docs/01-start/index.md": "/guide/docs/start/", "docs/api/api.md": "/guide/docs/api/",
			"docs/api/2021-11-notes.md": "/guide/docs/api/notes", "docs/api/abs.md": "/guide/docs/top", "docs/api/rel.md": "/guide/docs/api/other", "docs/home.md": "/guide/docs", "docs/own.md#own": "/guide/docs/own", "docs/own.md#other-one": "/guide/docs/own#other-one",
			"blog/2021-08-26-welcome/index.md": "/guide/blog/2021/08/26/welcome", "blog/2021-08-27-x.md": "/guide/blog/my-x", "blog/2021-08-28-y.md": "/guide/blog/2021/08/28/y",
			"blog/2021/05-28-ee.md": "/guide/blog/2021/05/28/ee", "blog/category/2021/05-28-gg.md": "/guide/blog/2021/05/28/category/gg", "blog/hh/2021-05-28-ii.md": "/guide/blog/2021/05/28/hh/ii", "blog/2021-05-28-jj.md": "/guide/blog/2021/05/28/jj",
			"src/pages/help.md": "/guide/help",
		},
		map[string]int{reasonDraft: 1, reasonUnlisted: 1},
	},
	"MkDocs": {
		map[string]string{
			"mkdocs.yml":     "site_name: x\nsite_url: https://example.org/a b/\nmarkdown_extensions:\n  - pymdownx.emoji:\n      emoji_index: !!python/name:material.extensions.emoji.twemoji\n",
			"docs/index.md":  "home",
			"docs/README.md": "no",
			"docs/A page.md": "text", "docs/sub/README.md": "text", "docs/sub/x.html": "<p>text", "README.md": "no", "site/index.html": "no",
		},
		map[string]string{"docs/index.md": "/a%20b/", "docs/A page.md": "/a%20b/A%20page/", "docs/sub/README.md": "/a%20b/sub/", "docs/sub/x.html": "/a%20b/sub/x.html"},
		map[string]int{reasonPart: 1},
	},
	"Hugo without pages that it does not render or list": {
		map[string]string{
			"hugo.yaml":                     "disableKinds: [Home, section, term]\ntaxonomies:\n  topic: topics\n",
			"content/_index.md":             "home",
			"content/posts/_index.md":       "---\nurl: /all/\n---\nlist",
			"content/topics/_index.md":      "list",
			"content/topics/x/_index.md":    "list",
			"content/tags/_index.md":        "list",
			"content/posts/never.md":        "---\nbuild:\n  render: never\n  list: never\n---\ntext",
			"content/posts/link.md":         "+++\nBuild = {Render = 'link'}\n+++\ntext",
			"content/posts/false.md":        "---\n_build: {render: false}\nurl: /mine/\n---\ntext",
			"content/posts/false-toml.md":   "+++\n[_build]\nrender = false\n+++\ntext",
			"content/posts/zero.md":         "{\"build\": {\"render\": 0}}\ntext",
			"content/posts/alias.md":        "---\nx: &b {render: never}\nbuild: *b\n---\ntext",
			"content/posts/html.html":       "---\nbuild: {render: never}\n---\n<p>text",
			"content/posts/unlisted.md":     "---\n_build:\n  list: false\n---\ntext",
			"content/posts/local.md":        "---\nbuild: {render: always, list: local, publishResources: false}\n---\ntext",
			"content/posts/other.md":        "---\nbuild: 3\nparams: {render: never}\n---\ntext",
			"content/posts/bundle/index.md": "---\nbuild: {render: true, list: true}\n---\ntext",
		},
		map[string]string{"content/topics/_index.md": "/topics/", "content/posts/local.md": "/posts/local/", "content/posts/other.md": "/posts/other/", "content/posts/bundle/index.md": "/posts/bundle/"},
		map[string]int{reasonPart: 11, reasonUnlisted: 1},
	},
	"MkDocs without what its search leaves out": {
		map[string]string{
			"mkdocs.yml": "",
			"docs/a.md":  "---\nsearch:\n  exclude: true\n---\ntext", "docs/b.md": "---\nsearch:\n  exclude: false\n  boost: 2\n---\ntext", "docs/c.md": "---\nsearch: x\nbuild: {render: never}\n---\ntext",
		},
		map[string]string{"docs/b.md": "/b/", "docs/c.md": "/c/"},
		map[string]int{reasonUnlisted: 1},
	},
	"Starlight without what its search leaves out": {
		map[string]string{
			"astro.config.mjs":       "import starlight from '@astrojs/starlight';\n",
			"src/content/docs/a.md":  "---\npagefind: false\n---\ntext",
			"src/content/docs/b.mdx": "---\npagefind: true\n---\ntext",
			"src/content/docs/c.md":  "---\ndraft: true\n---\ntext",
		},
		map[string]string{"src/content/docs/b.mdx": "/b/"},
		map[string]int{reasonUnlisted: 1, reasonDraft: 1},
	},
	"Hugo without some": {
		map[string]string{
			"hugo.toml":          "[permalinks]\nnews = '/:year/:contentbasename/'\n",
			"content/a.md":       "---\nTitle: A\nDraft: true\n---\ntext",
			"content/b.md":       "{\n\t\"title\": \"B\",\n\t\"draft\": true\n}\ntext",
			"content/c.md":       "{\"Slug\": 2024, \"tags\": [\"x\", 1], \"params\": {}}\ntext",
			"content/d.md":       "+++\nPublishDate = 2999-01-01\n+++\ntext",
			"content/e.md":       "---\npubdate: 2999-01-01\ndate: 2020-01-01\n---\ntext",
			"content/f.md":       "---\nlastmod: 2999-01-01\n---\ntext",
			"content/g.md":       "---\nexpirydate: 2020-01-01\n---\ntext",
			"content/h.md":       "---\nunpublishdate: 2020-01-01\n---\ntext",
			"content/news/i.md":  "---\nDate: 2020-01-01\nlastmod: 2999-01-01\n---\ntext",
			"content/j/index.md": "---\nheadless: true\n---\ntext",
			"content/k.md":       "{{< comment >}}secret{{< /comment >}}{ \"no\" }",
			"news/index.html":    "published before",
		},
		map[string]string{"content/c.md": "/2024/", "content/news/i.md": "/2020/i/", "content/k.md": "/k/"},
		map[string]int{reasonDraft: 2, reasonFuture: 5, reasonPart: 1},
	},
	"Docusaurus with a blog alone": {
		map[string]string{
			"docusaurus.config.js":       "export default {\n  presets: [['classic', {\n    docs: false,\n    blog: {\n      feedOptions: { type: 'all' },\n      routeBasePath: '/', // at the root\n    },\n  }]],\n};\n",
			"blog/2021-08-26-welcome.md": "text", "blog/own.md": "---\nslug: mine\n---\ntext",
		},
		map[string]string{"blog/2021-08-26-welcome.md": "/2021/08/26/welcome", "blog/own.md": "/mine"},
		nil,
	},
	"Docusaurus with another blog": {
		map[string]string{
			"docusaurus.config.js": "export default {\n  presets: [['classic', {\n    blog: {\n      routeBasePath: 'news',\n    },\n  }]],\n};\n",
			"blog/a.md":            "text", "docs/a.md": "text",
		},
		map[string]string{"blog/a.md": "/news/a", "docs/a.md": "/docs/a"},
		nil,
	},
	"Docusaurus with several plugins": {
		map[string]string{
			"docusaurus.config.js": "module.exports = {\n  themeConfig: { docs: { sidebar: { path: 'no' } }, image: 'a\\'{[', editUrl: 'https://e.org' }, /* baseUrl: '/no/' */ baseUrl: '/b/',\n  plugins: [\n" +
				"    ['@docusaurus/plugin-content-docs', {\n      id: 'community',\n      path: 'community',\n      routeBasePath: 'people',\n    }],\n    [require.resolve(\"@docusaurus/plugin-content-blog\"), { id: 'news', routeBasePath: '/news/', path: './more/news' }],\n    ['content-docs', { id: 'computed', path }],\n  ],\n" +
				"  presets: [['classic', {\n    \"docs\": { sidebarPath: './sidebars.js', versions: { current: { path: 'next' } }, \"path\": 'manual' },\n    blog: { feedOptions: { routeBasePath: 'no' } },\n  }]],\n};\n",
			"manual/intro.md": "text", "blog/a.md": "text", "community/01-team/me.md": "text", "community/_part.md": "no", "more/news/2024-01-02-x.md": "text", "docs/old.md": "no", "src/pages/help.md": "text",
		},
		map[string]string{"manual/intro.md": "/b/docs/intro", "blog/a.md": "/b/blog/a", "community/01-team/me.md": "/b/people/team/me", "more/news/2024-01-02-x.md": "/b/news/2024/01/02/x", "src/pages/help.md": "/b/help"},
		nil,
	},
	"Docusaurus without a preset": {
		map[string]string{
			"docusaurus.config.js": "export default {\n  plugins: [['@docusaurus/plugin-content-docs', { routeBasePath: '/', path: 'handbook' }], '@docusaurus/plugin-content-blog'],\n};\n",
			"handbook/a.md":        "text", "blog/a.md": "text", "docs/a.md": "no",
		},
		map[string]string{"handbook/a.md": "/a", "blog/a.md": "/blog/a"},
		nil,
	},
	"Jekyll without some": {
		map[string]string{
			"_config.yml": "exclude: [draft, '*.secret.md', '*/private', /x?.md, 'lit\\*.md', tools/]\n",
			"draft-a.md":  "---\n---\ntext", "drafts/b.md": "---\n---\ntext", "c.secret.md": "---\n---\ntext", "sub/d.secret.md": "---\n---\ntext", "sub/private/e.md": "---\n---\ntext", "sub/keep.md": "---\n---\ntext", "x1.md": "---\n---\ntext", "x12.md": "---\n---\ntext", "sub/x1.md": "---\n---\ntext", "lita.md": "---\n---\ntext", "vendors.md": "---\n---\ntext", "tools/f.md": "---\n---\ntext", "toolsmith.md": "---\n---\ntext",
		},
		map[string]string{"sub/keep.md": "/sub/keep.html", "x12.md": "/x12.html", "sub/x1.md": "/sub/x1.html", "lita.md": "/lita.html", "vendors.md": "/vendors.html", "toolsmith.md": "/toolsmith.html"},
		nil,
	},
	"Hugo with folders of languages": {
		map[string]string{
			"hugo.toml":                  "baseURL = 'https://example.org/'\n[languages.en]\ncontentDir = 'content/english'\n[languages.de]\ncontentDir = './content/german/'\n",
			"content/english/posts/a.md": "text", "content/german/posts/a.md": "text", "content/german/posts/b/index.md": "text", "content/german/_index.md": "text", "content/other.md": "text",
		},
		map[string]string{"content/english/posts/a.md": "/posts/a/", "content/german/posts/a.md": "/de/posts/a/", "content/german/posts/b/index.md": "/de/posts/b/", "content/german/_index.md": "/de/"},
		nil,
	},
	"MkDocs without some": {
		map[string]string{
			"mkdocs.yml":       "docs_dir: ./docs\nexclude_docs: |\n  # comment\n  drafts/\n  /only.md\n  *.secret.md\n  x/**/deep.md\n  !keep.secret.md\n  trail.md\n  q?.md\n  [ab]1.md\n  [!z]2.md\ndraft_docs: |\n  wip-*.md\n  !wip-ok.md\n",
			"docs/drafts/a.md": "text", "docs/sub/drafts/b.md": "text", "docs/only.md": "text", "docs/sub/only.md": "text", "docs/z.secret.md": "text", "docs/keep.secret.md": "text", "docs/x/deep.md": "text", "docs/x/p/deep.md": "text", "docs/x/y.md": "text", "docs/trail.md": "text", "docs/sub/trail.md": "text", "docs/q1.md": "text", "docs/q12.md": "text", "docs/a1.md": "text", "docs/c1.md": "text", "docs/z2.md": "text", "docs/wip-1.md": "text", "docs/wip-ok.md": "text", "docs/sub/wip-2.md": "text", "docs/templates/t.md": "text", "docs/sub/templates/u.md": "text",
		},
		map[string]string{"docs/sub/only.md": "/sub/only/", "docs/keep.secret.md": "/keep.secret/", "docs/x/y.md": "/x/y/", "docs/q12.md": "/q12/", "docs/c1.md": "/c1/", "docs/z2.md": "/z2/", "docs/wip-ok.md": "/wip-ok/", "docs/sub/templates/u.md": "/sub/templates/u/"},
		map[string]int{reasonDraft: 2},
	},
	"MkDocs in older YAML": {
		map[string]string{"mkdocs.yml": "use_directory_urls: No\n", "docs/a.md": "text", "docs/b.md": "---\nsearch: {exclude: yes}\n---\ntext", "docs/c.md": "---\nsearch: {exclude: off}\n---\ntext"},
		map[string]string{"docs/a.md": "/a.html", "docs/c.md": "/c.html"},
		map[string]int{reasonUnlisted: 1},
	},
	"Jekyll in older YAML": {
		map[string]string{"_config.yml": "future: on\ncollections:\n  recipes: {output: yes}\n  notes: {output: no}\n", "_posts/2999-01-01-a.md": "---\n---\ntext", "_recipes/b.md": "---\n---\ntext", "_notes/c.md": "---\n---\ntext"},
		map[string]string{"_posts/2999-01-01-a.md": "/2999/01/01/a.html", "_recipes/b.md": "/recipes/b.html"},
		nil,
	},
	"Hugo in older YAML": {
		map[string]string{"hugo.yaml": "uglyURLs: yes\ndefaultContentLanguage: no\nlanguages: {no: {}, en: {}}\n", "content/a.md": "---\nheadless: no\n---\ntext", "content/b.en.md": "text", "content/c.md": "---\nheadless: on\n---\ntext"},
		map[string]string{"content/a.md": "/a.html", "content/b.en.md": "/en/b.html"},
		map[string]int{reasonPart: 1},
	},
	"MkDocs with files": {
		map[string]string{"mkdocs.yml": "docs_dir: pages\nuse_directory_urls: false\n", "pages/index.md": "home", "pages/sub/a.md": "text", "pages/sub/index.md": "text"},
		map[string]string{"pages/index.md": "/index.html", "pages/sub/a.md": "/sub/a.html", "pages/sub/index.md": "/sub/index.html"},
		nil,
	},
	"Astro": {
		map[string]string{
			"astro.config.mjs":                  "export default defineConfig({\n  site: 'https://example.org',\n  base: '/my',\n});\n",
			"src/pages/index.astro":             "no",
			"src/pages/about.md":                "text",
			"src/pages/sub/index.md":            "text",
			"src/pages/_hidden.md":              "no",
			"src/pages/writing/[...slug].astro": "---\nconst posts = await getCollection('blog');\n---\n",
			"src/content/blog/First Post.md":    "text",
			"src/content/blog/b/index.mdx":      "text",
			"src/content/blog/c.md":             "---\nslug: own/name\n---\ntext",
			"src/content/blog/d.md":             "---\ndraft: true\n---\ntext",
			"src/content/authors/me.md":         "no page",
		},
		map[string]string{
			"src/pages/about.md": "/my/about/", "src/pages/sub/index.md": "/my/sub/", "src/content/blog/First Post.md": "/my/writing/first-post/", "src/content/blog/b/index.mdx": "/my/writing/b/",
			"src/content/blog/c.md": "/my/writing/own/name/",
		},
		map[string]int{reasonDraft: 1, reasonPart: 1},
	},
	"Astro with lists of its collections": {
		map[string]string{
			"astro.config.mjs":                "export default defineConfig({ site: 'https://e.org', /* base: '/no' */ base: '/docs' }); // base: '/no'\n",
			"src/pages/author/[author].astro": "---\nconst posts = await getCollection('blog');\n---\n",
			"src/pages/[...page].astro":       "---\nconst posts = await getCollection('blog');\n---\n",
			"src/pages/authors/[slug].astro":  "---\nconst all = await getCollection('people');\nconst posts = await getCollection('blog');\nconst { Content } = await render(a);\n---\n",
			"src/pages/blog/[...slug].astro":  "---\nconst posts = await getCollection('blog');\n---\n",
			"src/pages/blog/[id].astro":       "---\nconst posts = await getCollection('blog');\n---\n",
			"src/pages/events/[event].astro":  "---\nconst all = await getCollection('events');\nconst { Content } = await all[0].render();\n---\n",
			"src/pages/archive/[slug].astro":  "---\nconst all = await getCollection('events');\n---\n",
			"src/pages/tags/[tag].astro":      "---\nconst all = await getCollection('notes');\n---\n",
			"src/content/blog/a.md":           "text", "src/content/people/b.md": "text", "src/content/events/c.md": "text", "src/content/notes/d.md": "text",
		},
		map[string]string{"src/content/blog/a.md": "/docs/blog/a/", "src/content/people/b.md": "/docs/authors/b/", "src/content/events/c.md": "/docs/events/c/"},
		map[string]int{reasonPart: 1},
	},
	"Starlight": {
		map[string]string{"astro.config.mjs": "import starlight from '@astrojs/starlight';\n", "src/content/docs/index.mdx": "text", "src/content/docs/guides/a.md": "text"},
		map[string]string{"src/content/docs/index.mdx": "/", "src/content/docs/guides/a.md": "/guides/a/"},
		nil,
	},
}

func TestSites(t *testing.T) {
	now = func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }
	defer func() { now = time.Now }()
	for name, c := range siteFixtures {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, c.files)
			f, err := Open(dir, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if generator, _, _ := strings.Cut(strings.ReplaceAll(name, "Starlight", "Astro"), " "); !strings.Contains(f.Note(), strings.TrimSuffix(generator, ",")) {
				t.Errorf("note %q", f.Note())
			}
			got, leftOut := addresses(t, dir, Options{})
			sameAddresses(t, got, c.want)
			if !maps.Equal(leftOut, c.leftOut) {
				t.Errorf("left out %v, want %v", leftOut, c.leftOut)
			}
			base := "https://example.net/"
			for id, address := range got {
				if strings.Contains(address, "://") {
					continue // a base does not go before it
				}
				got, _ := addresses(t, dir, Options{BaseURL: base})
				if short := strings.TrimPrefix(address, f.site.base); got[id] != base+short {
					t.Errorf("%s: %q below another base", id, got[id])
				}
				break
			}
		})
	}
	docs, err := read(folder(t, siteFixtures["Hugo"].files), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if strings.Contains(d.Text, "{{") {
			t.Errorf("%s: %q", d.ID, d.Text)
		}
	}
}

// A template for links goes before the generator's address, unless the page's front matter has an address that the
// generator reads.
func TestLinksOfSites(t *testing.T) {
	own := "---\nurl: /own/\npermalink: /mine/\n---\ntext"
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"Hugo":             {map[string]string{"hugo.toml": "", "content/a.md": own}, "/own/"},
		"Jekyll":           {map[string]string{"_config.yml": "", "a.md": own}, "/mine/"},
		"MkDocs":           {map[string]string{"mkdocs.yml": "", "docs/a.md": own}, "/at/a/"},
		"Astro":            {map[string]string{"astro.config.mjs": "", "src/pages/a.md": own}, "/at/a/"},
		"Astro, two pages": {map[string]string{"astro.config.mjs": "", "src/pages/a/[slug].astro": "getCollection('blog')", "src/pages/b/[slug].astro": "getCollection('blog')", "src/content/blog/a.md": own}, "/at/a/a/"},
	} {
		got, _ := addresses(t, folder(t, c.files), Options{Link: "/at/{path}/"})
		if len(got) != 1 {
			t.Errorf("%s: %v", name, got)
		}
		for _, address := range got {
			if address != c.want {
				t.Errorf("%s: %q, want %q", name, address, c.want)
			}
		}
	}
}

// The anchors are those of Python-Markdown 3.4.1 (slugify and unique of its extension toc), which MkDocs uses.
func TestMkDocsAnchors(t *testing.T) {
	anchor := mkdocsAnchors()
	for _, c := range [][2]string{
		{"First steps", "first-steps"}, {"What's new in 2.0?", "whats-new-in-20"}, {"Größe & Maß", "groe-ma"}, {"--a - b--", "-a-b-"}, {"日本", "_1"}, {"", "_2"},
		{"First steps", "first-steps_1"}, {"First steps", "first-steps_2"}, {"first-steps_1", "first-steps_3"}, {"x_05", "x_05"}, {"x_05", "x_6"}, {"x_6", "x_7"}, {"ﬁne", "fine"},
	} {
		if got := anchor(c[0]); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
	took := cputime.Of(func() {
		for range 2 {
			for n := range 30_000 {
				anchor("a_" + strconv.Itoa(n))
			}
		}
	})
	if took > 20*time.Second {
		t.Errorf("60,000 headings took %v", took)
	}
}

// The anchors are those of github-slugger 2.0.0, which Docusaurus and Astro use, and of Hugo 0.168.0.
func TestAnchorsOfOtherScripts(t *testing.T) {
	headings := "## 第一章　はじめに\n\nx\n\n## नमस्ते  दुनिया\n\nx\n\n## İletişim\n\nx\n\n## ΣΟΦΟΣ\n\nx\n\n## 10\u00a0€ a\n\nx\n\n## Nu\u0308rnberg\n\nx\n\n## !!!\n\nx\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"GitHub": {map[string]string{"a.md": headings}, []string{"第一章はじめに", "नमस्ते--दुनिया", "i\u0307letişim", "σοφος", "10-a", "nu\u0308rnberg", "section"}},
		"Hugo":   {map[string]string{"hugo.toml": "", "content/a.md": headings}, []string{"第一章はじめに", "नमसत--दनय", "iletişim", "σοφοσ", "10-a", "nurnberg", "heading"}},
	} {
		docs, err := read(folder(t, c.files), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range docs {
			if u, err := url.Parse(d.Metadata["url"].(string)); err != nil || u.Fragment != c.want[i] {
				t.Errorf("%s: %q, want %q; %v", name, u.Fragment, c.want[i], err)
			}
		}
	}
}

func TestSitesRefused(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		line  int64
		words []string
	}{
		"YAML":    {map[string]string{"mkdocs.yml": "a: 1\nb: [\n", "docs/a.md": "x"}, 3, []string{"mkdocs.yml", "not YAML"}},
		"TOML":    {map[string]string{"hugo.toml": "a = 1\nb = \n", "content/a.md": "x"}, 2, []string{"hugo.toml", "not TOML"}},
		"long":    {map[string]string{"docusaurus.config.js": strings.Repeat(" ", maxFrontMatter+1), "docs/a.md": "x"}, 0, []string{"longer than 64 KB"}},
		"aliases": {map[string]string{"_config.yml": "long: &l [" + strings.Repeat("x, ", 1000) + "x]\n" + manyAliases(1000), "a.md": "x"}, 0, []string{"aliases", "64 KB"}},
		"token":   {map[string]string{"hugo.toml": "permalinks = {posts = '/:secret/'}", "content/a.md": "x"}, 0, []string{":secret", "public"}},
		"two pages": {map[string]string{"astro.config.mjs": "", "src/pages/a/[slug].astro": "getCollection('blog')", "src/pages/b/[slug].astro": "getCollection('blog')", "src/content/blog/x.md": "x"}, 0,
			[]string{"src/content/blog/x.md", "src/pages/a/[slug].astro", "src/pages/b/[slug].astro", `collection "blog"`, "dist", "--link"}},
		"sibling":  {map[string]string{"config/_default/hugo.yml": "", "config/_default/permalinks.toml": "posts = '/:secret/'", "content/a.md": "x"}, 0, []string{"config/_default/permalinks.toml", ":secret"}},
		"not TOML": {map[string]string{"hugo.yml": "", "config/_default/languages.toml": "a = \n", "content/a.md": "x"}, 1, []string{"config/_default/languages.toml", "not TOML"}},
		"nothing":  {map[string]string{"hugo.toml": "", "README.md": "x"}, 0, []string{"no pages where Hugo has them"}},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, folder(t, c.files)+"/", Options{}, c.line, c.words...)
		})
	}
}

// A short configuration and a short page cannot make a long address.
func TestLongAddresses(t *testing.T) {
	long := strings.Repeat("x", 60_000)
	front := func(field, value string) string { return "---\n" + field + ": " + value + "\n---\ntext" }
	for name, c := range map[string]struct {
		files map[string]string
		words []string
	}{
		"Hugo's pattern":         {map[string]string{"hugo.toml": "permalinks = {posts = '" + strings.Repeat("/:title", 9000) + "'}", "content/posts/a.md": front("title", long)}, []string{"hugo.toml", `"posts"`, "63000 bytes, at most 2048"}},
		"Hugo's slugs":           {map[string]string{"hugo.toml": "permalinks = {posts = '" + strings.Repeat("/:slug", 300) + "'}", "content/posts/a.md": front("slug", long)}, []string{"a.md", "address has", "at most"}},
		"Hugo's titles":          {map[string]string{"hugo.toml": "permalinks = {posts = '" + strings.Repeat("/:title", 290) + "'}", "content/posts/a.md": front("title", long)}, []string{"a.md", "address has", "at most"}},
		"Hugo's slug":            {map[string]string{"hugo.toml": "", "content/posts/a.md": front("slug", long)}, []string{"a.md", "address has", "at most"}},
		"Jekyll's pattern":       {map[string]string{"_config.yml": "permalink: " + strings.Repeat("/:title", 9000), "_posts/2024-05-06-a.md": front("slug", long)}, []string{"_config.yml", `"posts"`, "at most 2048"}},
		"Jekyll's collection":    {map[string]string{"_config.yml": "collections:\n  c:\n    output: true\n    permalink: " + strings.Repeat("/:title", 8000), "_c/a.md": front("slug", long)}, []string{"_config.yml", `"c"`, "at most 2048"}},
		"Jekyll's slugs":         {map[string]string{"_config.yml": "permalink: " + strings.Repeat("/:title", 290), "_posts/2024-05-06-a.md": front("slug", long)}, []string{"a.md", "address has", "at most"}},
		"Jekyll's categories":    {map[string]string{"_config.yml": "", "_posts/2024-05-06-a.md": front("permalink", strings.Repeat("/:categories", 150)+"\ncategory: "+long)}, []string{"a.md", "address has", "at most"}},
		"Docusaurus's slug":      {map[string]string{"docusaurus.config.js": "", "docs/a.md": front("slug", long)}, []string{"a.md", "address has", "at most"}},
		"Astro's slug":           {map[string]string{"astro.config.mjs": "starlight", "src/content/docs/a.md": front("slug", long)}, []string{"a.md", "address has", "at most"}},
		"a slug, without a site": {map[string]string{"a.md": front("slug", long)}, []string{"a.md", "address has", "at most"}},
	} {
		dir := folder(t, c.files) + "/"
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		t.Run(name, func(t *testing.T) { refused(t, dir, Options{}, 0, c.words...) })
		runtime.ReadMemStats(&after)
		if more := after.TotalAlloc - before.TotalAlloc; more > 20<<20 {
			t.Errorf("%s: %d MB were allocated", name, more>>20)
		}
	}
	// A base that is too long is none, and values of a template are cut before they are escaped.
	got, _ := addresses(t, folder(t, map[string]string{"hugo.toml": "baseURL = 'https://example.org/" + long + "'", "content/a.md": "x"}), Options{})
	sameAddresses(t, got, map[string]string{"content/a.md": "/a/"})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	refused(t, folder(t, map[string]string{"a.md": front("a", long)})+"/", Options{Link: "/" + strings.Repeat("{a}", 600)}, 0, "--link", "2048")
	runtime.ReadMemStats(&after)
	if more := after.TotalAlloc - before.TotalAlloc; more > 20<<20 {
		t.Errorf("a template: %d MB were allocated", more>>20)
	}
	deep := strings.Repeat("ordner mit ümlaut/", 40)
	got, _ = addresses(t, folder(t, map[string]string{deep + "a.md": "x"}), Options{})
	sameAddresses(t, got, map[string]string{deep + "a.md": escaped(deep + "a.html")})
}

func manyAliases(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("b" + strings.Repeat("x", i) + ": *l\n")
		if b.Len() > maxFrontMatter/2 {
			break
		}
	}
	return b.String()
}

// Whatever configuration and front matter say, an address leads only to the web.
func FuzzSites(f *testing.F) {
	for _, c := range siteFixtures {
		for name, content := range c.files {
			if pageKind(name) == "" {
				f.Add(name, content, "posts/a.md", "---\nslug: x\ndate: 2024-05-06\n---\ntext")
			}
		}
	}
	f.Add("hugo.toml", "permalinks = {posts = '"+strings.Repeat("/:title:slug", 150)+"'}", "posts/a", "---\ntitle: "+strings.Repeat("x", 1000)+"\n---\nx")
	f.Add("_config.yml", "permalink: javascript:alert(1)", "_posts/2024-05-06-x.md", "---\npermalink: javascript:alert(:title)\n---\nx")
	f.Fuzz(func(t *testing.T, config, settings, name, page string) {
		known := false
		for _, g := range generators {
			for _, c := range g.configs {
				known = known || c == config
			}
		}
		if !known || len(name) > 60 || strings.ContainsAny(name, "\x00\\:\n") || hasPart(name, ".") || strings.Contains("/"+name+"/", "//") {
			return
		}
		files := map[string]string{config: settings}
		for _, dir := range []string{"content/", "docs/", "src/content/docs/", "_posts/", ""} {
			files[dir+name+".md"] = page
		}
		c, err := Open(folder(t, files), Options{})
		if err != nil {
			return
		}
		for d, err := range c.Documents() {
			if err != nil {
				return
			}
			address, _ := d.Metadata["url"].(string)
			if page, _, _ := strings.Cut(address, "#"); len(page) > 8*maxLinkBytes {
				t.Fatalf("an address of %d bytes", len(page))
			}
			if s := strings.ToLower(address); strings.HasPrefix(s, "javascript:") || strings.HasPrefix(s, "data:") {
				t.Fatalf("%q", address)
			}
		}
	})
}

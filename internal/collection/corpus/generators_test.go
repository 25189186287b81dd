//go:build generators

package corpus

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// headings are those whose anchors generators make differently.
const headings = `

## First steps

text

## What's new in 2.0?

text

### Größe & Maß

text

## 3. Numbers

text

## First steps

the second of this name

## C++ and *stress* with ` + "`code_name`" + `

text

## 第一章　はじめに

text

## नमस्ते  दुनिया

text

## İletişim: ` + "10\u00a0€" + `

text
`

// built are sites that the real generators build: the arguments of the program, in which SOURCE and OUT are folders, and
// the least number of documents.
var built = map[string]struct {
	args  []string
	least int
	files map[string]string
}{
	"hugo": {[]string{"--source", "SOURCE", "--destination", "OUT"}, 8, map[string]string{
		"hugo.toml":                       "baseURL = 'https://example.org/blog/'\ntitle = 'x'\ndisableKinds = ['taxonomy', 'term', 'RSS', 'sitemap']\n[permalinks]\n'news/' = '/no/:slug/'\n'/' = '/top/:slug/'\n",
		"config/_default/permalinks.toml": "'news/' = '/:year/:month/:slug/'\n", "config/_default/languages.toml": "[en]\nlanguageName = 'English'\n", "config/production/languages.de.yaml": "languageName: Deutsch\n", "config/staging/hugo.toml": "uglyURLs = true\n",
		"content/news/x.de.md": "---\ntitle: Titel\ndate: 2024-05-06T07:08:09+02:00\n---\ntext", "content/posts/a.de.md": "---\ntitle: A\n---\ntext",
		"layouts/_default/single.html": "<title>{{.Title}}</title><h1>{{.Title}}</h1>{{.Content}}",
		"layouts/_default/list.html":   "<title>{{.Title}}</title><h1>{{.Title}}</h1>{{.Content}}", "layouts/shortcodes/note.html": "<p>{{.Inner}}</p>",
		"content/own.md":    "# Own {#mine}\n\ntext\n\n## Sub {#other-one}\n\ntext",
		"content/_index.md": "---\ntitle: Home\n---\nhome" + headings, "content/about.md": "---\ntitle: About\n---\ntext", "content/My Page_1.md": "---\ntitle: M\n---\ntext",
		"content/posts/_index.md": "---\ntitle: Posts\n---\nlist", "content/posts/a.md": "---\nslug: Other Name\n---\ntext",
		"content/posts/b/index.md": "+++\ndate = 2020-01-02\n+++\n{{% note %}}bundle{{% /note %}}", "content/posts/b/part.md": "resource",
		"content/posts/c.md": "---\nurl: /own/place\naliases: [/old/]\n---\ntext" + headings, "content/posts/draft.md": "---\ndraft: true\n---\ntext",
		"content/posts/case.md": "---\nTitle: x\nDraft: true\n---\nno", "content/posts/json.md": "{\"title\": \"x\", \"Slug\": \"in-json\"}\ntext", "content/posts/embargo.md": "---\npublishdate: 2999-01-01\n---\nno",
		"content/posts/headless/index.md": "---\nheadless: true\n---\nno", "content/posts/never.md": "---\n_build:\n  render: never\n---\nno", "content/posts/link.md": "---\n_build:\n  render: link\n---\nno",
		"content/tags/_index.md": "no", "content/tags/x/_index.md": "no",
		"content/posts/year.md":   "---\ntitle: 1984\nslug: 2024\n---\ntext\n\n## !!!\n\ntext",
		"content/posts/future.md": "---\ndate: 2999-01-01\n---\ntext", "content/posts/past.md": "---\nexpiryDate: 2019-01-01T00:00:00Z\n---\ntext",
		"content/news/nodate.md": "---\ntitle: Nodate\n---\ntext",
		"content/news/x.md":      "---\ntitle: A title, with Ü\ndate: 2024-05-06T07:08:09+02:00\n---\ntext", "content/docs/sub/Deep Page.md": "---\ntitle: D\n---\ntext",
	}},
	"jekyll": {[]string{"build", "--source", "SOURCE", "--destination", "OUT", "--disable-disk-cache"}, 8, map[string]string{
		"_config.yml": "baseurl: /project\npermalink: /:categories/:year/:month/:day/:title:output_ext\ncollections:\n  recipes:\n    output: true\nexclude: [tools]\n",
		"anchors.md":  "---\n---\n# Own {#mine}\n\ntext\n\n## Sub {#other-one}\n\ntext",
		"index.md":    "---\n---\nhome" + headings, "about.md": "---\ntitle: About\n---\ntext", "team/people.html": "---\n---\n<p>text", "plain.html": "<p>text",
		"own.md": "---\npermalink: /special/\n---\ntext", "README.md": "no front matter", "_posts/2024-05-06-A-Post.md": "---\ncategories: Big News\n---\ntext" + headings,
		"_posts/2024-05-06-Some Über title.md": "---\ncategories: [C++]\n---\ntext",
		"food/_posts/2024-05-06-bread.md":      "---\ncategory: Rye Bread\ndate: 2023-01-02 03:04:05 +0000\nslug: loaf\n---\ntext",
		"_posts/2024/2024-05-09-q.md":          "---\ncategories: [Web Dev]\n---\ntext", "_posts/2024/2024-05-10-r.md": "---\npermalink: /:slugified_categories/:w_year/:title/\ncategories: [Web Dev]\n---\ntext",
		"_posts/2024-05-07-p.md": "---\npermalink: /p/:year/:title\n---\ntext", "_posts/2999-01-01-later.md": "---\n---\ntext", "_drafts/idea.md": "---\n---\ntext",
		"_posts/2024-05-08-hidden.md": "---\npublished: false\n---\ntext", "_recipes/soup/pea.md": "---\n---\ntext", "tools/x.md": "---\n---\nno",
	}},
	"docusaurus": {[]string{"build", "SOURCE", "--out-dir", "OUT"}, 18, map[string]string{
		"docusaurus.config.js": "export default {\n  title: 'x',\n  url: 'https://example.org',\n  baseUrl: '/guide/',\n  onBrokenLinks: 'ignore', // there is no home page\n  plugins: [['@docusaurus/plugin-content-docs', { id: 'team', path: 'team', routeBasePath: 'people' }]],\n  presets: [['classic', { docs: { versions: { current: { label: 'x' } } } }]],\n};\n", "team/me.md": "text",
		"docs/video.md": "text\n\n<iframe src=\"https://example.org/\" />\n\n## After it\n\ntext",
		"package.json":  "{}", "docs/intro.md": "# Intro" + headings, "docs/01-start/02-install.mdx": "# Install\n\n{/* no */}\n\ntext", "docs/01-start/index.md": "text", "docs/api/api.md": "text",
		"docs/api/2021-11-notes.md": "---\nid: notes\n---\ntext", "docs/api/abs.md": "---\nslug: /top\n---\ntext", "docs/api/rel.md": "---\nslug: other\n---\ntext",
		"docs/own.md": "# Own {#mine}\n\ntext\n\n## Sub {#other-one}\n\ntext", "docs/draft.md": "---\ndraft: true\n---\ntext", "docs/_partial.md": "no",
		"blog/2021-08-26-welcome/index.md": "text", "blog/2021-08-27-x.md": "---\nslug: my-x\n---\ntext", "blog/2021-08-28-y.md": "text" + headings, "src/pages/help.md": "text",
		"blog/2021/05-28-ee.md": "text", "blog/category/2021/05-28-gg.md": "text", "blog/hh/2021-05-28-ii.md": "text", "blog/2021-05-28-jj.md": "---\ndate: 2023-01-09\n---\ntext",
	}},
	"astro": {[]string{"build", "--root", "SOURCE", "--outDir", "OUT"}, 8, map[string]string{
		"astro.config.mjs": "import { defineConfig } from 'astro/config';\nexport default defineConfig({ site: 'https://example.org', base: '/star' });\n",
		"package.json":     "{\"type\": \"module\"}",
		"src/content.config.ts": "import { defineCollection } from 'astro:content';\nimport { glob } from 'astro/loaders';\nconst all = (base) => defineCollection({ loader: glob({ pattern: '**/*.md', base }) });\n" +
			"export const collections = { blog: all('./src/content/blog'), docs: all('./src/content/docs') };\n",
		"src/pages/author/[author].astro": "---\nimport { getCollection } from 'astro:content';\nexport async function getStaticPaths() {\n  const all = await getCollection('blog');\n  return all.map((entry) => ({ params: { author: entry.id.length } }));\n}\n---\n<html><body>x</body></html>\n",
		"src/pages/blog/[...slug].astro":  astroPage("blog"), "src/pages/[...doc].astro": strings.ReplaceAll(astroPage("docs"), "slug", "doc"),
		"src/pages/about.md": "# About" + headings, "src/pages/sub/index.md": "text", "src/pages/sub/Some page.md": "text", "src/pages/_draft.md": "no",
		"src/content/blog/first-post.md": "text" + headings, "src/content/blog/2024/Second Post.md": "text", "src/content/blog/Über.md": "text", "src/content/blog/c.md": "---\nslug: own/place\n---\ntext",
		"src/content/docs/guide/index.md": "text", "src/content/docs/guide/Setup v2.0.md": "text" + headings,
	}},
	"mkdocs": {[]string{"build", "--config-file", "SOURCE/mkdocs.yml", "--site-dir", "OUT"}, 6, map[string]string{
		"mkdocs.yml":   "site_name: x\nsite_url: https://example.org/a%20b/\nexclude_docs: |\n  /no/\n  *.no.md\ndraft_docs: |\n  draft.md\n",
		"docs/no/x.md": "no", "docs/x.no.md": "no", "docs/draft.md": "no", "docs/templates/x.md": "no",
		"docs/index.md": "home" + headings, "docs/README.md": "no", "docs/A page.md": "# A page" + headings, "docs/sub/README.md": "text", "docs/sub/x.html": "<p>text", "docs/Über.md": "text",
	}},
}

// astroPage is the page of Astro that shows a collection.
func astroPage(collection string) string {
	return "---\nimport { getCollection, render } from 'astro:content';\nexport async function getStaticPaths() {\n  const all = await getCollection('" + collection + "');\n" +
		"  return all.map((entry) => ({ params: { slug: entry.id }, props: { entry } }));\n}\nconst { Content } = await render(Astro.props.entry);\n---\n<html><body><Content /></body></html>\n"
}

// The real generators publish their sites where results lead: every link answers, and its anchor is in the page.
// VANTAGE_GENERATOR_HUGO and so on name the programs, which scripts/generator.sh installs, and scripts/npm.sh Docusaurus and Astro.
func TestGenerators(t *testing.T) {
	for name, site := range built {
		t.Run(name, func(t *testing.T) {
			program := os.Getenv("VANTAGE_GENERATOR_" + strings.ToUpper(name))
			if program == "" {
				t.Fatalf("VANTAGE_GENERATOR_%s does not name the program: `make test-full` installs it", strings.ToUpper(name))
			}
			source, out := folder(t, site.files), filepath.Join(t.TempDir(), "out")
			f, err := Open(source, Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Log(f.Note())
			got, leftOut := addresses(t, source, Options{}) // before the generator writes to its folder
			t.Log(len(got), "documents; left out:", leftOut)
			if len(got) < site.least {
				t.Fatalf("%d documents, want %d", len(got), site.least)
			}
			args := make([]string, len(site.args))
			for i, arg := range site.args {
				args[i] = strings.NewReplacer("SOURCE", source, "OUT", out).Replace(arg)
			}
			if packages := filepath.Dir(filepath.Dir(program)); filepath.Base(packages) == "node_modules" {
				if err := os.Symlink(packages, filepath.Join(source, "node_modules")); err != nil {
					t.Fatal(err)
				}
			}
			command := exec.Command(program, args...)
			command.Dir = source // Astro keeps files here
			command.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "ASTRO_TELEMETRY_DISABLED=1")
			if output, err := command.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, output)
			}
			base, err := url.PathUnescape(f.site.base)
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(http.StripPrefix(strings.TrimSuffix(base, "/"), published(out)))
			defer server.Close()
			for id, address := range maps.All(got) {
				if problem := answers(server.URL, address); problem != "" {
					t.Errorf("%s leads to %s: %s", id, address, problem)
				}
			}
		})
	}
}

// published serves a folder as the hosts of these generators do: x.html is also found as x.
func published(dir string) http.Handler {
	files := http.FileServer(http.Dir(dir))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := filepath.Join(dir, filepath.FromSlash(r.URL.Path))
		if _, err := os.Stat(name); err != nil {
			if _, err := os.Stat(name + ".html"); err == nil {
				r.URL.Path += ".html"
			}
		}
		files.ServeHTTP(w, r)
	})
}

// answers opens a link and looks for its anchor. It returns what is wrong, or "".
func answers(server, address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return err.Error()
	}
	answer, err := http.Get(server + u.EscapedPath())
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return answer.Status
	}
	tree, err := html.Parse(answer.Body)
	if err != nil {
		return err.Error()
	}
	if u.Fragment == "" {
		return ""
	}
	var ids []string
	for n := range tree.Descendants() {
		if id := attribute(n, "id"); id == u.Fragment {
			return ""
		} else if id != "" {
			ids = append(ids, id)
		}
	}
	return "there is no such anchor, but " + strings.Join(ids, ", ")
}

package corpus

import (
	"slices"
	"strings"
	"testing"
)

// Notes, tabs and the like of a generator's Markdown are read as the texts that they contain, and their marks are not
// shown. Code keeps what looks like a mark.
func TestMarkup(t *testing.T) {
	const python = "# Install { #setup .wide }\n\n[Begin](x.md){ .md-button .md-button--primary }\n\n=== \"pip\"\n\n    ``` sh\n    pip install x\n    ```\n\n    Then run **it**.\n\n" +
		"===+ \"conda\"\n\n\tUse conda.\n\n!!! note inline end \"Versions\"\n\n    Needs 3.9.\n\n    ??? question\n\n        Why `--no-cache { .a }`?\n\n!!! warning\r\n    Not as root.\r\n\nOutside {{ .macro }}.\n\n" +
		"::: x.client\n    options:\n      heading: true\n\n--8<-- \"more.md\"\n\n`-v`\n:   Prints more. :material-check: Good.\n\n-   :octicons-x-24:{ .lg .middle } __Card__\n\n    Of `x`.\n\n*[SSRF]: Forgery\n\n~~~\n!!! note\n    in code { .b }\n~~~\n\n> [!TIP]\n> Quoted.\n"
	const pythonText = "Begin\npip\npip install x\nThen run it.\nconda\nUse conda.\nVersions\nNeeds 3.9.\nWhy --no-cache { .a }?\nNot as root.\nOutside {{ .macro }}.\n-v\nPrints more. Good.\nCard\nOf x.\n!!! note\n    in code { .b }\nQuoted."
	const colons = "# T\n\n:::note[Look *out*]\n\nA note.\n\n:::\n\n::::tip{icon=\"x\"} Two words\nA tip.\n::::\n\n```\n:::note\n```\n\nC::D and a: ::: b.\n"
	const colonsText = "Look out\nA note.\nTwo words\nA tip.\n:::note\nC::D and a: ::: b."
	const notes = "# T\n\n> [!WARNING]\n> Hot[^1].\n\nTerm[^two]\n: Meaning `[^1]`, [^3].\n\n[^1]: https://e.org\n[^two]:\n    Two *words*\n\n    and more[^1].\n\n~~~\n[^3]: a\n~~~\n"
	const notesText = "Hot.\nTerm\nMeaning [^1], [^3].\nhttps://e.org\nTwo words\nand more.\n[^3]: a"
	const kramdown = "---\n---\n1. Contents\n{:toc}\n\nSee [docs](https://e.org){:target=\"_blank\"} and *it*{:.x}, `y`{:.z}.\n{: .warning }\n\n| a |\n|---|\n| b |\n{:.table}\n\n{::options x=\"y\" /}\n- One\n{: .list #own}\n"
	const kramdownText = "See docs and it, y.\na\nb\nOne"
	for name, c := range map[string]struct{ config, file, content, want string }{
		"MkDocs":       {"mkdocs.yml", "docs/a.md", python, pythonText},
		"Docusaurus":   {"docusaurus.config.js", "docs/a.md", colons, colonsText},
		"Astro":        {"astro.config.mjs", "src/pages/a.md", colons, colonsText},
		"none":         {"x.txt", "a.md", colons, colonsText},
		"none, notes":  {"x.txt", "a.md", "!!! note\n    Text {.Name}\n\n> [!NOTE]\n> Text\n", "Text {.Name}\nText"},
		"Hugo":         {"hugo.toml", "content/a.md", "!!! note\n\n:::x", "!!! note\n:::x"},
		"inline":       {"docusaurus.config.js", "docs/a.md", "```code``` begins a line.\n\n:::note\nx\n:::\n\n~~~ a`b\n:::\n~~~\n\nDone\n", "code begins a line.\nx\n:::\nDone"},
		"items":        {"docusaurus.config.js", "docs/a.md", "1. ```sh\n   :::a\n   ```\n\n:::note\nx\n:::\n\n- ~~~\n  - ```\n  ~~~\n\n:::tip\ny\n:::\n", ":::a\nx\n- ```\ny"},
		"MDX":          {"x.txt", "a.mdx", "```code``` begins a line.\n\nimport A from 'a';\n\n- ~~~\n\n  import B\n  ~~~\n\nimport C from 'c';\n", "code begins a line.\nimport B"},
		"footnotes":    {"x.txt", "a.md", notes, notesText},
		"in Hugo":      {"hugo.toml", "content/a.md", notes, notesText},
		"in MkDocs":    {"mkdocs.yml", "docs/a.md", notes, notesText},
		"Jekyll":       {"_config.yml", "a.md", kramdown, kramdownText},
		"Jekyll, code": {"_config.yml", "a.md", "---\n---\n~~~\n[x](y){:.z}\n{: .z}\n: a\n~~~\n{: .b}\n\nHash `{:a}`, {:b}.\n", "[x](y){:.z}\n{: .z}\n: a\nHash {:a}, {:b}."},
		"deep notes":   {"x.txt", "a.md", strings.Repeat("[^a]: ", 200) + "x", ""},
		"deep":         {"mkdocs.yml", "docs/a.md", deepNotes(200), ""},
	} {
		docs, err := read(folder(t, map[string]string{c.config: "", c.file: c.content}), Options{})
		if err != nil || len(docs) == 0 || c.want != "" && docs[0].Text != c.want {
			t.Errorf("%s: %v\n%q\nwant\n%q", name, err, docs, c.want)
		}
	}
	doc := readBy(t, map[string]string{"mkdocs.yml": "", "docs/a.md": python}, Options{})["docs/a.md"]
	if url := doc.Metadata["url"]; doc.Title != "Install" || url != "/a/#setup" {
		t.Errorf("title %q, url %q", doc.Title, url)
	}
}

// A heading of Jekyll may have its anchor in a line of its own.
func TestAnchorsOfKramdown(t *testing.T) {
	docs, err := read(folder(t, map[string]string{"_config.yml": "", "a.md": "---\ntitle: T\n---\n## One\n{: #first .no_toc }\nx\n\nTwo\n---\n{:.a #second}\n\nx\n\n### Three {#third}\n\nx\n\n## Four\n{: .no_toc}\n\nx\n{: #x}\n"}), Options{})
	var got []string
	for _, d := range docs {
		got = append(got, d.Title+" "+d.Metadata["url"].(string)+" "+d.Text)
	}
	if want := []string{"T: One /a.html#first x", "T: Two /a.html#second x", "T: Two: Three /a.html#third x", "T: Four /a.html#four x"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v %q", err, got)
	}
}

// deepNotes is a note within a note within a note …
func deepNotes(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat("    ", i) + "!!! note\n")
	}
	return b.String()
}

package corpus

import (
	"strings"
	"testing"
)

// What a generator highlights is code, in which no line is a heading, and what stands in a raw block is text.
func TestHighlightedCode(t *testing.T) {
	const jekyll, hugo = "_config.yml", "hugo.toml"
	for name, c := range map[string]struct{ config, content, want string }{
		"Jekyll":          {jekyll, "First:\n{% highlight bash linenos %}\n# list\n\n  apt *x* <b>\n{% endhighlight %}\nThen.", "First:\n# list\n\n  apt *x* <b>\nThen."},
		"Hugo":            {hugo, "First:\n\n{{< highlight bash \"linenos=1\" >}}\n# list\n{{< /highlight >}}\n\n{{% highlight go %}}\n# b\n{{%/ highlight %}}\nThen.", "First:\n# list\n# b\nThen."},
		"with fences":     {jekyll, "{% highlight md %}\n````\n# a\n````\n{%- endhighlight -%}\n\nThen.", "````\n# a\n````\nThen."},
		"in an item":      {hugo, "1. One\n2. {{< highlight sh >}}\n# a\n\n# b\n{{< /highlight >}}\n3. Three", "One\n# a\n\n# b\nThree"},
		"below an item":   {jekyll, "- One\n\n  {% highlight sh %}\n# a\n  # b\n  {% endhighlight %}\n- Two\n\n# c", "One\n# a\n# b\nTwo"},
		"in a quote":      {jekyll, "> {% highlight sh %}\n> # a\n> {% endhighlight %}\n> More.", "# a\nMore."},
		"within a line":   {jekyll, "So {% highlight sh %}# a{% endhighlight %} it *is*.", "So\n# a\nit is."},
		"raw":             {jekyll, "Write {% raw %}{{ page.title }} and {% if x %}{% endraw %} {{ no }}here.", "Write {{ page.title }} and {% if x %} here."},
		"raw in code":     {jekyll, "{% highlight liquid %}{% raw %}{% comment %}{% endhighlight %}{% endraw %}\n# a {{ no }}{% endhighlight %}", "{% comment %}{% endhighlight %}\n# a"},
		"open":            {jekyll, "a {% raw %} b {% highlight %} c {% comment %} d {% endraw", "a b c d {% endraw"},
		"without a begin": {hugo, "a {{< /highlight >}} b {{< /comment >}} c {{< x", "a b c {{< x"},
		"across":          {jekyll, "a {% comment %} no {% highlight x %} no {% endcomment %} b {% endhighlight %} c", "a b c"},
		"shown":           {hugo, "Write `{{</* fig id */>}}` or `{{%/* fig */%}}`.", "Write {{< fig id >}} or {{% fig %}}."},
		"braces":          {jekyll, "a {%} {b} { % c %} d", "a  d"},
	} {
		file := "a.md"
		if c.config == hugo {
			file = "content/a.md"
		}
		docs, err := read(folder(t, map[string]string{c.config: "", file: "---\ntitle: T\n---\n" + c.content}), Options{})
		if want := strings.Join(strings.Fields(c.want), " "); err != nil || len(docs) == 0 || docs[0].Text != c.want && strings.Join(strings.Fields(docs[0].Text), " ") != want {
			t.Errorf("%s: %v %q, want %q", name, err, docs, c.want)
		}
	}
	docs, err := read(folder(t, map[string]string{jekyll: "", "a.html": "---\n---\n<p>a</p>{% highlight html %}\n<h1>b</h1> &lt;\n  c\n{% endhighlight %}<p>d"}), Options{})
	if err != nil || len(docs) != 1 || docs[0].Text != "a\n<h1>b</h1> &lt;\n  c\nd" {
		t.Errorf("%v %q", err, docs)
	}
}

// Marks without an end are looked for once, and code is copied once.
func TestTemplateBounds(t *testing.T) {
	for _, part := range []string{"{% highlight %}", "{% comment %}", "{% raw %}", "{{ {% x %}", "{% highlight %}`{% comment %}", "{%", "{{< highlight >}}", "{{<", "{{% x", "{{%%}}", "{% highlight %}{% endcomment %}"} {
		for _, code := range []*templates{liquid, shortcodes} {
			page := []byte(strings.Repeat(part, (4<<20)/len(part)))
			if got := code.apply(page, false); len(got) > len(page) {
				t.Errorf("%s: %d bytes of %d", part, len(got), len(page))
			}
		}
	}
	long := strings.Repeat(" ", 1<<20) + "{% highlight %}" + strings.Repeat("x\n", 1<<20) + "{% endhighlight %}"
	if got := liquid.apply([]byte(long), false); len(got) > 4*len(long) {
		t.Errorf("%d bytes of %d", len(got), len(long))
	}
}

package rules_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schema compiles schema.json.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", read(t, "schema.json")); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

type problem struct {
	Key, Field string
	Values     []any
}

type checked struct {
	Rules    []map[string]any
	Problems []problem
}

const checkFile = `async (text) => (await import('/extension/rules/check.js')).checkFile(text)`

// TestBundledRules checks that the bundled rules pass the schema, and check.js unchanged, and that each has a date and
// a source and is described in STRUCTURE.md.
func TestBundledRules(t *testing.T) {
	file := read(t, "bundled.json")
	if err := schema(t).Validate(file); err != nil {
		t.Error(err)
	}
	text, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	got := call[checked](t, open(t), checkFile, string(text))
	if len(got.Problems) > 0 {
		t.Errorf("problems %+v", got.Problems)
	}
	rules := file.(map[string]any)["rules"].([]any)
	if len(got.Rules) != len(rules) || len(rules) < 13 {
		t.Fatalf("%d rules of %d", len(got.Rules), len(rules))
	}
	structure := contents(t, "STRUCTURE.md")
	for i, rule := range rules {
		if want := rule.(map[string]any); fmt.Sprint(got.Rules[i]) != fmt.Sprint(want) {
			t.Errorf("check.js made of rule %v: %v", want, got.Rules[i])
		}
		id, _ := got.Rules[i]["id"].(string)
		if got.Rules[i]["asOf"] == nil || got.Rules[i]["source"] == nil {
			t.Errorf("rule %s has no date or no source", id)
		}
		if !regexp.MustCompile(`(?m)^(## |\| |(?:## |\| ).*, )` + regexp.QuoteMeta(id) + `(:|,| \|)`).MatchString(structure) {
			t.Errorf("STRUCTURE.md does not describe %s", id)
		}
	}
}

// valid is a rule that the cases below change.
func valid() map[string]any {
	return map[string]any{
		"id": "a-rule", "name": "A rule", "matches": []any{"https://*.example.org/search*"}, "path": "[?&]q=",
		"query": map[string]any{"parameter": "q"}, "result": "li.result", "with": "dd", "title": "h3", "link": "a",
		"snippet": "p", "asOf": "2026-06-30", "source": "a test",
	}
}

// TestCheckRules checks that check.js refuses bad rules, with a sentence of the locale file that names the field, and
// which of them the schema refuses too.
func TestCheckRules(t *testing.T) {
	var messages map[string]struct{ Message string }
	if err := json.Unmarshal([]byte(contents(t, "../_locales/en/messages.json")), &messages); err != nil {
		t.Fatal(err)
	}
	compiled := schema(t)
	page := open(t)
	long := strings.Repeat("a", 501)
	for _, test := range []struct {
		field   string
		value   any
		key     string
		schemed bool // whether the schema refuses it too
	}{
		{"", nil, "", false},
		{"id", "Upper", "ruleIdInvalid", true},
		{"id", 7, "ruleIdInvalid", true},
		{"id", strings.Repeat("a", 65), "ruleIdInvalid", true},
		{"name", "", "ruleTextMissing", true},
		{"name", long, "ruleTextLong", true},
		{"matches", []any{}, "ruleMatchesMissing", true},
		{"matches", "https://example.org/*", "ruleMatchesMissing", true},
		{"matches", []any{"<all_urls>"}, "ruleMatchInvalid", true},
		{"matches", []any{"https://*/*"}, "ruleMatchInvalid", true},
		{"matches", []any{"*://*/*"}, "ruleMatchInvalid", true},
		{"matches", []any{"https://example.org:8080/*"}, "ruleMatchInvalid", true},
		{"matches", []any{"https://example.org"}, "ruleMatchInvalid", true},
		{"matches", []any{"file:///*"}, "ruleMatchInvalid", true},
		{"matches", []any{"https://exa*mple.org/"}, "ruleMatchInvalid", true},
		{"matches", []any{"https://EXAMPLE.org/"}, "ruleMatchInvalid", true},
		{"matches", []any{map[string]any{"toString": 1}}, "ruleMatchInvalid", true},
		{"matches", many(251, "https://example.org/*"), "ruleMatchesMany", true},
		{"matches", many(200, "https://example.org/"+strings.Repeat("x", 80)), "ruleLarge", false},
		{"path", "(", "rulePathInvalid", false},
		{"path", "(a+)+$", "rulePathSlow", false},
		{"path", "(a|a)*b", "rulePathSlow", false},
		{"path", "(?:x?x?){20}y", "rulePathSlow", false},
		{"path", `(a)\1`, "rulePathSlow", false},
		{"path", "a*b*c*d*", "rulePathSlow", false},
		{"path", "", "ruleTextMissing", true},
		{"query", "q", "ruleQueryInvalid", true},
		{"query", map[string]any{}, "ruleQueryInvalid", true},
		{"query", map[string]any{"parameter": "q", "selector": "h1"}, "ruleQueryInvalid", true},
		{"query", map[string]any{"parameter": "a=b"}, "ruleParameterInvalid", true},
		{"query", map[string]any{"selector": "["}, "ruleSelectorInvalid", false},
		{"result", "li[", "ruleSelectorInvalid", false},
		{"result", "", "ruleSelectorMissing", true},
		{"result", long, "ruleTextLong", true},
		{"result", "a" + strings.Repeat(":has(b)", 5), "ruleSelectorSlow", false},
		{"result", "a" + strings.Repeat(":HAS(b)", 5), "ruleSelectorSlow", false},
		{"result", "a" + strings.Repeat(`:h\61 s(b)`, 5), "ruleSelectorSlow", false},
		{"result", "a" + strings.Repeat(`:\000048a\s(b)`, 5), "ruleSelectorSlow", false},
		{"result", "a" + strings.Repeat(":/**/has(b)", 5), "ruleSelectorSlow", false},
		{"result", "a" + strings.Repeat(":is(a:has(b))", 5), "ruleSelectorSlow", false},
		{"result", `a/*\*/` + strings.Repeat(":has(b)", 5) + "/**/", "ruleSelectorSlow", false},
		{"result", "a" + strings.Repeat(":h\\61\r\ns(b)", 5), "ruleSelectorSlow", false},
		{"result", `[a="/*"]` + strings.Repeat(":has(b)", 5) + `[a="*/"]`, "ruleSelectorSlow", false},
		{"result", ":is(:is(:is(:is(a ~ *) ~ *) ~ *) ~ *)", "ruleSelectorDeep", false},
		{"title", ":is(:not(:where(a *) *) *) *", "ruleSelectorDeep", false},
		{"with", ":IS(:i\\73(:is(a[b='('] ~ *)[b='('] ~ *)[b='('] ~ *)~*", "ruleSelectorDeep", false},
		{"link", "a ~ :is(:is(:is(a ~ *) ~ *) ~ *", "ruleSelectorDeep", false},
		{"with", 3, "ruleSelectorMissing", true},
		{"title", nil, "ruleSelectorMissing", true},
		{"asOf", "June 2026", "ruleDateInvalid", true},
		{"asOf", "2026-13-45", "ruleDateInvalid", false},
		{"source", "", "ruleTextMissing", true},
		{"script", "alert(1)", "ruleFieldUnknown", true},
		{"__proto__", map[string]any{"polluted": true}, "ruleFieldUnknown", true},
	} {
		rule := valid()
		if test.field != "" {
			rule[test.field] = test.value
		}
		text, err := json.Marshal(map[string]any{"version": 1, "rules": []any{rule}})
		if err != nil {
			t.Fatal(err)
		}
		got := call[checked](t, page, checkFile, string(text))
		if test.field == "" {
			if len(got.Problems) > 0 || len(got.Rules) != 1 || fmt.Sprint(got.Rules[0]) != fmt.Sprint(rule) {
				t.Errorf("a valid rule: %+v", got)
			}
			continue
		}
		at := fmt.Sprintf("%s: %.60v", test.field, test.value)
		if len(got.Rules) > 0 || len(got.Problems) != 1 || got.Problems[0].Key != test.key || got.Problems[0].Field != test.field {
			t.Errorf("%s: %+v, want %s", at, got, test.key)
			continue
		}
		if message := messages[test.key].Message; !strings.Contains(message, "$2") {
			t.Errorf("%s: the sentence %q names no field", test.key, message)
		}
		var file any
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(file); (err != nil) != test.schemed {
			t.Errorf("%s: the schema says %v", at, err)
		}
	}
}

// TestCheckSelectors takes selectors that look slow and are not.
func TestCheckSelectors(t *testing.T) {
	page := open(t)
	for _, selector := range []string{
		"a" + strings.Repeat(":has(b)", 4),
		`a[title=":has(:has(:has(:has(:has("]`,
		`.md\:has\(a\)`,
		"main li:has(h3 a:not(.ad *))",
		":is(:not(:is(:not(:is(a, b), c))))",
		":is( :is( :is( :is( a > b ) > c ) + d , e ) > f )",
		"a b ~ c d ~ e f",
	} {
		rule := valid()
		rule["result"] = selector
		text, err := json.Marshal(map[string]any{"version": 1, "rules": []any{rule}})
		if err != nil {
			t.Fatal(err)
		}
		if got := call[checked](t, page, checkFile, string(text)); len(got.Rules) != 1 || got.Rules[0]["result"] != selector {
			t.Errorf("%s: %+v", selector, got.Problems)
		}
	}
}

// TestCheckFiles checks that files that are not files of rules, and files with a bad rule, have a problem.
func TestCheckFiles(t *testing.T) {
	rule, err := json.Marshal(valid())
	if err != nil {
		t.Fatal(err)
	}
	page := open(t)
	for text, key := range map[string]string{
		`{`:                                     "ruleFileNotJson",
		`[]`:                                    "ruleFileForm",
		`null`:                                  "ruleFileForm",
		`{"rules":[]}`:                          "ruleFileForm",
		`{"version":2,"rules":[]}`:              "ruleFileVersion",
		`{"version":{"toString":1},"rules":[]}`: "ruleFileVersion",
		`{"version":1,"rules":{}}`:              "ruleListMissing",
		`{"version":1,"rules":[]}`:              "ruleFileEmpty",
		`{"version":1,"rules":[null]}`:          "ruleNotObject",
		`{"version":1,"rules":[` + string(rule) + `,` + string(rule) + `]}`: "ruleIdTwice",
		`{"version":1,"rules":[` + strings.Repeat("0,", 200) + `0]}`:        "ruleListLong",
		strings.Repeat(" ", 8_000_001):                                      "ruleFileLarge",
	} {
		got := call[checked](t, page, checkFile, text)
		if len(got.Problems) != 1 || got.Problems[0].Key != key {
			t.Errorf("%.60s: %+v, want %s", text, got, key)
		}
	}
}

// TestLargestFile checks that the most rules of all, each with as many patterns as it may have, can be exported and imported
// again.
func TestLargestFile(t *testing.T) {
	got := call[struct{ Rules, Problems, Bytes int }](t, open(t), `async (rule) => {
		const { checkFile, exported } = await import('/extension/rules/check.js');
		const { MAX_RULE, MAX_RULES } = await import('/extension/rules/limits.js');
		const rules = Array.from({ length: MAX_RULES }, (_, i) => ({ ...rule, id: 'rule-' + i, matches: ['https://a.b/*'] }));
		for (const { matches } of rules) {
			while (matches.length < 250) matches.push('https://a.b/' + matches.length + '*');
		}
		const longest = Math.max(...rules.map((rule) => JSON.stringify(rule).length));
		const text = exported(rules);
		const { rules: taken, problems } = checkFile(text);
		return { rules: longest <= MAX_RULE && taken.length, problems: problems.length, bytes: text.length };
	}`, valid())
	if got.Rules != 200 || got.Problems != 0 || got.Bytes < 1_000_000 {
		t.Errorf("%+v", got)
	}
}

// TestHostilePaths checks that expressions with more ways to match than a browser can try are refused, whatever makes the
// ways, and that similar ones with few ways are not.
func TestHostilePaths(t *testing.T) {
	page := open(t)
	for _, test := range []struct {
		path string
		slow bool
	}{
		{strings.Repeat("x?", 22) + "y", true},
		{strings.Repeat("x??", 22) + "y", true},
		{strings.Repeat("x{0,1}", 22) + "y", true},
		{strings.Repeat("[xz]?", 22) + "y", true},
		{strings.Repeat(`\p{L}?`, 22) + "0", true},
		{strings.Repeat(`\u{78}?`, 22) + "y", true},
		{strings.Repeat("(x)?", 22) + "y", true},
		{strings.Repeat("(?:x|xx)", 22) + "y", true},
		{strings.Repeat("(?:x?|y)", 22) + "z", true},
		{strings.Repeat("(?:|x)", 22) + "y", true},
		{strings.Repeat("(?:x?(?:x?(?:x?x?)?)?)?", 5) + "y", true},
		{strings.Repeat("x{1,40}", 5) + "y", true},
		{"^/a|" + strings.Repeat("x?", 22) + "y", true},
		{"(?=" + strings.Repeat("x?", 22) + "y)", true},
		{"(?!" + strings.Repeat("x?", 22) + "y)", true},
		{"(?<=y" + strings.Repeat("x?", 22) + ")", true},
		{"(?<=y" + strings.Repeat("x", 250) + strings.Repeat("x?", 15) + ")", true},
		{"(?<!y" + strings.Repeat("x?", 22) + ")", true},
		{"x*x*" + strings.Repeat(".", 250) + "y", true},
		{"x{2,}x{2,}x{2,}y", true},
		{"^x*x*x*x*y", true},
		{strings.Repeat("x?", 8) + "y", false},
		{strings.Repeat("(?:x|xx)", 8) + "y", false},
		{"^(?=.*[?&]a=)(?=.*[?&]b=)(?=.*[?&]c=)(?!.*[?&]d=)", false},
		{`^/(?:search|find)\?(?:.*&)?q=[^&]+(?:&|$)`, false},
		{strings.Repeat(`[*+?|(){][\]?*]\*\+\?`, 10), false},
		{strings.Repeat("x", 300), false},
		{"(?<name>a|b)(?<=a)c", false},
	} {
		got := call[string](t, page, `async (path) => String((await import('/extension/rules/patterns.js')).parsePath(path))`, test.path)
		want := "/" + strings.ReplaceAll(test.path, "/", `\/`) + "/u"
		if test.slow {
			want = "slow"
		}
		if got != want {
			t.Errorf("%.60s: %.60s, want %.60s", test.path, got, want)
		}
	}
}

// TestSlowPaths checks that paths with about as many ways as are allowed take little time on a long address.
func TestSlowPaths(t *testing.T) {
	took := call[float64](t, open(t), `async () => {
		const { parsePath, matchesPath } = await import('/extension/rules/patterns.js');
		const address = new URL('https://example.org/' + 'a'.repeat(20000));
		const from = performance.now();
		for (const path of ['a*a*b', '[^b]*[^b]*b', '.+.+#']) {
			const parsed = parsePath(path);
			if (!(parsed instanceof RegExp)) throw new Error(path);
			if (matchesPath(parsed, address)) throw new Error(path);
		}
		return performance.now() - from;
	}`)
	t.Logf("%.0f ms", took)
	if took > 5_000 {
		t.Errorf("it took %.0f ms", took)
	}
}

// many returns n different texts.
func many(n int, text string) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = fmt.Sprint(text, i)
	}
	return out
}

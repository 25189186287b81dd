// Package engine_test tests the engine's modules and the settings in a real Chromium.
package engine_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/testing/harness"
)

var modules harness.Modules

func TestMain(m *testing.M) {
	code := m.Run()
	modules.Close()
	os.Exit(code)
}

// call evaluates a function in an empty page of a server that serves static/.
func call[T any](t *testing.T, function string, args ...any) T {
	t.Helper()
	page, err := modules.Open(time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	got, err := harness.Call[T](page, function, args...)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// What is stored may come from another version, or from anybody who can write to the profile.
func TestStoredSettings(t *testing.T) {
	none := map[string]any{
		"rules": []any{}, "off": []any{}, "encoder": map[string]any{"kind": "builtin"},
		"bar": map[string]any{"folded": false, "place": "", "time": "", "audience": "", "own": ""},
	}
	with := func(changes map[string]any) map[string]any {
		out := map[string]any{}
		for _, from := range []map[string]any{none, changes} {
			for key, value := range from {
				out[key] = value
			}
		}
		return out
	}
	server := map[string]any{"kind": "server", "url": "wss://encode.example/", "key": "k"}
	for _, c := range []struct{ stored, want any }{
		{nil, none},
		{7, none},
		{"rules", none},
		{map[string]any{"rules": "x", "off": 1, "encoder": []any{}, "bar": nil, "other": 1}, none},
		{map[string]any{"rules": []any{nil, 1, map[string]any{"id": 5}, map[string]any{"id": "a", "name": strings.Repeat("x", 10_001)}}}, none},
		{map[string]any{"rules": []any{map[string]any{"id": "a"}}}, with(map[string]any{"rules": []any{map[string]any{"id": "a"}}})},
		{map[string]any{"off": []any{"a", 1, strings.Repeat("x", 65)}}, with(map[string]any{"off": []any{"a"}})},
		{map[string]any{"encoder": server}, with(map[string]any{"encoder": server})},
		{map[string]any{"encoder": map[string]any{"kind": "server", "url": "ws://encode.example/", "key": ""}}, none},
		{map[string]any{"encoder": map[string]any{"kind": "server", "url": "wss://encode.example/", "key": strings.Repeat("k", 501)}}, none},
		{map[string]any{"bar": map[string]any{"folded": 1, "place": "Rome", "time": strings.Repeat("x", 201)}},
			with(map[string]any{"bar": map[string]any{"folded": false, "place": "Rome", "time": "", "audience": "", "own": ""}})},
	} {
		got := call[any](t, `async (stored) => (await import('/extension/settings.js')).checkSettings(stored)`, c.stored)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v is read as %v, want %v", c.stored, got, c.want)
		}
	}
	many := call[int](t, `async () => (await import('/extension/settings.js')).checkSettings({rules: Array(600).fill({id: 'a'})}).rules.length`)
	if many != 200 {
		t.Errorf("of 600 rules %d are read", many)
	}
}

// Texts go only to encrypted servers and to this machine.
func TestServerAddress(t *testing.T) {
	for url, want := range map[string]string{
		"wss://encode.example":               "wss://encode.example/",
		"https://encode.example/a?b#c":       "wss://encode.example/a",
		"ws://localhost:8080/":               "ws://localhost:8080/",
		"http://127.0.0.1:8080":              "ws://127.0.0.1:8080/",
		"http://127.9.9.9":                   "ws://127.9.9.9/",
		"ws://[::1]:80/":                     "ws://[::1]/",
		"ws://encode.example":                "",
		"http://127.0.0.1.evil.example":      "",
		"http://localhost.evil.example":      "",
		"http://localhost@evil.example":      "",
		"wss://user:pass@encode.example":     "",
		"ftp://localhost":                    "",
		"javascript:alert(1)":                "",
		"":                                   "",
		"encode.example":                     "",
		"wss://" + strings.Repeat("a", 2001): "",
	} {
		got := call[*string](t, `async (url) => (await import('/extension/settings.js')).serverAddress(url)`, url)
		if (got == nil) != (want == "") || got != nil && *got != want {
			t.Errorf("%.60q: %v, want %q", url, got, want)
		}
	}
}

// A question comes from a page's process.
func TestQuestions(t *testing.T) {
	ask := map[string]any{"root": " night trains ", "perspective": "in Germany", "side": nil, "method": nil, "strength": nil, "spread": false}
	results := []any{map[string]any{"title": "A", "snippet": "B"}}
	check := func(ask, results any) string {
		return call[string](t, `async (ask, results) => {
			const { checkQuestion } = await import('/extension/engine/check.js');
			try {
				return JSON.stringify(checkQuestion({ ask, results: typeof results === 'number' ? Array(results).fill({ title: '', snippet: '' }) : results }));
			} catch (error) {
				return error.key ?? String(error);
			}
		}`, ask, results)
	}
	with := func(key string, value any) map[string]any {
		changed := map[string]any{}
		for k, v := range ask {
			changed[k] = v
		}
		changed[key] = value
		return changed
	}
	if got := check(ask, results); !strings.Contains(got, `"root":"night trains"`) || !strings.Contains(got, `"texts":["A B"]`) {
		t.Errorf("a good question is read as %s", got)
	}
	for _, method := range []string{"pap+", "vec_dual_projection", "contrast"} {
		if got := check(with("method", method), results); !strings.HasPrefix(got, "{") {
			t.Errorf("method %s: %s", method, got)
		}
	}
	for _, c := range []struct {
		ask, results any
		want         string
	}{
		{nil, results, "engineQuestion"},
		{ask, nil, "engineQuestion"},
		{ask, []any{nil}, "engineQuestion"},
		{ask, []any{map[string]any{"title": "A", "snippet": 1}}, "engineQuestion"},
		{ask, 10_001, "engineTooMany"},
		{with("root", "  "), results, "engineNoQuery"},
		{with("root", strings.Repeat("x", 1001)), results, "engineQueryTooLong"},
		{with("perspective", strings.Repeat("x", 1001)), results, "engineQueryTooLong"},
		{with("perspective", nil), results, "engineQuestion"},
		{with("side", "both"), results, "engineQuestion"},
		{with("method", "bm25"), results, "engineQuestion"},
		{with("method", 7), results, "engineQuestion"},
		{with("strength", 2.1), results, "engineQuestion"},
		{with("strength", "1"), results, "engineQuestion"},
		{with("spread", 1), results, "engineQuestion"},
	} {
		if got := check(c.ask, c.results); got != c.want {
			t.Errorf("%.80v: %.80s, want %s", c, got, c.want)
		}
	}
	long := []any{map[string]any{"title": strings.Repeat("t", 5000), "snippet": strings.Repeat("s", 5000)}}
	if got := check(ask, long); len(got) > 4200 || !strings.Contains(got, "ttt") {
		t.Errorf("a result of 10,000 characters is read as one of %d", len(got))
	}
	if got := check(ask, 10_000); !strings.HasPrefix(got, "{") {
		t.Errorf("10,000 results: %.80s", got)
	}
}

// Words are counted as the core counts them.
func TestCoverage(t *testing.T) {
	model, err := builtin.Builtin().Open()
	if err != nil {
		t.Fatal(err)
	}
	texts := append(foreign(), english(t)[:100]...)
	texts = append(texts, "", " ", "…!", "COVID-19 vaccines by Pfizer\u00ad & BioNTech", "$5.99, 50% off!\ttab\u00a0space", "naïve café — “quoted”",
		"Rust async/await: tokio::spawn and Pin<Box<dyn Future>>", "学校应该要求学生穿校服吗 and English", "emoji 🎉 and ﬁne")
	got := call[[]struct{ Words, Whole int }](t, `async (vocabulary, texts) => {
		const { coverage } = await import('/extension/engine/words.js');
		return texts.map((text) => coverage(new Set(vocabulary), text));
	}`, vocabulary(t), texts)
	for i, text := range texts {
		if want := model.Tokenizer().Coverage(text); got[i].Words != want.Words || got[i].Whole != want.Whole {
			t.Errorf("%q: %+v, want %+v", text, got[i], want)
		}
	}
}

// Texts in other languages are foreign, in any script. English ones are not, whatever they are about. Texts of few words
// are as most others are.
func TestForeign(t *testing.T) {
	all, names := foreign(), []string{
		"iPhone 15 Pro Max vs Samsung Galaxy S24 Ultra", "How to use ffmpeg to convert video files on Linux", "BBC News - Sport, Business",
		"Handouts make little princes.", "No security queue, no baggage roulette, no contrails.",
	}
	short := []string{"ok", "Straße", "…", "BBC News"}
	read := english(t)
	got := call[[][]bool](t, `async (vocabulary, lists) => {
		const { foreignOf } = await import('/extension/engine/words.js');
		return lists.map((texts) => foreignOf(new Set(vocabulary), texts));
	}`, vocabulary(t), [][]string{all, names, read, slices.Concat(all[:5], read[:5], short), slices.Concat(all[:5], read[:6], short), short, {}})
	check := func(list int, want ...bool) {
		t.Helper()
		if !slices.Equal(got[list], want) {
			t.Errorf("list %d: foreign are %v, want %v", list, got[list], want)
		}
	}
	mixed := append(slices.Repeat([]bool{true}, 5), slices.Repeat([]bool{false}, 5)...)
	check(0, slices.Repeat([]bool{true}, len(all))...)
	check(1, slices.Repeat([]bool{false}, len(names))...)
	check(2, slices.Repeat([]bool{false}, len(read))...)
	check(3, append(mixed, false, true, false, false)...)
	check(4, append(mixed, false, false, false, false, false)...)
	check(5, false, false, false, false)
	check(6)
}

// foreign are sentences in other languages, some of them near to English.
func foreign() []string {
	return []string{
		"Die Wehrpflicht sollte abgeschafft werden, weil sie die Freiheit einschränkt.",
		"Vor- und Nachteile der Schuluniform – Eltern und Schüler diskutieren",
		"Le service militaire devrait être aboli car il limite la liberté des jeunes.",
		"El servicio militar obligatorio debería ser abolido.",
		"De dienstplicht moet worden afgeschaft omdat die de vrijheid beperkt",
		"Il servizio militare dovrebbe essere abolito perché limita la libertà dei giovani",
		"O serviço militar deveria ser abolido porque limita a liberdade dos jovens",
		"Værnepligten bør afskaffes, fordi den begrænser friheden",
		"Nghĩa vụ quân sự nên được bãi bỏ vì nó hạn chế tự do của thanh niên",
		"Wajib militer harus dihapuskan karena membatasi kebebasan kaum muda",
		"Военная служба должна быть отменена, потому что она ограничивает свободу",
		"Η θητεία πρέπει να καταργηθεί γιατί περιορίζει την ελευθερία",
		"兵役制度应该被废除,因为它限制了青年人的自由。",
		"兵役は廃止されるべきだ",
		"병역은 폐지되어야 한다 젊은이의 자유를 제한하기 때문이다",
		"يجب إلغاء الخدمة العسكرية لأنها تحد من حرية الشباب",
		"सैन्य सेवा को समाप्त कर दिया जाना चाहिए",
	}
}

// english are the beginnings of the bundled debates and of a benefits office's pages, as long as titles and snippets are.
func english(t *testing.T) (texts []string) {
	t.Helper()
	for _, corpus := range []string{"debates", "benefits"} {
		content, err := os.ReadFile("../../../examples/" + corpus + "/corpus.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(content) {
			var document struct{ Title, Text string }
			if err := json.Unmarshal(line, &document); err != nil {
				t.Fatal(err)
			}
			text := []rune(document.Title + " " + document.Text)
			texts = append(texts, string(text[:min(len(text), 200)]))
		}
	}
	return texts
}

// vocabulary is that of the light encoder.
func vocabulary(t *testing.T) []string {
	t.Helper()
	content, err := os.ReadFile("../../../internal/model/builtin/english/tokenizer.json")
	if err != nil {
		t.Fatal(err)
	}
	var tokenizer struct {
		Model struct{ Vocab map[string]int }
	}
	if err := json.Unmarshal(content, &tokenizer); err != nil {
		t.Fatal(err)
	}
	return slices.Collect(maps.Keys(tokenizer.Model.Vocab))
}

// Spreading is MMR as its paper defines it, over angles if there are any. A negative cosine counts as 0.
func TestSpread(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 17, 120} {
		for _, heard := range []bool{false, true} {
			vectors, angles, scores := make([][]float64, n), make([][]float64, n), make([]float64, n)
			for i := range n {
				vectors[i], angles[i], scores[i] = random(rng), random(rng), float64(n-i)/8
			}
			compared := vectors
			if heard {
				compared = angles
			}
			got := call[[]int](t, `async (vectors, angles, scores) => {
				const { spread } = await import('/extension/engine/spread.js');
				const places = scores.map((score, index) => ({ index, score, stance: null, why: null }));
				const known = vectors.map((vector, i) => ({ text: '', vector, ...(angles && { angle: angles[i] }) }));
				return spread(places, known).map(({ index }) => index);
			}`, vectors, map[bool]any{true: angles}[heard], scores)
			if want := mmr(scores, compared); !reflect.DeepEqual(got, want) && n > 0 {
				t.Errorf("%d results, angles %v: %v, want %v", n, heard, got, want)
			}
		}
	}
}

func random(rng *rand.Rand) []float64 {
	v := make([]float64, 4)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

// mmr orders the first 100 of the descending scores with λ = 0.7.
func mmr(scores []float64, vectors [][]float64) []int {
	first := min(100, len(scores))
	var order []int
	taken := make([]bool, first)
	for len(order) < first {
		best, most := -1, math.Inf(-1)
		for i := range first {
			near := 0.0
			for _, j := range order {
				near = max(near, cosine(vectors[i], vectors[j]))
			}
			relevance := 0.0
			if span := scores[0] - scores[first-1]; span > 0 {
				relevance = (scores[i] - scores[first-1]) / span
			}
			if value := 0.7*relevance - (1-0.7)*near; !taken[i] && value > most {
				best, most = i, value
			}
		}
		taken[best] = true
		order = append(order, best)
	}
	for i := first; i < len(scores); i++ {
		order = append(order, i)
	}
	return order
}

func cosine(a, b []float64) float64 {
	var dot, aa, bb float64
	for i := range a {
		dot, aa, bb = dot+a[i]*b[i], aa+a[i]*a[i], bb+b[i]*b[i]
	}
	return dot / math.Sqrt(aa*bb)
}

// Memory is freed five minutes after the last question, not while one is answered, and the background is told. The clock
// is the test's.
func TestIdle(t *testing.T) {
	got := call[[]string](t, `async () => {
		const { Idle } = await import('/extension/engine/idle.js');
		const log = [];
		let timers = [];
		globalThis.setTimeout = (run, ms) => timers.push({ run, ms });
		globalThis.clearTimeout = (id) => { if (id) timers[id - 1] = null; };
		const pass = () => {
			const due = timers;
			timers = [];
			for (const timer of due) timer?.run();
			return due.filter(Boolean).map(({ ms }) => ms).join();
		};
		globalThis.chrome = { runtime: { sendMessage: async (message) => log.push(JSON.stringify(message)) } };
		const idle = new Idle(() => log.push('free'));
		log.push(pass());
		let end;
		const first = idle.during(() => new Promise((resolve) => { end = resolve; }));
		await idle.during(async () => {});
		log.push('during: ' + pass());
		end();
		await first;
		await idle.during(async () => { throw new Error('failed'); }).catch(({ message }) => log.push(message));
		log.push(pass());
		return log;
	}`)
	rest := []string{"free", `{"to":"background","type":"idle"}`, "300000"}
	want := append(append(rest, "during: ", "failed"), rest...)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// In Firefox the browser is called at once and then every second, until the question is answered. Chrome's offscreen
// document has no storage, and needs no calls. The clock is the test's.
func TestAwake(t *testing.T) {
	got := call[[]string](t, `async () => {
		const { stayAwake } = await import('/extension/engine/awake.js');
		const log = [];
		let timer = null;
		globalThis.setInterval = (run, ms) => { timer = run; log.push(ms + ' ms'); return 1; };
		globalThis.clearInterval = () => { timer = null; log.push('ended'); };
		globalThis.chrome = { runtime: { getPlatformInfo: async () => { log.push('call'); throw new Error('it is going'); } } };
		stayAwake()();
		log.push('Firefox');
		chrome.storage = {};
		const end = stayAwake();
		timer();
		end();
		log.push(String(timer));
		return log;
	}`)
	want := []string{"Firefox", "call", "1000 ms", "call", "ended", "null"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Every fault of engine and background has its text, and every such text is used.
func TestTextsOfFaults(t *testing.T) {
	content, err := os.ReadFile("../_locales/en/messages.json")
	if err != nil {
		t.Fatal(err)
	}
	var texts map[string]struct{ Message, Description string }
	if err := json.Unmarshal(content, &texts); err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, pattern := range []string{"*.js", "../background/*.js"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			script, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, match := range regexp.MustCompile(`'(engine[A-Z]\w*)'`).FindAllSubmatch(script, -1) {
				used[string(match[1])] = true
			}
		}
	}
	if len(used) < 7 {
		t.Fatalf("only %d keys were found", len(used))
	}
	for key := range used {
		if texts[key].Message == "" || texts[key].Description == "" {
			t.Errorf("%s has no text or no description", key)
		}
	}
	for key := range texts {
		if strings.HasPrefix(key, "engine") && !used[key] {
			t.Errorf("nobody uses %s", key)
		}
	}
}

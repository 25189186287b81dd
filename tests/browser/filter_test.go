package browser

import (
	"strings"
	"testing"
)

// A missing or undefined bound or condition is open. An invalid condition is an error,
// and not an empty answer.
func TestFilterBounds(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, bare(debates(t))).URL("/"))
	got := call[map[string]string](t, page, `async () => {
		const { compileFilter } = await import('/static/src/query/filter.js');
		const fields = [{ name: 'year', type: 'number', values: [] }, { name: 'stance', type: 'string', values: ['oppose'] }, { name: 'draft', type: 'bool', values: [] }];
		const out = {};
		for (const [name, filter] of Object.entries({
			min: { year: { min: 2000 } }, max: { year: { max: 2010 } }, undefined: { year: { min: 2000, max: undefined } }, both: { year: { min: 2000, max: 2010 } },
			infinite: { year: { min: -Infinity, max: 2010 } }, 'no condition': { year: undefined, stance: undefined },
			inverted: { year: { min: 2010, max: 2000 } }, NaN: { year: { min: NaN } }, null: { year: { min: 2000, max: null } }, text: { year: { min: '2000' } }, beyond: { year: { min: Infinity } },
			'other bound': { year: { min: 2000, lt: 2010 } }, 'no bound': { year: {} }, 'no value': { stance: [] }, 'null value': { stance: null }, 'undefined value': { stance: ['oppose', undefined] },
			'NaN value': { year: NaN }, 'big value': { year: 2000n }, 'list in list': { stance: [['oppose']] }, 'range of strings': { stance: { min: 1 } },
			'a number': 2000, 'a text': 'year', 'a list': [2000], 'a map': new Map([['year', 2000]]),
		})) {
			try {
				out[name] = compileFilter(filter, fields).map(({ column, low, high }) => [column, low, high].join(' ')).join();
			} catch (error) {
				out[name] = error.name + ': ' + error.message;
			}
		}
		return out;
	}`)
	for name, want := range map[string]string{
		"min": "0 2000 Infinity", "max": "0 -Infinity 2010", "undefined": "0 2000 Infinity", "both": "0 2000 2010", "infinite": "0 -Infinity 2010", "no condition": "",
	} {
		if got[name] != want {
			t.Errorf("%s is read as %q, want %q", name, got[name], want)
		}
		delete(got, name)
	}
	for name, part := range map[string]string{
		"inverted": "exchange them", "NaN": "NaN is not a bound", "null": "null is not a bound", "text": `"2000" is not a bound`, "beyond": "infinite bound", "other bound": `"lt"`, "no bound": "needs min, max or both",
		"no value": "is empty", "null value": "null is not one", "undefined value": "undefined is not one", "NaN value": "NaN is not one", "big value": "2000 is not one", "list in list": `["oppose"] is not one`, "range of strings": "a range needs numbers",
		"a number": "an object", "a text": "an object", "a list": "an object", "a map": "an object",
	} {
		if !strings.HasPrefix(got[name], "QueryError: filter: ") || !strings.Contains(got[name], part) {
			t.Errorf("%s: %q, want a QueryError with %q", name, got[name], part)
		}
		delete(got, name)
	}
	if len(got) > 0 {
		t.Errorf("no case covers %v", got)
	}
}

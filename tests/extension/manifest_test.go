package extension

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/static/extension"
)

// allowed are the match patterns of the pages' hosts.
func allowed() []any {
	var patterns []any
	for _, host := range hosts() {
		patterns = append(patterns, "https://"+host+"/*")
	}
	return patterns
}

// allow returns the manifest with the permission for the tests' hosts, which the reader
// would give in a dialog of the browser's.
func allow(manifest []byte) ([]byte, error) {
	var whole map[string]any
	if err := json.Unmarshal(manifest, &whole); err != nil {
		return nil, err
	}
	whole["host_permissions"] = allowed()
	return json.Marshal(whole)
}

// The tests' manifest differs from the shipped one in its host permissions alone, and the
// shipped one has none: the extension asks for each site.
func TestManifest(t *testing.T) {
	t.Parallel()
	for _, browser := range extension.Browsers {
		files, err := built[browser]()
		if err != nil {
			t.Fatal(err)
		}
		tested, err := allow(files["manifest.json"])
		if err != nil {
			t.Fatal(err)
		}
		var shipped, ours map[string]any
		if err := json.Unmarshal(files["manifest.json"], &shipped); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(tested, &ours); err != nil {
			t.Fatal(err)
		}
		if _, has := shipped["host_permissions"]; has {
			t.Errorf("%s: the shipped manifest has host permissions", browser)
		}
		if !reflect.DeepEqual(ours["host_permissions"], allowed()) {
			t.Errorf("%s: the tests' manifest has %v", browser, ours["host_permissions"])
		}
		delete(ours, "host_permissions")
		if !reflect.DeepEqual(ours, shipped) {
			t.Errorf("%s: the tests' manifest is\n%v\nthe shipped one\n%v", browser, ours, shipped)
		}
		var permissions []string
		for _, p := range shipped["permissions"].([]any) {
			permissions = append(permissions, p.(string))
		}
		for _, p := range permissions {
			if !slices.Contains([]string{"storage", "offscreen", "scripting", "activeTab"}, p) {
				t.Errorf("%s: permission %s", browser, p)
			}
		}
	}
}

// Package rules_test tests the rules in a real Chromium.
package rules_test

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

var modules harness.Modules

func TestMain(m *testing.M) {
	code := m.Run()
	modules.Close()
	os.Exit(code)
}

// open returns an empty page on a server that serves static/.
func open(t *testing.T) *harness.Page {
	t.Helper()
	page, err := modules.Open(5 * time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, problem := range page.Problems() {
			t.Errorf("in the page: %s", problem)
		}
		page.Close()
	})
	return page
}

// call evaluates the function in the page and decodes what it returns.
func call[T any](t *testing.T, page *harness.Page, function string, args ...any) T {
	t.Helper()
	got, err := harness.Call[T](page, function, args...)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// contents returns a file of this folder.
func contents(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// read returns a file of this folder as JSON.
func read(t *testing.T, name string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(contents(t, name)), &value); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return value
}

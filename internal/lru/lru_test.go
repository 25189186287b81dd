package lru

import (
	"slices"
	"testing"
)

func TestCache(t *testing.T) {
	c := New[string, int](10)
	there := func() (keys []string) {
		for _, key := range []string{"a", "b", "c", "d", "e"} {
			if c.items[key] != nil {
				keys = append(keys, key)
			}
		}
		return keys
	}
	for _, step := range []struct {
		put   string
		bytes int64
		get   string
		want  []string
		held  int64
	}{
		{"a", 4, "", []string{"a"}, 4},
		{"b", 4, "a", []string{"a", "b"}, 8},
		{"c", 4, "", []string{"a", "c"}, 8}, // b was least recently used
		{"a", 9, "", []string{"a", "c"}, 8}, // the key has a value
		{"d", 11, "", []string{"a", "c"}, 8},
		{"e", 10, "", []string{"e"}, 10}, // all others are dropped
	} {
		c.Put(step.put, len(step.put), step.bytes)
		if step.get != "" {
			if v, ok := c.Get(step.get); !ok || v != 1 {
				t.Errorf("%s: %d, %v", step.get, v, ok)
			}
		}
		if got := there(); !slices.Equal(got, step.want) || c.Bytes() != step.held || len(c.items) != c.order.Len() {
			t.Errorf("after %s: %v with %d bytes, want %v with %d", step.put, got, c.Bytes(), step.want, step.held)
		}
	}
	if _, ok := c.Get("b"); ok {
		t.Error("a dropped value is there")
	}
}

package collection

import (
	"strings"

	"github.com/vantage-search/vantage/internal/collection/store"
)

func isBlank(doc *store.Document) bool {
	return strings.TrimSpace(doc.Title) == "" && strings.TrimSpace(doc.Text) == ""
}

// nestedDeeper reports whether values lie more than depth deep within each other, as they do if a map holds itself.
func nestedDeeper(value any, depth int) bool {
	if depth < 0 {
		return true
	}
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			if nestedDeeper(item, depth-1) {
				return true
			}
		}
	case map[string]any:
		for _, item := range v {
			if nestedDeeper(item, depth-1) {
				return true
			}
		}
	}
	return false
}

// sizeOf estimates the bytes of memory that a document takes.
func sizeOf(doc *store.Document) int {
	return len(doc.ID) + len(doc.Title) + len(doc.Text) + sizeOfValue(doc.Metadata)
}

func sizeOfValue(value any) int {
	size := 16
	switch v := value.(type) {
	case string:
		size += len(v)
	case []any:
		for _, item := range v {
			size += sizeOfValue(item)
		}
	case map[string]any:
		for name, item := range v {
			size += len(name) + sizeOfValue(item)
		}
	}
	return size
}

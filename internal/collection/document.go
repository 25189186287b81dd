package collection

import (
	"strings"

	"github.com/vantage-search/vantage/internal/collection/store"
)

func isBlank(doc *store.Document) bool {
	return strings.TrimSpace(doc.Title) == "" && strings.TrimSpace(doc.Text) == ""
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

package store

// NestedDeeper reports whether a value of metadata has more than depth levels of objects and arrays, as it has if a map
// holds itself.
func NestedDeeper(value any, depth int) bool {
	switch v := value.(type) {
	case []any:
		if depth <= 0 {
			return true
		}
		for _, item := range v {
			if NestedDeeper(item, depth-1) {
				return true
			}
		}
	case map[string]any:
		if depth <= 0 {
			return true
		}
		for _, item := range v {
			if NestedDeeper(item, depth-1) {
				return true
			}
		}
	}
	return false
}

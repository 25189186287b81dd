package jsonlite

// Unique returns a *ValueError if a key occurs twice in an object of a JSON text, at
// any depth, because readers differ in which of the two values counts. It is for texts
// that another parser reads. That parser reports other faults, so a text that is not
// JSON is not an error here.
func Unique(text []byte) error {
	r := NewReader(text)
	r.unique()
	if twice, ok := r.err.(*ValueError); ok {
		return twice
	}
	return nil
}

func (r *Reader) unique() {
	switch r.Kind() {
	case Object:
		for range r.UniqueObject() {
			r.unique()
		}
	case Array:
		for range r.Array() {
			r.unique()
		}
	default:
		r.Skip()
	}
}

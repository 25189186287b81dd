package host

// copied is memory that is copied when it grows.
type copied struct{ bytes []byte }

func (c *copied) Reallocate(size uint64) []byte {
	if n := int(size) - len(c.bytes); n > 0 {
		c.bytes = append(c.bytes, make([]byte, n)...)
	}
	return c.bytes
}

func (c *copied) Free() { c.bytes = nil }

package trec

// failed is the error of a reader that failed. The core reads from memory, which does not fail.
func (l *lines) failed(err error) error { return l.problem(err.Error()) }

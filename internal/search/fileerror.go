package search

// FileError says that a file of the collection has the bytes that the manifest
// promises, and that the core cannot use them.
type FileError struct {
	File string
	Err  error // what the core said
}

func (e *FileError) Error() string { return e.File + ": " + e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }

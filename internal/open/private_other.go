//go:build !unix

package open

// private is not known of a folder here: it lies in the user's own profile.
func private(string) bool { return true }

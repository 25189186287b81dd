package corpus

// generator is a program that publishes a folder of pages as a site.
type generator struct {
	name   string // for people
	config string // the file that tells it
	base   string // path of the site's address: "/", or such as "/blog/"

	// source reports whether the generator makes a page of the file.
	source func(name string) bool
	// address returns the address of a page, relative to the base, or why the generator publishes none.
	address func(name string, metadata map[string]any, title string) (address, leftOut string)
}

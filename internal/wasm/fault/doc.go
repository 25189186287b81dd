//go:build !wasm

package fault

// Doc is the description of a kind in the generated JavaScript and in the
// documentation.
func (k Kind) Doc() string { return docs[k] }

var docs = map[Kind]string{
	Input:       "A file, a text or a setting cannot be used as it is.",
	Query:       "A question has no defined answer, or names something that is not there.",
	Limit:       "A stated limit is exceeded.",
	Integrity:   "Something is not what was promised: it is missing, has another length or hash, or comes from another model.",
	Version:     "Something was written for another version of Vantage.",
	Unsupported: "Something is well-formed, but of a kind that is not read, or the browser lacks what it needs.",
	Unavailable: "Something does not answer now and may do so later: a host, a disk, a busy server.",
	Internal:    "A fault of Vantage's own, such as a core that crashed.",
}

// Package corpus reads the texts to search: BEIR JSON lines, CSV or a workbook with a header, a feed, the pages of a
// sitemap, or a folder of Markdown and HTML pages, which may be the sources of a site. It streams, so memory does not
// grow with the texts. It only grows by some tens of bytes per document, which are needed to find
// repeated ids, and by the paths and addresses of pages.
package corpus

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/text/encoding"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Options say how to read a corpus. The zero value reads BEIR's field names.
type Options struct {
	IDField    string            // default "_id", else "id"
	TitleField string            // default "title"
	TextField  string            // default "text"
	Columns    map[string]string // of CSV: the column of each of id, title, text, and of other names in the metadata
	Delimiter  string            // of CSV: comma, semicolon, tab or a character; by default the one that occurs most in the header, in a .tsv file a tab
	Quote      string            // of CSV: "none" if quotes belong to the texts, "double" if they enclose fields; by default "double", and fields of a tab-separated file that look like rows are refused
	Charset    string            // of texts that are not UTF-8 and do not say what they are: a name that browsers know
	FieldFlags bool              // errors name the flags of the fields above: --id-field, --title-field, --text-field, --delimiter, --quote, --charset

	BaseURL string // what the addresses of documents are relative to: https://example.org/docs/ or /docs/; "": nothing
	Base    string // folder of the pages that a sitemap or a feed names; "": that of the sitemap; without it, the entries of a feed are the documents
	Link    string // template of the address of a document that names none: /posts/{slug}/, with fields of its metadata

	// Workbook opens a sheet of an .xlsx file, and says what a user should know of it; nil: such files are refused.
	Workbook func(path string) (rows Rows, note string, err error)

	PassageBytes int // of pages and feeds: longest passage in bytes of UTF-8; default DefaultPassageBytes

	delimiter rune // what Delimiter means; 0: the header tells
}

// flag is the name of the flag for "id", "title" or "text" in a remedy.
func (o *Options) flag(part string) string {
	if !o.FieldFlags {
		return ""
	}
	return " with --" + part + "-field"
}

// Limits.
const (
	MaxRecordBytes      = 16 << 20 // longest line, CSV record, page or entry of a feed
	DefaultPassageBytes = 1600     // some 300 words, which most encoders can read
)

// Formats of a corpus.
const (
	FormatJSONLines = "JSON lines"
	FormatCSV       = "CSV"
	FormatWorkbook  = "workbook"
	FormatPages     = "pages"
	FormatFeed      = "feed"
)

// Corpus is a corpus that can be read as often as needed.
type Corpus struct {
	path    string
	format  string
	options Options

	marks Marks
	place Place // of the current reading
	given int64 // documents of the current reading

	size    int64 // bytes of the file or of all pages
	links   links
	pages   []string       // of pages: paths below the folder, in the order of reading
	sorted  []string       // of a folder of pages: paths of all, sorted, whether or not the site publishes them
	site    *generator     // of pages: what publishes the folder; nil: nothing known
	leftOut map[string]int // of pages: number by reason
	parts   Parts          // of HTML pages: what is left out within them

	locations    map[string]location // of a sitemap: addresses of pages
	leftOutFirst map[string]int      // of a sitemap: what leftOut begins with
	skipped      int
	columns      []column // of CSV, when known
	rows         int64    // of CSV, when the columns are known
	note         string   // what was chosen: columns of CSV, what a workbook's reader says, or the generator of pages
	charset      encoding.Encoding
}

// Open opens the corpus at path and determines its format. Errors in it are
// *InputError.
func Open(path string, o Options) (*Corpus, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, &InputError{File: path, Problem: "cannot be read: " + cause(err), Remedy: "check the path", Err: err}
	}
	if o.PassageBytes <= 0 {
		o.PassageBytes = DefaultPassageBytes
	}
	c := &Corpus{path: path, size: info.Size()}
	if c.links, err = newLinks(o); err != nil {
		return nil, err
	}
	if c.charset, err = charsetOf(o.Charset); err != nil {
		return nil, err
	}
	if o.delimiter, err = delimiterOf(o.Delimiter); err != nil {
		return nil, err
	}
	if o.Quote != "" && o.Quote != quoteNone && o.Quote != quoteDouble {
		return nil, fault.Errorf(fault.Query, "--quote %.20q is not known: give none, if quotes belong to the texts, or double, if they enclose fields", o.Quote)
	}
	if o, err = o.withColumns(); err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".gz")
	ext := filepath.Ext(name)
	switch {
	case info.IsDir():
		c.format = FormatPages
		if err := c.findPages(); err != nil {
			return nil, err
		}
	case !info.Mode().IsRegular():
		return nil, &InputError{File: path, Problem: "neither a file nor a folder", Remedy: "write the corpus to a file first: it is read more than once"}
	case ext == ".jsonl" || ext == ".json" || ext == ".ndjson":
		c.format = FormatJSONLines
	case ext == ".csv", ext == ".tsv":
		c.format = FormatCSV
		if ext == ".tsv" && o.delimiter == 0 {
			o.delimiter = '\t'
		}
	case ext == ".xml", ext == ".rss", ext == ".atom":
		c.options = o
		if err := c.openXML(); err != nil {
			return nil, err
		}
	case ext == ".xlsx" && o.Workbook != nil && name == strings.ToLower(filepath.Base(path)):
		c.format = FormatWorkbook
	case ext == ".xlsx":
		return nil, &InputError{File: path, Problem: "a workbook, which is not read here", Remedy: "save its sheet as CSV"}
	default:
		return nil, &InputError{File: path, Problem: fmt.Sprintf("unknown kind of corpus %q", ext),
			Remedy: "give JSON lines (.jsonl), CSV with a header (.csv, .tsv), either also with .gz, a sitemap or feed (.xml), or a folder of .md or .html pages"}
	}
	if len(o.Columns) > 0 && c.format != FormatCSV && c.format != FormatWorkbook {
		return nil, fault.Errorf(fault.Query, "--columns names columns of a table, and %s is not a table: leave out all but id, title and text", path)
	}
	if o.Delimiter != "" && c.format != FormatCSV {
		return nil, fault.Errorf(fault.Query, "--delimiter is for CSV, and %s is none: leave it out", path)
	}
	if o.Quote != "" && c.format != FormatCSV {
		return nil, fault.Errorf(fault.Query, "--quote is for CSV, and %s is none: leave it out", path)
	}
	if o.IDField+o.TitleField+o.TextField != "" && (c.format == FormatPages || c.format == FormatFeed) {
		return nil, fault.Errorf(fault.Query, "--id-field, --title-field, --text-field and --columns are for tables and JSON lines, and %s is neither: leave them out", path)
	}
	if o.Base != "" && ext != ".xml" && ext != ".rss" && ext != ".atom" {
		return nil, fault.Errorf(fault.Query, "--base is for the pages of a sitemap or a feed, and %s is neither", path)
	}
	c.options = o
	c.marks.Begin(c.size)
	return c, nil
}

// Format returns which of the formats the corpus has.
func (c *Corpus) Format() string { return c.format }

// Skipped returns the number of entries of a folder that were skipped because they are
// hidden or symbolic links.
func (c *Corpus) Skipped() int { return c.skipped }

// LeftOut returns the number of pages that the last reading left out, by reason, such as that they are drafts or ask
// search engines not to list them.
func (c *Corpus) LeftOut() map[string]int { return c.leftOut }

// PartsLeftOut counts what the last reading left out within pages: what most of them repeat, and what is about others.
func (c *Corpus) PartsLeftOut() Parts { return c.parts }

// Note says what a user should know of what was chosen, or is "": of pages by Open, of a table by the last reading.
func (c *Corpus) Note() string { return c.note }

// Progress returns how much of the corpus the first documents of the current reading take, as far as they have been read,
// and the total: in rows of a table, and otherwise in bytes, compressed ones of a compressed file. It may be called while
// another goroutine reads.
func (c *Corpus) Progress(documents int64) (done, total int64) { return c.marks.Of(documents) }

// Documents yields the documents in the order of the corpus and ends after an error,
// which is an *InputError. It may be ranged over repeatedly, but not concurrently, and
// gives the same documents each time unless files change.
func (c *Corpus) Documents() iter.Seq2[store.Document, error] {
	return func(yield func(store.Document, error) bool) {
		c.marks.Begin(c.size)
		c.given = 0
		c.leftOut, c.parts = map[string]int{}, Parts{}
		maps.Copy(c.leftOut, c.leftOutFirst)
		var err error
		emit := stoppable(func(d store.Document, err error) bool {
			c.given++
			return yield(d, err)
		})
		switch c.format {
		case FormatJSONLines:
			err = c.readFile(func(r io.Reader) error {
				lines := bufio.NewReaderSize(r, lineBuffer)
				return readJSONLines(lines, c.path, c.options, c.links.documents(c.path, func(d store.Document) error {
					c.marks.Mark(c.given+1, c.place.At(lines.Buffered()))
					return emit(d)
				}))
			})
		case FormatCSV, FormatWorkbook:
			err = c.documentsCSV(c.links.documents(c.path, func(d store.Document) error {
				c.marks.Mark(c.given+1, c.given+1)
				return emit(d)
			}))
		case FormatPages:
			err = c.readPages(emit)
		case FormatFeed:
			err = c.readFile(func(r io.Reader) error {
				return c.readFeed(r, func(d store.Document) error {
					c.marks.Mark(c.given+1, c.place.At(0))
					return emit(d)
				})
			})
		}
		if err != nil && !errors.Is(err, errStop) {
			yield(store.Document{}, err)
		}
	}
}

// errStop tells the reader that the consumer wants no more documents.
var errStop = fmt.Errorf("the consumer stopped")

func stoppable(yield func(store.Document, error) bool) func(store.Document) error {
	return func(d store.Document) error {
		if !yield(d, nil) {
			return errStop
		}
		return nil
	}
}

// readFile opens the file, keeps the place in it, and decompresses the file if it begins like gzip.
func (c *Corpus) readFile(read func(io.Reader) error) error {
	// A sitemap that an index names has not been looked at yet. Opening a pipe would wait for its writer.
	if info, err := os.Stat(c.path); err == nil && !info.Mode().IsRegular() {
		return &InputError{File: c.path, Problem: "not a regular file", Remedy: "put the file in its place"}
	}
	f, err := os.Open(c.path)
	if err != nil {
		return &InputError{File: c.path, Problem: "cannot be read: " + cause(err), Remedy: "check the path and its permissions", Err: err}
	}
	defer f.Close()
	b := bufio.NewReaderSize(f, 256<<10)
	c.place = Place{}
	packed := c.place.File(b)
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := unpack.NewReader(packed)
		if err != nil {
			return c.damaged(err)
		}
		return read(c.place.Text(decoded(&failingReader{z, c.damaged}, c.charset)))
	}
	return read(c.place.Text(decoded(&failingReader{packed, c.unreadable}, c.charset)))
}

func (c *Corpus) unreadable(err error) error {
	return &InputError{File: c.path, Problem: "cannot be read: " + cause(err), Remedy: "check the disk", Err: err}
}

func (c *Corpus) damaged(err error) error {
	if unread, ok := errors.AsType[*unpack.ReadError](err); ok {
		return c.unreadable(unread.Err)
	}
	if limit, ok := errors.AsType[*unpack.ExpansionError](err); ok {
		return &InputError{File: c.path, Problem: "compressed too far", Remedy: limit.Error(), Err: err}
	}
	return &InputError{File: c.path, Problem: "damaged gzip: " + err.Error(), Remedy: "the file may be cut off: copy it again", Err: err}
}

// failingReader adds the file's name to errors other than io.EOF.
type failingReader struct {
	r    io.Reader
	name func(error) error
}

func (r *failingReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if err != nil && err != io.EOF {
		err = r.name(err)
	}
	return n, err
}

// seen keeps the line of each id. Ids are kept as the first 128 bits of their SHA-256,
// so that long ids take no more memory than short ones.
type seen map[[16]byte]int64

// add returns the line of an earlier document with the same id, or 0.
func (s seen) add(id string, line int64) (earlier int64) {
	k := key(id)
	if earlier, ok := s[k]; ok {
		return earlier
	}
	s[k] = line
	return 0
}

func (s seen) has(id string) bool {
	_, ok := s[key(id)]
	return ok
}

func key(id string) [16]byte {
	sum := sha256.Sum256([]byte(id))
	return [16]byte(sum[:16])
}

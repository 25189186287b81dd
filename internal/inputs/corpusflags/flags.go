// Package corpusflags has the flags of commands that read a corpus.
package corpusflags

import (
	"github.com/spf13/pflag"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/inputs/workbook"
)

// Reading says how a corpus is read.
func Reading(f *pflag.FlagSet, o *corpus.Options) {
	o.FieldFlags, o.Workbook = true, workbook.Open
	f.StringVar(&o.IDField, "id-field", "", "`FIELD` of the documents' ids (default \"_id\", else \"id\")")
	f.StringVar(&o.TitleField, "title-field", "", "`FIELD` of the titles (default \"title\")")
	f.StringVar(&o.TextField, "text-field", "", "`FIELD` of the texts (default \"text\", else of CSV the column with the most text)")
	f.StringToStringVar(&o.Columns, "columns", nil, "`NAME=COLUMN,...`: which columns of a table are id, title and text, and what others are called, such as title=Headline,text=Body,url=Link")
	f.Lookup("columns").DefValue = ""
	f.StringVar(&o.Delimiter, "delimiter", "", "what separates the columns of CSV: comma, semicolon or tab, or another `CHARACTER` (default which of these three the header has most, in a .tsv file a tab)")
	f.StringVar(&o.Base, "base", "", "`FOLDER` of the pages that a sitemap or a feed names (default the sitemap's own; without it, a feed's entries are the documents)")
	f.StringVar(&o.Quote, "quote", "", "`KIND` of quotes in CSV: double, which enclose fields, or none, if they belong to the texts (default double)")
	f.StringVar(&o.Charset, "charset", "", "`NAME` of the encoding of texts that are not UTF-8, such as windows-1252 or shift_jis")
}

// Linking says what the addresses of documents are.
func Linking(f *pflag.FlagSet, o *corpus.Options) {
	f.StringVar(&o.BaseURL, "base-url", "", "`URL` that the documents' addresses are relative to, such as https://example.org/docs/ or /docs/")
	f.StringVar(&o.Link, "link", "", "`TEMPLATE` of the address of a document without a url, such as /posts/{slug}/, with fields of its metadata, or id, title, slug, path, year, month, day")
}

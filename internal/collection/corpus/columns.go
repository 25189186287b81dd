package corpus

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// withColumns moves the choices of id, title and text out of Columns, to options of their own. The others stay.
func (o Options) withColumns() (Options, error) {
	others := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(o.Columns)) {
		column := strings.TrimSpace(o.Columns[name])
		if name = strings.TrimSpace(name); name == "" || column == "" {
			return o, fault.Errorf(fault.Query, "--columns has an empty name: write it like title=Headline,text=Body,url=Link")
		}
		field := map[string]*string{"id": &o.IDField, "title": &o.TitleField, "text": &o.TextField}[name]
		switch {
		case field == nil:
			others[name] = column
		case *field != "" && *field != column:
			return o, fault.Errorf(fault.Query, "--%s-field and --columns name different columns for the %s: give one", name, name)
		default:
			*field = column
		}
	}
	o.Columns = others
	return o, nil
}

// rename gives columns the names that the option Columns chooses for them in the metadata.
func (t *table) rename(columns map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		i := t.find(columns[name])
		if i < 0 {
			return &InputError{File: t.file, Line: 1, Problem: fmt.Sprintf("no column %.80q", columns[name]), Remedy: "the columns are " + quoted(t.header) + ": correct --columns"}
		}
		if j := slices.Index(t.header, name); j >= 0 && j != i {
			return &InputError{File: t.file, Line: 1, Problem: fmt.Sprintf("column %d is already named %.80q", j+1, name), Remedy: "choose another name in --columns"}
		}
		t.header[i] = name
	}
	return nil
}

// find returns the column with the first of the names that any column has, or -1. Case does not count.
func (t *table) find(names ...string) int {
	for _, name := range names {
		for i, h := range t.header {
			if strings.EqualFold(h, name) {
				return i
			}
		}
	}
	return -1
}

// roles finds the columns of id, title and text. id and title are -1 if there is none. If no column is called text,
// the text is the column with the most text, and the title may also be a column with another usual name of titles.
func (t *table) roles(o Options, columns []column) (id, title, text int, err error) {
	named := func(option string, names ...string) int {
		if option != "" {
			return t.find(option)
		}
		return t.find(names...)
	}
	id, title, text = named(o.IDField, "_id", "id"), named(o.TitleField, "title"), named(o.TextField, "text")
	apart := len(t.header) == 1 && strings.ContainsAny(t.header[0], ",;\t|") // the line was not split
	if text < 0 && o.TextField == "" && !apart {
		if title < 0 && o.TitleField == "" {
			title = t.find("headline", "heading", "subject", "name")
		}
		for i, c := range columns {
			if i != id && i != title && c.kind == kindString && c.length > 0 && (text < 0 || c.length > columns[text].length) {
				text = i
			}
		}
	}
	for _, role := range []struct {
		column       int
		name, option string
		needed       bool
	}{{id, "id", o.IDField, o.IDField != ""}, {title, "title", o.TitleField, o.TitleField != ""}, {text, "text", o.TextField, true}} {
		if role.column >= 0 || !role.needed {
			continue
		}
		name := role.option
		if name == "" {
			name = role.name
		}
		remedy := fmt.Sprintf("the columns are %s: name the one that holds the %s%s, or rename one", quoted(t.header), role.name, o.flag(role.name))
		if apart {
			remedy = "the columns must be separated by commas, semicolons or tabs"
			if o.FieldFlags {
				remedy += ", or say by what with --delimiter"
			}
		}
		return 0, 0, 0, &InputError{File: t.file, Line: 1, Problem: fmt.Sprintf("no column %q", name), Remedy: remedy}
	}
	if id == text || id == title && id >= 0 || title == text {
		remedy := "name different columns"
		if o.FieldFlags {
			remedy += " with --id-field, --title-field and --text-field"
		}
		return 0, 0, 0, &InputError{File: t.file, Line: 1, Problem: "one column is named for two of id, title and text", Remedy: remedy + "; there are " + quoted(t.header)}
	}
	return id, title, text, nil
}

// choice says which columns were taken although they do not have the usual names, or "".
func (t *table) choice(id, title, text int, o Options) string {
	var parts []string
	if text != t.find("text") && o.TextField == "" {
		part := fmt.Sprintf("texts are column %.80q, which has the most text", t.header[text])
		if title >= 0 {
			part += fmt.Sprintf(", titles column %.80q", t.header[title])
		}
		parts = append(parts, part+" (--columns title=NAME,text=NAME chooses)")
	}
	if id < 0 {
		parts = append(parts, "rows are numbered, as no column is called id")
	}
	return strings.Join(parts, "; ")
}
